//! What can be typed instead of an utterance.

use super::{Chat, sentence};
use crate::cli::policy;
use crate::cli::stack;
use crate::cli::terminal::{self, BOLD, DIM, Styled, clean};
use crate::cli::world;
use crate::domain::s3::show::summary;
use crate::error::Result;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The commands, for completion.
pub const NAMES: &[&str] = &[
    "/stack",
    "/world",
    "/policy",
    "/undo",
    "/undo-draft",
    "/save",
    "/save!",
    "/help",
    "/quit",
];

const HELP: &[(&str, &str)] = &[
    (
        "/stack",
        "the program stack: every goal with its latest program",
    ),
    ("/world", "the world that programs act on"),
    (
        "/policy",
        "what programs may do; with `mode read-only` or `objects_deleted 50`, change it",
    ),
    (
        "/undo",
        "take back what the last program did; what that changes is shown before",
    ),
    ("/undo-draft", "take back the last turn, if it ran nothing"),
    (
        "/save FILE",
        "write the dialogue to a new file; /save! replaces one",
    ),
    ("/quit", "end (also Ctrl-D)"),
];

/// A command, as meant.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Stack,
    World,
    Policy { words: String },
    Undo,
    UndoDraft,
    Save { path: PathBuf, replace: bool },
    Help,
    Quit,
}

impl Command {
    /// The command in an input; none in an utterance. A command that is not
    /// understood is a sentence about what is.
    pub fn read(text: &str) -> Option<Result<Self, String>> {
        let text = text.strip_prefix('/')?;
        let (name, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let argument = argument.trim();
        let command = match name {
            "stack" => Command::Stack,
            "world" => Command::World,
            "policy" => {
                let words = argument.to_owned();
                return Some(Ok(Command::Policy { words }));
            }
            "undo" => Command::Undo,
            "undo-draft" => Command::UndoDraft,
            "help" | "?" => Command::Help,
            "quit" | "exit" => Command::Quit,
            "save" | "save!" if argument.is_empty() => {
                return Some(Err(format!(
                    "/{name} needs the name of a file: /{name} dialogue.xml"
                )));
            }
            "save" | "save!" => {
                let (path, replace) = (PathBuf::from(argument), name == "save!");
                return Some(Ok(Command::Save { path, replace }));
            }
            _ => {
                return Some(Err(format!(
                    "There is no command /{name}; /help lists those there are."
                )));
            }
        };
        Some(match argument.is_empty() {
            true => Ok(command),
            false => Err(format!("/{name} takes no argument.")),
        })
    }
}

impl Chat<'_> {
    /// Does what a command says.
    pub(super) fn command(&mut self, command: &Command) -> Result<()> {
        let text = match command {
            Command::Stack if self.session.stack().is_empty() => "The stack is empty.\n".to_owned(),
            Command::Stack => {
                let goals = self.session.stack().goals().iter();
                goals
                    .map(|goal| stack::goal(goal, None))
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            Command::World => match self.wait(summary(&*self.world)) {
                Some(Ok(content)) => world::describe(&*self.world, &content),
                Some(Err(error)) => format!("{}\n", clean(&sentence(&error))),
                None => "Cancelled.\n".to_owned(),
            },
            Command::Policy { words } => self.policy(words)?,
            Command::Undo => match self.undo() {
                Ok(said) => said,
                Err(error) => format!("{}\n", clean(&sentence(&error))),
            },
            Command::UndoDraft => self.undo_draft()?,
            Command::Save { path, replace } => {
                let saved = self.saved.write(&self.session, path, *replace);
                match saved {
                    Ok(()) => format!("Saved to {}.\n", clean(&path.display().to_string())),
                    Err(error) => format!("{}\n", clean(&sentence(&error))),
                }
            }
            Command::Help => help(),
            Command::Quit => return Ok(()),
        };
        terminal::print(format_args!("{text}\n"))
    }

    fn policy(&mut self, words: &str) -> Result<String> {
        let Some(now) = &self.agent.settings().policy else {
            return Ok("There is no policy.\n".to_owned());
        };
        let (changed, said) = policy::command(now, words);
        if let Some(changed) = changed {
            self.journal.policy(&changed.to_string())?;
            self.asker.set_mode(changed.mode);
            self.agent.set_policy(Arc::new(changed));
        }
        Ok(said)
    }

    fn undo_draft(&mut self) -> Result<String> {
        let turn = self.session.turns().len();
        let last = self.session.turns().last().map(|turn| turn.user.clone());
        Ok(match last {
            None => "There is nothing to take back: nothing was said yet.\n".to_owned(),
            Some(said) if self.session.undo_draft() => {
                self.journal.taken_back(turn)?;
                self.saved.keep(&self.session);
                format!("Taken back: {}\n", Styled(DIM, clean(&said)))
            }
            Some(_) => {
                "The last turn ran a program: /undo takes back what programs did.\n".to_owned()
            }
        })
    }
}

fn help() -> String {
    let mut text = String::new();
    for (command, what) in HELP {
        let _ = writeln!(text, "{}  {what}", Styled(BOLD, format!("{command:11}")));
    }
    text.push_str("Anything else is said to the agent. Ctrl-C stops a turn that is under way.\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_utterances() {
        assert_eq!(Command::read("delete /stack"), None);
        assert_eq!(Command::read("/stack"), Some(Ok(Command::Stack)));
        let save = |replace| Command::Save {
            path: "my file.xml".into(),
            replace,
        };
        assert_eq!(Command::read("/save  my file.xml"), Some(Ok(save(false))));
        assert_eq!(Command::read("/save! my file.xml"), Some(Ok(save(true))));
        for wrong in ["/", "/stak", "/save", "/stack now", "/tmp/x"] {
            assert!(matches!(Command::read(wrong), Some(Err(_))), "{wrong}");
        }
    }

    #[test]
    fn every_command_that_is_completed_is_understood_and_explained() {
        for name in NAMES {
            let read = Command::read(&format!("{name} x"));
            let known = Command::read(name);
            assert!(
                [read, known].iter().any(|c| matches!(c, Some(Ok(_)))),
                "{name}"
            );
            assert!(help().contains(name) || *name == "/help", "{name}");
        }
    }
}
