//! The rules that an update of the stack can break.

use super::Status;
use std::collections::BTreeSet;

/// A rule that an update breaks. `Display` is a sentence that a model can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The goal is final or abandoned, so it cannot change any more.
    #[error(
        "goal {uid} is {status} and can not change any more; \
         for a new wish start a new goal, such as uid=\"{free}\""
    )]
    Closed {
        /// The goal.
        uid: u32,
        /// `final` or `abandoned`.
        status: Status,
        /// A number for a new goal.
        free: u32,
    },
    /// A goal with a placeholder was made final.
    #[error(
        "goal {uid} can not be final: its program still has {}; \
         fill in what the user said, or keep the status \"drafting\" until it is known",
        placeholder_list(placeholders)
    )]
    PlaceholderLeft {
        /// The goal.
        uid: u32,
        /// The numbers of its placeholders.
        placeholders: BTreeSet<u32>,
    },
    /// A goal without code was made final.
    #[error(
        "goal {uid} can not be final: its program is empty; \
         write the code, or make the goal \"abandoned\""
    )]
    EmptyFinal {
        /// The goal.
        uid: u32,
    },
    /// A new goal has no program.
    #[error(
        "goal {uid} is not on the stack, so it needs a program; \
         write one, or use the uid of a goal that is on the stack"
    )]
    NewWithoutProgram {
        /// The goal.
        uid: u32,
    },
    /// A new goal was abandoned at once.
    #[error(
        "goal {uid} is not on the stack, so it can not be abandoned; \
         a goal starts as \"drafting\" or \"final\""
    )]
    NewAbandoned {
        /// The goal.
        uid: u32,
    },
    /// Two updates of one turn name the same goal.
    #[error("goal {uid} is updated more than once in this turn; write it once, as it is to be")]
    Twice {
        /// The goal.
        uid: u32,
    },
}

fn placeholder_list(placeholders: &BTreeSet<u32>) -> String {
    let names: Vec<String> = placeholders.iter().map(|n| format!("?{n}")).collect();
    let word = if names.len() == 1 {
        "the placeholder"
    } else {
        "the placeholders"
    };
    format!("{word} {}", names.join(", "))
}
