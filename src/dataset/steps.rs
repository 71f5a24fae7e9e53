//! A dialogue as the history of its goals.

use crate::dialogue::{GoalRecord, Program, Status, Transcript};
use std::collections::HashMap;

/// One update of a goal, and the goal before it.
#[derive(Debug, Clone, Copy)]
pub struct GoalStep<'a> {
    /// The turn, from 1.
    pub turn: usize,
    /// The update, as it is recorded.
    pub record: &'a GoalRecord,
    /// The step of the same goal before this one.
    pub before: Option<Before<'a>>,
}

/// A goal before a step.
#[derive(Debug, Clone, Copy)]
pub struct Before<'a> {
    /// The turn that touched it last, from 1.
    pub turn: usize,
    /// Its status since then.
    pub status: Status,
    /// Its code since then.
    pub program: Option<&'a Program>,
}

impl<'a> GoalStep<'a> {
    /// The code of the goal after this step: new, or kept from before.
    pub fn program(&self) -> Option<&'a Program> {
        let kept = self.before.and_then(|before| before.program);
        self.record.program.as_ref().or(kept)
    }

    /// The draft that this step replaces, and its new code.
    pub fn replaced(&self) -> Option<(&'a Program, &'a Program)> {
        let before = self
            .before
            .filter(|before| before.status == Status::Drafting)?;
        Some((before.program?, self.record.program.as_ref()?))
    }
}

/// Every update of a dialogue, in order, whether the status rules allow it or not.
pub fn steps(transcript: &Transcript) -> Vec<GoalStep<'_>> {
    let mut known: HashMap<u32, Before<'_>> = HashMap::new();
    let mut steps = Vec::new();
    for (index, turn) in transcript.turns.iter().enumerate() {
        for record in &turn.goals {
            let step = GoalStep {
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
