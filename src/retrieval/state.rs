//! How alike two program stacks are: bags of the operations and exceptions
//! that they name (paper, section 5.1).

use crate::dialogue::{Goal, Outcome, Stack};
use crate::domain::Domain;
use std::collections::BTreeMap;

/// The exceptions that a program raises to say that there is nothing to run
/// (paper, appendix C).
pub const CONVERSATIONAL_EXCEPTIONS: [&str; 6] = [
    "OutOfScopeRequestError",
    "AmbiguousRequestError",
    "ChitChat",
    "FAQ",
    "OverSpecificationError",
    "EndDialog",
];

/// The words that count: a domain's operations and the conversational exceptions.
pub struct Keywords(Vec<&'static str>);

/// How often each word occurs.
pub(super) type Counts = BTreeMap<String, f64>;

impl Keywords {
    /// The words of a domain.
    pub fn new(domain: &dyn Domain) -> Self {
        let operations = domain.operations().iter().copied();
        Keywords(operations.chain(CONVERSATIONAL_EXCEPTIONS).collect())
    }

    /// Counts the words in the programs of a stack, and the names of the errors
    /// that they ended with.
    pub(super) fn counts(&self, stack: &Stack) -> Counts {
        let mut counts = Counts::new();
        for goal in stack.goals() {
            for (word, count) in self.of_goal(goal) {
                *counts.entry(word).or_default() += count;
            }
        }
        counts
    }

    /// Counts the words of one goal.
    pub(super) fn of_goal(&self, goal: &Goal) -> Counts {
        let words = (goal.program.code())
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| self.0.contains(word));
        let raised = match &goal.outcome {
            Some(Outcome::Error(error)) => Some(error.error.as_str()),
            _ => None,
        };
        let mut counts = Counts::new();
        for word in words.chain(raised) {
            *counts.entry(word.to_owned()).or_default() += 1.0;
        }
        counts
    }
}

/// The cosine of two bags. Two empty ones are the same state, hence 1; an empty
/// one and another have nothing in common.
pub(super) fn cosine(a: &Counts, b: &Counts) -> f64 {
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    let norm = |counts: &Counts| counts.values().map(|n| n * n).sum::<f64>().sqrt();
    let product: f64 = (a.iter())
        .filter_map(|(word, n)| b.get(word).map(|m| n * m))
        .sum();
    let norms = norm(a) * norm(b);
    if norms == 0.0 { 0.0 } else { product / norms }
}
