//! The session that a chat is: a new one, or one that goes on where it was.

use super::Chat;
use crate::agent::Session;
use crate::cli::options::{WorldChoice, WorldOptions};
use crate::cli::terminal::{self, DIM, Styled};
use crate::error::{Error, Result};
use crate::journal::{Journal, Origin};
use crate::service::StoredSession;

/// The world that a command is to use: the session's own, unless another was typed. What is
/// not the session's is refused, where that is known before it is opened.
pub fn world_of(session: &StoredSession, options: &WorldOptions) -> Result<WorldChoice> {
    let typed = options.choice()?;
    match (&typed, session.own_world()) {
        (WorldChoice::Embedded(_), Some(own)) if options.world.is_none() => {
            Ok(WorldChoice::Embedded(own.to_owned()))
        }
        _ => {
            session.check(typed.name(), typed.identity().as_deref())?;
            Ok(typed)
        }
    }
}

/// The dialogue as it was after its last whole turn.
pub fn restored(journal: &Journal) -> Result<Session> {
    let session = journal.with_state(|state| state.session());
    session.map_err(|violations| {
        let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
        Error::Content {
            path: journal.folder().to_owned(),
            problem: format!("the session cannot go on: {}", reasons.join("; ")),
        }
    })
}

impl Chat<'_> {
    /// Goes on with what was interrupted: an apply first, then the turn.
    pub(super) fn go_on(&mut self) -> Result<()> {
        let turns = self.journal.with_state(|state| state.turns.len());
        let unfinished = self.journal.unfinished();
        if turns > 0 || unfinished.is_some() {
            let name = self.journal.name();
            let line = format!("(The session {name} goes on after {turns} turns.)");
            self.aside(&line)?;
        }
        self.settle_apply()?;
        match unfinished {
            None => Ok(()),
            Some(turn) => {
                self.aside("(The last turn was interrupted, and is carried on.)")?;
                self.turn(&turn.user)
            }
        }
    }

    /// An apply that was cut off is finished with its turn, or taken back.
    fn settle_apply(&mut self) -> Result<()> {
        let cut_off = self.journal.with_state(|state| {
            let plan = state.cut_off()?;
            Some((
                plan.planned.id,
                plan.planned.origin,
                plan.made.len(),
                plan.planned.writes.len(),
            ))
        });
        let Some((id, origin, made, of)) = cut_off else {
            return Ok(());
        };
        self.aside(&format!(
            "An apply was cut off after {made} of {of} writes."
        ))?;
        let question = "Finish it? (no takes back what was done) [y/n] ";
        let answer = self.asker.ask(question)?;
        let finish = answer.unwrap_or(true);
        let said = match (finish, origin) {
            // The turn that is carried on finishes its apply.
            (true, Origin::Program { .. }) => return Ok(()),
            (true, Origin::Undo { of }) => self.finish_undo(id, of)?,
            (false, _) => self.take_back(id)?,
        };
        terminal::print(format_args!("{said}\n"))
    }

    /// A line of ours in the dialogue.
    pub(super) fn aside(&self, line: &str) -> Result<()> {
        match self.quiet {
            true => Ok(()),
            false => terminal::print(format_args!("{}\n\n", Styled(DIM, line))),
        }
    }
}
