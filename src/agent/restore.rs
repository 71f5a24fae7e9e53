//! A dialogue as it was, from what is known of its turns.

use super::predict::Prediction;
use super::{Executed, Session, TurnReport};
use crate::dialogue::{Status, Update, Violation};

/// A turn that ended, as an [`Overseer`](super::Overseer) was told of it.
#[derive(Debug, Clone)]
pub struct Past {
    /// What the user said.
    pub user: String,
    /// The programs; none where the turn failed before they were known.
    pub updates: Option<Vec<Update>>,
    /// The programs that came to their end, in order.
    pub executed: Vec<Executed>,
    /// What the agent said.
    pub reply: String,
}

impl Session {
    /// The dialogue after these turns, in every respect as the agent left it. Nothing runs.
    ///
    /// # Errors
    /// The reasons, where updates break the status rules.
    pub fn restore(turns: impl IntoIterator<Item = Past>) -> Result<Session, Vec<Violation>> {
        let mut session = Session::new();
        for turn in turns {
            session.begin(&turn.user);
            let mut is_complete = turn.updates.is_some();
            if let Some(updates) = turn.updates {
                let (stack, execute) = session.stack().updated(&updates)?;
                let prediction = Prediction {
                    updates,
                    stack,
                    execute,
                };
                session.settle(&prediction, &turn.executed);
                let mut finals = prediction.updates.iter();
                is_complete = finals
                    .all(|update| update.status != Status::Final || has(&turn.executed, update));
            }
            let report = TurnReport {
                reply: turn.reply,
                ..TurnReport::default()
            };
            // A turn that failed before anything ran leaves the words before it.
            match is_complete || !turn.executed.is_empty() {
                true => session.finish(&report),
                false => session.note(&report),
            }
        }
        Ok(session)
    }
}

fn has(executed: &[Executed], update: &Update) -> bool {
    executed.iter().any(|done| done.uid == update.uid)
}
