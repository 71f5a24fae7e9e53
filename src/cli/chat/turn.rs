//! Shows turns and undos on the terminal.

use super::Chat;
use crate::cli::plan::{self, Extent};
use crate::cli::progress::Spinner;
use crate::cli::stack;
use crate::cli::terminal::{self, DIM, Styled, clean};
use crate::domain::Words;
use crate::error::Result;
use crate::journal::Origin;
use crate::service::{ProgramRun, Reply, Stopped, TurnEnd, TurnView, Undone};
use std::time::Duration;

impl Chat<'_> {
    /// Shows a turn that has ended.
    pub(super) fn show(&mut self, turn: &TurnView) -> Result<()> {
        self.failed_turns += usize::from(turn.failed());
        self.proposed.clone_from(&turn.proposed);
        match &turn.end {
            TurnEnd::Replied(reply) => {
                self.show_reply(turn, reply)?;
                if self.verbose {
                    let took = self.usage.line(&turn.usage);
                    Spinner::new(self.quiet).note(&format!("({took})"));
                }
            }
            TurnEnd::Stopped(stopped) => show_stopped(turn, stopped)?,
        }
        for note in &turn.notes {
            Spinner::new(false).note(note);
        }
        self.keep();
        Ok(())
    }

    fn show_reply(&self, turn: &TurnView, reply: &Reply) -> Result<()> {
        let mut text = String::from("\n");
        for goal in &turn.goals {
            let run = turn.runs.iter().find(|run| run.uid == goal.uid);
            text.push_str(&stack::goal(goal, run.map(ran)));
            text.push_str(&unasked(turn, goal.uid));
            text.push('\n');
        }
        // A program that a failure ended is no goal any more, and what it printed is still there.
        let is_goal = |uid: u32| turn.goals.iter().any(|goal| goal.uid == uid);
        for run in turn.runs.iter().filter(|run| !is_goal(run.uid)) {
            text.push_str(&stack::printed(&run.output));
        }
        push_changes(&mut text, turn);
        terminal::print(text)?;
        self.say_marked(&reply.text, &reply.unsupported)?;
        if let Some(proposed) = &turn.proposed {
            let proposed = plan::proposed(proposed, Extent::Short);
            terminal::print(format_args!("{proposed}\n"))?;
        }
        // A cancelled turn already contains its reason. A plain reply does not.
        if let Some(failure) = &reply.failure
            && !reply.text.contains(failure)
        {
            self.aside(&clean(&format!("(In plain words, because {failure}.)")))?;
        }
        if reply.ends_dialogue && self.interactive() {
            let hint = "(The dialogue is over. Ctrl-D leaves; whatever you say goes on with it.)";
            terminal::print(format_args!("{}\n\n", Styled(DIM, hint)))?;
        }
        Ok(())
    }
}

fn show_stopped(turn: &TurnView, stopped: &Stopped) -> Result<()> {
    let mut text = String::from("\n");
    for goal in &turn.goals {
        text.push_str(&stack::goal(goal, None));
        text.push('\n');
    }
    push_changes(&mut text, turn);
    terminal::print(format_args!("{text}{stopped}\n\n"))
}

fn push_changes(text: &mut String, turn: &TurnView) {
    if !turn.changes.is_empty() {
        text.push_str(&stack::changes(&turn.changes));
        text.push('\n');
    }
}

fn ran(run: &ProgramRun) -> (Duration, &str) {
    (Duration::from_micros(run.elapsed_us), &run.output)
}

/// The writes of a program that did not ask for consent. If changes of the world are not
/// shown, the writes are listed one by one.
fn unasked(turn: &TurnView, uid: u32) -> String {
    let is_its =
        |origin: &Origin| matches!(origin, Origin::Program { uid: its, .. } if *its == uid);
    let done = turn.unasked.iter().find(|done| is_its(&done.origin));
    done.map(|done| plan::done(done, turn.changes.is_empty()))
        .unwrap_or_default()
}

/// The result of an undo, in lines.
pub fn undone(undone: &Undone, words: &Words) -> String {
    let mut text = stack::changes(&undone.changes);
    let said = undone_said(undone, words);
    if !said.is_empty() {
        text.push_str(&clean(&said));
        text.push('\n');
    }
    text
}

/// The result of an undo as a sentence. If the user was not asked, it says what has
/// changed, in the words of the domain.
pub fn undone_said(undone: &Undone, words: &Words) -> String {
    match &undone.unasked {
        Some(totals) => format!("Undone: {}.", plan::sum(totals, words)),
        None => undone.said.clone(),
    }
}
