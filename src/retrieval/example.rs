//! An example: one turn of a training dialogue, with the stacks before and after it.

use super::{Task, Utterances};
use crate::dialogue::{Stack, Status, Transcript, Update};
use crate::error::{Error, Result};

/// One turn of a training dialogue.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The dialogue it comes from.
    pub dialogue: String,
    /// The goal that the dialogue was written for.
    pub goal: Option<String>,
    /// The index of the turn in its dialogue, from 0.
    pub turn: usize,
    /// S_{t-1}.
    pub before: Stack,
    /// S_t, with the recorded outcomes.
    pub after: Stack,
    /// R_{t-1}: the agent's words before.
    pub said: String,
    /// U_t: the user's utterance.
    pub user: String,
    /// P_t.
    pub updates: Vec<Update>,
    /// R_t, if the dialogue has one.
    pub reply: Option<String>,
}

impl Example {
    pub(super) fn utterances(&self) -> Utterances<'_> {
        Utterances {
            said: &self.said,
            user: &self.user,
        }
    }

    /// Whether the example has an answer to this kind of request. A reply whose outcome is
    /// unknown does not count: it would teach the model to invent one.
    pub fn serves(&self, task: Task) -> bool {
        let outcome_known = |update: &Update| {
            update.status != Status::Final
                || (self.after.get(update.uid)).is_some_and(|goal| goal.outcome.is_some())
        };
        let has_programs = !self.updates.is_empty();
        match task {
            Task::Program => has_programs,
            Task::Response => {
                has_programs && self.reply.is_some() && self.updates.iter().all(outcome_known)
            }
        }
    }
}

/// The turns of one dialogue as examples.
pub(super) fn turns(dialogue: &Transcript) -> Result<Vec<Example>> {
    let goal = dialogue.attributes.iter().find(|(name, _)| name == "goal");
    let mut before = Stack::default();
    let mut said = dialogue.greeting.clone().unwrap_or_default();
    let mut examples = Vec::new();
    for (index, turn) in dialogue.turns.iter().enumerate() {
        let after = before.replayed(turn).map_err(|violations| {
            let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
            let place = format!("dialogue {}, turn {}", dialogue.uid, index + 1);
            Error::usage(format!("{place}: {}", reasons.join("; ")))
        })?;
        examples.push(Example {
            dialogue: dialogue.uid.clone(),
            goal: goal.map(|(_, value)| value.clone()),
            turn: index,
            before: std::mem::replace(&mut before, after.clone()),
            after,
            said: std::mem::take(&mut said),
            user: turn.user.clone(),
            updates: turn.updates(),
            reply: turn.response.clone(),
        });
        said = turn.response.clone().unwrap_or_default();
    }
    Ok(examples)
}
