//! What an apply has come to.

use super::memory::Memory;
use super::order::Order;
use super::{Applied, Apply, End, Step};
use std::collections::BTreeMap;

/// What an apply has come to.
pub(super) struct Progress {
    pub memory: Memory,
    pub order: Order,
    pub steps: BTreeMap<usize, Step>,
    /// Why it ends, from each write that was not made.
    pub ends: Vec<End>,
    /// How many writes are begun and have not come to an end.
    pub begun: usize,
}

impl Progress {
    pub fn of(apply: &Apply<'_>) -> Progress {
        let mut progress = Progress {
            memory: Memory::of(apply.planning, apply.writes),
            order: Order::of(apply.planning, apply.writes),
            steps: BTreeMap::new(),
            ends: Vec::new(),
            begun: 0,
        };
        for step in &apply.earlier.made {
            progress.made(apply, step.clone());
        }
        progress
    }

    pub fn made(&mut self, apply: &Apply<'_>, step: Step) {
        if let Some(write) = apply.writes.get(step.number) {
            if !apply.planning.is_local(write) {
                self.memory.asked.forget();
            }
            self.memory.note(write, &step);
            self.order.made(step.number);
            self.steps.insert(step.number, step);
        }
    }

    /// What it comes to where no more is done.
    pub fn applied(self, of: usize) -> Applied {
        let unknown = |end: &&End| matches!(end, End::Unknown(_));
        let in_doubt = self.begun + self.ends.iter().filter(unknown).count();
        let end = self.ends.into_iter().reduce(graver);
        let end = end.unwrap_or(match self.steps.len() < of {
            true => End::Stopped,
            false => End::Whole,
        });
        Applied {
            steps: self.steps.into_values().collect(),
            end,
            in_doubt,
        }
    }
}

/// Of two ends the one that people must know of first; of equal ones the first.
fn graver(one: End, other: End) -> End {
    let grave = |end: &End| match end {
        End::Whole => 0,
        End::Stopped => 1,
        End::Drifted(_) => 2,
        End::Refused(_) => 3,
        End::Failed(_) => 4,
        End::Unknown(_) => 5,
    };
    match grave(&other) > grave(&one) {
        true => other,
        false => one,
    }
}
