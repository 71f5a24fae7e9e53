//! `/undo`: what a program did is taken back, through a plan like any other.

use super::Chat;
use crate::cli::terminal::clean;
use crate::cli::undo::{How, Undoer, Undone};
use crate::error::Result;

impl Chat<'_> {
    /// Takes back the last program that did something, if the person agrees.
    pub(super) fn undo(&mut self) -> Result<String> {
        let undone = self.wait_or_stop(self.undoer().undo(None));
        self.undone(undone)
    }

    /// Finishes an undo whose apply was cut off.
    pub(super) fn finish_undo(&mut self, id: u64, of: u64) -> Result<String> {
        let undone = self.wait_or_stop(self.undoer().finish(id, of));
        self.undone(undone)
    }

    /// Takes back what a plan did whose apply was cut off.
    pub(super) fn take_back(&mut self, id: u64) -> Result<String> {
        let undone = self.wait_or_stop(self.undoer().take_back(id));
        self.undone(undone)
    }

    fn undoer(&self) -> Undoer<'_> {
        let settings = self.agent.settings();
        Undoer {
            journal: &self.journal,
            world: &*self.world,
            policy: settings.policy.as_deref(),
            keeping: settings.keeping,
            asker: &self.asker,
            quiet: self.quiet,
        }
    }

    /// What came of it, in words.
    fn undone(&mut self, undone: Option<Result<Undone>>) -> Result<String> {
        self.asker.turn(None);
        let Some(undone) = undone else {
            return Ok("Stopped. Nothing was changed.\n".to_owned());
        };
        let Undone { how, said, .. } = undone?;
        let changes = match how {
            How::Whole | How::Partly => self.changes(true),
            How::Nothing | How::Denied | How::Declined => String::new(),
        };
        Ok(match said.is_empty() {
            true => changes,
            false => format!("{changes}{}\n", clean(&said)),
        })
    }
}
