//! The commands of a chat, such as /stack and /undo.

use super::turn::undone;
use super::{Chat, claim_marks, sentence};
use crate::cli::policy;
use crate::cli::stack;
use crate::cli::terminal::{self, BOLD, DIM, Styled, clean};
use crate::cli::world;
use crate::error::{ErrorKind, FailureReason, Result};
use crate::policy::{Raised, Spelling};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The commands, for completion.
pub const NAMES: &[&str] = &[
    "/stack",
    "/forms",
    "/world",
    "/policy",
    "/undo",
    "/undo-draft",
    "/why",
    "/plan",
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
    (
        "/forms",
        "the forms: what is filled in, what is missing, what is asked and why",
    ),
    ("/world", "the world that programs act on"),
    (
        "/policy",
        "what programs may do; with `mode read-only` or `bytes_written 1 GiB`, change it",
    ),
    (
        "/undo",
        "undo the last program; the changes are shown first",
    ),
    ("/undo-draft", "take back the last turn, if it ran nothing"),
    (
        "/why",
        "why statements of the last reply are in doubt, or none is",
    ),
    (
        "/plan",
        "all of the plan that waits for your yes; with `export FOLDER`, write the last plan as files \
         that somebody else carries out",
    ),
    (
        "/save FILE",
        "write the dialogue to a new file; /save! replaces one",
    ),
    ("/quit", "end (also Ctrl-D)"),
];

/// A command with its arguments.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Stack,
    Forms,
    World,
    Policy { words: String },
    Undo,
    UndoDraft,
    Why,
    Plan,
    Export { folder: PathBuf },
    Save { path: PathBuf, replace: bool },
    Help,
    Quit,
}

impl Command {
    /// Reads a command; `None` for an utterance. The error lists the commands.
    pub fn read(text: &str) -> Option<Result<Self, String>> {
        let text = text.strip_prefix('/')?;
        let (name, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let argument = argument.trim();
        let command = match name {
            "stack" => Command::Stack,
            "forms" => Command::Forms,
            "world" => Command::World,
            "policy" => {
                let words = argument.to_owned();
                return Some(Ok(Command::Policy { words }));
            }
            "undo" => Command::Undo,
            "undo-draft" => Command::UndoDraft,
            "why" => Command::Why,
            "plan" => {
                let folder = argument.strip_prefix("export").map(str::trim);
                return Some(match folder {
                    None if argument.is_empty() => Ok(Command::Plan),
                    None | Some("") => {
                        Err("/plan takes nothing, or a new folder: /plan export FOLDER".to_owned())
                    }
                    Some(folder) => Ok(Command::Export {
                        folder: PathBuf::from(folder),
                    }),
                });
            }
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
        Some(if argument.is_empty() {
            Ok(command)
        } else {
            Err(format!("/{name} takes no argument."))
        })
    }
}

impl Chat<'_> {
    /// Carries out a command.
    pub(super) fn command(&mut self, command: &Command) -> Result<()> {
        let text = match command {
            Command::Stack => self.stack()?,
            Command::Forms => self.forms()?,
            Command::World => {
                match self.wait(world::described(&self.domain, &**self.conversation.world())) {
                    Some(Ok(described)) => described,
                    Some(Err(error)) => format!("{}\n", clean(&sentence(&error))),
                    None => "Cancelled.\n".to_owned(),
                }
            }
            Command::Policy { words } => self.policy(words)?,
            Command::Undo => {
                self.proposed = None;
                match self.follow(|conversation| conversation.undo(None)) {
                    Ok(done) => undone(&done, &self.domain.words),
                    Err(error) => format!("{}\n", clean(&sentence(&error))),
                }
            }
            Command::UndoDraft => match self.follow(|conversation| conversation.undo_draft()) {
                Ok(said) => {
                    self.proposed = None;
                    self.keep();
                    format!("Taken back: {}\n", Styled(DIM, clean(&said)))
                }
                Err(error) if error.kind() == ErrorKind::User => {
                    format!("{}.\n", clean(&sentence(&error)))
                }
                Err(error) => return Err(error),
            },
            Command::Save { path, replace } => match self.save(path, *replace) {
                Ok(()) => format!("Saved to {}.\n", clean(&path.display().to_string())),
                Err(error) => format!("{}\n", clean(&sentence(&error))),
            },
            Command::Plan => self.proposed(),
            Command::Export { folder } => match self.export(folder) {
                Ok(files) => format!("{}\n", clean(&files)),
                Err(error) => format!("{}\n", clean(&sentence(&error))),
            },
            Command::Why => claim_marks::why(self.conversation.last_reply()),
            Command::Help => help(self.domain.conduct.is_some()),
            Command::Quit => return Ok(()),
        };
        terminal::print(format_args!("{text}\n"))
    }

    /// The forms of a conversation by worksheets.
    fn forms(&self) -> Result<String> {
        let situation = self.conversation.situation()?;
        Ok(match situation {
            Some(situation) => clean(&situation.shown).to_string(),
            None => "There are no forms in this domain; /stack shows its programs.\n".to_owned(),
        })
    }

    fn stack(&self) -> Result<String> {
        let goals = self.conversation.snapshot()?.stack;
        if goals.is_empty() {
            return Ok("The stack is empty.\n".to_owned());
        }
        let goals: Vec<String> = goals.iter().map(|goal| stack::goal(goal, None)).collect();
        Ok(goals.join("\n"))
    }

    fn save(&mut self, path: &Path, replace: bool) -> Result<()> {
        let transcript = |uid: &str| self.conversation.transcript(uid);
        self.saved.write(transcript, path, replace)
    }

    /// Shows the policy, or changes it.
    fn policy(&mut self, words: &str) -> Result<String> {
        if words.is_empty() {
            let policy = self.conversation.policy();
            return Ok(match policy {
                Some(policy) => policy::shown(&policy, &self.domain),
                None => "There is no policy.\n".to_owned(),
            });
        }
        let words = words.strip_prefix("raise ").unwrap_or(words);
        let change = match Raised::read(words, Spelling::of(&self.domain.words)) {
            Ok(change) => change,
            Err(sentence) => return Ok(format!("{}\n", clean(&sentence))),
        };
        let changing = self.conversation.change_policy(&change);
        match self.runtime.block_on(changing) {
            Ok(_) => Ok(format!("From now on: {}\n", clean(words))),
            Err(error) if error.is(FailureReason::Usage) => {
                Ok(format!("{}\n", clean(&error.to_string())))
            }
            Err(error) => Err(error),
        }
    }
}

/// The commands that have something to show here.
fn help(has_forms: bool) -> String {
    let mut text = String::new();
    let here = HELP
        .iter()
        .filter(|(name, _)| has_forms || *name != "/forms");
    for (command, what) in here {
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
        let folder = || "my jobs".into();
        assert_eq!(
            Command::read("/plan export my jobs"),
            Some(Ok(Command::Export { folder: folder() }))
        );
        for wrong in [
            "/",
            "/stak",
            "/save",
            "/stack now",
            "/tmp/x",
            "/plan export",
        ] {
            assert!(matches!(Command::read(wrong), Some(Err(_))), "{wrong}");
        }
    }

    #[test]
    fn every_command_that_is_completed_is_understood_and_explained() {
        for name in NAMES {
            let read = Command::read(&format!("{name} x"));
            let export = Command::read(&format!("{name} export x"));
            let known = Command::read(name);
            assert!(
                [read, export, known]
                    .iter()
                    .any(|c| matches!(c, Some(Ok(_)))),
                "{name}"
            );
            assert!(help(true).contains(name) || *name == "/help", "{name}");
        }
    }
}
