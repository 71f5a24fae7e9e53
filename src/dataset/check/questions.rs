//! The agent asks as long as a draft waits.

use super::{Check, Checked, Found, Looked};
use crate::dialogue::Status;
use crate::error::Result;
use async_trait::async_trait;
use std::collections::BTreeSet;

/// While a goal is drafting, the agent asks for what it waits for.
pub struct Questions;

/// The question marks of the scripts that have one of their own.
const MARKS: [char; 3] = ['?', '？', '؟'];

#[async_trait]
impl Check for Questions {
    fn name(&self) -> &'static str {
        "questions"
    }

    fn rule(&self) -> &'static str {
        "as long as a goal is drafting, the agent asks a question in every turn"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        for dialogue in &checked.set.dialogues {
            let mut waiting = BTreeSet::new();
            for (index, turn) in dialogue.transcript.turns.iter().enumerate() {
                for goal in &turn.goals {
                    match goal.status {
                        Status::Drafting => waiting.insert(goal.uid),
                        Status::Final | Status::Abandoned => waiting.remove(&goal.uid),
                    };
                }
                let reply = turn.response.as_deref().unwrap_or_default();
                // The check of completeness reports a reply that is missing.
                let is_silent = reply.trim().is_empty();
                if let Some(uid) = waiting.first()
                    && !is_silent
                    && !reply.contains(MARKS)
                {
                    let problem = "is drafting, and the agent asks nothing; let it ask for the \
                                   missing value or for confirmation, after an answer to \
                                   something else as well";
                    found.on(checked.set, dialogue, index + 1, *uid, problem);
                }
            }
        }
        found.end()
    }
}
