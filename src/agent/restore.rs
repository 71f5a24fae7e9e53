//! Restoring a dialogue from the record of its turns.

use super::predict::Prediction;
use super::{Executed, Session, TurnReport};
use crate::dialogue::{Status, Update, Violation};

/// A past turn, as an [`Overseer`](super::Overseer) recorded it.
#[derive(Debug, Clone)]
pub struct Past {
    /// The user's utterance.
    pub user: String,
    /// The updates; none if the turn failed before they were known.
    pub updates: Option<Vec<Update>>,
    /// The programs that ended, in order.
    pub executed: Vec<Executed>,
    /// The agent's reply.
    pub reply: String,
}

impl Session {
    /// The dialogue after these turns, exactly as the agent left it. Nothing runs.
    ///
    /// # Errors
    /// The violations, if recorded updates break the status rules.
    pub fn restore(turns: impl IntoIterator<Item = Past>) -> Result<Session, Vec<Violation>> {
        let mut session = Session::new();
        for turn in turns {
            session.begin(&turn.user);
            let mut is_complete = turn.updates.is_some();
            if let Some(updates) = turn.updates {
                let (stack, execute) = session.stack().updated(&updates)?;
                let prediction = Prediction::new(updates, stack, execute);
                session.settle(&prediction, &turn.executed);
                let mut finals = prediction.updates.iter();
                is_complete = finals
                    .all(|update| update.status != Status::Final || has(&turn.executed, update));
            }
            // A turn that was stopped ended without a word.
            if turn.reply.is_empty() {
                continue;
            }
            let report = TurnReport {
                reply: turn.reply,
                ..TurnReport::default()
            };
            // After a turn that failed before anything ran, the dialogue continues from the
            // words before it.
            if is_complete || !turn.executed.is_empty() {
                session.finish(&report);
            } else {
                session.note(&report);
            }
        }
        Ok(session)
    }
}

fn has(executed: &[Executed], update: &Update) -> bool {
    executed.iter().any(|done| done.uid == update.uid)
}
