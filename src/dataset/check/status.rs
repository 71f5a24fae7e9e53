//! The status rules.

use super::{Check, Checked, Found, Looked};
use crate::dataset::{Dialogue, Set};
use crate::dialogue::Stack;
use crate::error::Result;
use async_trait::async_trait;

/// Every update keeps the status rules, and goals are numbered in order of creation.
pub struct StatusRules;

#[async_trait]
impl Check for StatusRules {
    fn name(&self) -> &'static str {
        "status"
    }

    fn rule(&self) -> &'static str {
        "every update keeps the status rules, and goals are numbered 1, 2, 3 in order of creation"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        for dialogue in &checked.set.dialogues {
            look(checked.set, dialogue, &mut found);
        }
        found.end()
    }
}

/// Checks up to the first turn that breaks a rule: later turns may break more only because
/// of it.
fn look(set: &Set, dialogue: &Dialogue, found: &mut Found) {
    let mut stack = Stack::default();
    for (index, turn) in dialogue.transcript.turns.iter().enumerate() {
        let number = index + 1;
        let next = match stack.updated(&turn.updates()) {
            Ok((next, _)) => next,
            Err(violations) => {
                for violation in violations {
                    found.on(set, dialogue, number, None, violation.to_string());
                }
                return;
            }
        };
        let mut expected = stack.free_uid();
        for goal in &turn.goals {
            if stack.get(goal.uid).is_some() {
                continue;
            }
            if goal.uid != expected {
                let problem = format!("is new, so its uid is to be \"{expected}\"");
                found.on(set, dialogue, number, goal.uid, problem);
                return;
            }
            expected = expected.saturating_add(1);
        }
        stack = next;
    }
}
