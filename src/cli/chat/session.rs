//! The session that a chat is: a new one, or one that goes on where it was.

use super::Chat;
use crate::agent::Session;
use crate::cli::options::WorldChoice;
use crate::cli::terminal::{self, DIM, Styled};
use crate::domain::Signature;
use crate::error::{Error, Result};
use crate::journal::{Begin, Journal, Origin, Store};
use crate::policy::Policy;
use std::sync::Arc;

/// Where the session is kept, and what is there of it.
pub struct Stored {
    store: Store,
    name: Option<String>,
    /// What it began with, where it is there already.
    begun: Option<Begin>,
}

impl Stored {
    /// Looks for the session of this name.
    pub fn find(name: Option<&str>) -> Result<Stored> {
        let store = Store::of_user()?;
        let begun = match name {
            Some(name) if store.has(name)? => store.read(name)?.state.begin,
            _ => None,
        };
        Ok(Stored {
            store,
            name: name.map(str::to_owned),
            begun,
        })
    }

    /// The world of the session: that which it began in. Another one that was typed is
    /// refused.
    pub fn world(&self, typed: WorldChoice, is_typed: bool) -> Result<WorldChoice> {
        let Some(begun) = &self.begun else {
            return Ok(typed);
        };
        if typed.name() == begun.world {
            return Ok(typed);
        }
        let name = self.name.as_deref().unwrap_or_default();
        match (is_typed, &typed) {
            (false, WorldChoice::Embedded(_)) if begun.world != "s3" => {
                Ok(WorldChoice::Embedded(begun.world.clone()))
            }
            _ => Err(Error::Usage(format!(
                "the session {name} is one with the world {}, not {}: name that one with \
                 --world, or begin another session",
                begun.world,
                typed.name()
            ))),
        }
    }

    /// Opens the journal, to be written.
    pub fn open(
        &self,
        world: &str,
        model: &str,
        policy: &Policy,
        signature: Option<Signature>,
    ) -> Result<Arc<Journal>> {
        let policy = policy.to_string();
        let journal = match (&self.name, &self.begun) {
            (Some(name), Some(_)) => self.store.resume(name)?,
            (name, _) => {
                let mut begin = Begin::new(world, model);
                begin.policy.clone_from(&policy);
                begin.signature = signature.map(|signature| signature.to_string());
                self.store.begin(name.as_deref(), begin)?
            }
        };
        journal.policy(&policy)?;
        Ok(Arc::new(journal))
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
