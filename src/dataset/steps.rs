//! A dialogue as the history of its goals.

use crate::dialogue::{Conversation, GoalRecord, Program, Status};
use std::collections::HashMap;

/// One update of a goal, and what there was of the goal before.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The turn, from 1.
    pub turn: usize,
    /// The update, as it is recorded.
    pub record: &'a GoalRecord,
    /// The step of the same goal before this one.
    pub before: Option<Before<'a>>,
}

/// What a goal was before a step.
#[derive(Debug, Clone, Copy)]
pub struct Before<'a> {
    /// The turn that touched it last, from 1.
    pub turn: usize,
    /// Its status since then.
    pub status: Status,
    /// Its code since then.
    pub program: Option<&'a Program>,
}

impl<'a> Step<'a> {
    /// The code of the goal from this step on: its own, or the one it keeps.
    pub fn program(&self) -> Option<&'a Program> {
        let kept = self.before.and_then(|before| before.program);
        self.record.program.as_ref().or(kept)
    }

    /// The draft that this step puts other code in the place of.
    pub fn replaced(&self) -> Option<(&'a Program, &'a Program)> {
        let before = self
            .before
            .filter(|before| before.status == Status::Drafting)?;
        Some((before.program?, self.record.program.as_ref()?))
    }
}

/// Every update of a dialogue, in order. Whether the status rules allow it does not matter.
pub fn steps(conversation: &Conversation) -> Vec<Step<'_>> {
    let mut known: HashMap<u32, Before<'_>> = HashMap::new();
    let mut steps = Vec::new();
    for (index, turn) in conversation.turns.iter().enumerate() {
        for record in &turn.goals {
            let step = Step {
                turn: index + 1,
                record,
                before: known.get(&record.uid).copied(),
            };
            known.insert(
                record.uid,
                Before {
                    turn: step.turn,
                    status: record.status,
                    program: step.program(),
                },
            );
            steps.push(step);
        }
    }
    steps
}
