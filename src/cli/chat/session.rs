//! The session of a chat: which world it uses, and how it continues after an
//! interruption.

use super::Chat;
use super::turn::undone;
use crate::cli::options::{WorldChoice, WorldOptions};
use crate::cli::terminal::{self, DIM, Styled};
use crate::domain::{Domain, counted};
use crate::error::Result;
use crate::service::{CutOffApply, SessionView, Settle, StoredSession};
use std::sync::Arc;

/// The world for a command: that of the session, unless another world was typed. A
/// different world is refused, if the difference is known before it is opened.
pub fn world_of(
    domain: &Arc<Domain>,
    session: &StoredSession,
    options: &WorldOptions,
) -> Result<WorldChoice> {
    // What was typed is wrong, whatever the session has.
    options.choice(domain)?;
    let (named, _) = session.world(domain, &options.named)?;
    WorldOptions { named }.choice(domain)
}

impl Chat<'_> {
    /// Continues interrupted work: first an apply, then the turn.
    pub(super) fn go_on(&mut self, session: &SessionView) -> Result<()> {
        let SessionView {
            session: name,
            turns,
            interrupted,
            changed,
            ..
        } = session;
        if *turns > 0 || interrupted.is_some() {
            self.aside(&format!(
                "(The session {name} goes on after {}.)",
                counted(*turns, "turn")
            ))?;
        }
        for line in changed {
            self.aside(&format!("({line})"))?;
        }
        if let Some(cut_off) = self.conversation.cut_off() {
            self.settle(&cut_off)?;
        }
        if interrupted.is_some() {
            self.aside("(The last turn was interrupted, and is carried on.)")?;
        }
        let turn = self.follow(|conversation| conversation.carry_on())?;
        turn.map_or(Ok(()), |turn| self.show(&turn))
    }

    /// Finishes an interrupted apply, or takes it back. Without an answer nothing is done, and the
    /// question waits: who interrupts it does not mean "go on".
    fn settle(&mut self, cut_off: &CutOffApply) -> Result<()> {
        let question = "Finish it? (no takes back what was done) [y/n] ";
        let asked = self.front.ask_to_finish(cut_off, question);
        let settle = match self.runtime.block_on(asked)? {
            Some(false) => Settle::TakeBack,
            Some(true) => Settle::Finish,
            None => {
                let way_out = "the session asks again when it is opened";
                return self.front.check_answered(way_out);
            }
        };
        match self.follow(|conversation| conversation.settle(settle))? {
            Some(settled) => {
                terminal::print(format_args!("{}\n", undone(&settled, &self.domain.words)))
            }
            None => Ok(()),
        }
    }

    /// Prints a line about the dialogue, unless the output is quiet.
    pub(super) fn aside(&self, line: &str) -> Result<()> {
        if self.quiet {
            return Ok(());
        }
        terminal::print(format_args!("{}\n\n", Styled(DIM, line)))
    }
}
