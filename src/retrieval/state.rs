//! Similarity of program stacks: bags of the operations and exceptions that their drafting
//! programs name. The paper (section 5.1) takes all programs.

use crate::dialogue::{ConversationalException, Goal, Stack, Status};
use crate::domain::Domain;
use std::collections::BTreeMap;

/// The words that count: a domain's operations and the conversational exceptions.
pub struct Keywords(Vec<String>);

/// How often each word occurs.
pub(super) type Counts = BTreeMap<String, f64>;

impl Keywords {
    /// The words of a domain.
    pub fn new(domain: &Domain) -> Self {
        let exceptions = ConversationalException::ALL.map(ConversationalException::name);
        let words = domain.operation_names().chain(exceptions);
        Keywords(words.map(str::to_owned).collect())
    }

    /// Counts the words in the programs of a stack that are still drafting.
    ///
    /// The paper counts the words of all goals. After a few requests, closed goals then
    /// outweigh the open ones, and the examples found for a new request are those with the
    /// same past, whatever they ask for. Without closed goals, the nearest example of a test
    /// turn is of the same kind half as often again (see [`quality`](super::quality)).
    pub(super) fn of_stack(&self, stack: &Stack) -> Counts {
        let mut counts = Counts::new();
        for goal in stack.goals() {
            if goal.status != Status::Drafting {
                continue;
            }
            for (word, count) in self.of_goal(goal) {
                *counts.entry(word).or_default() += count;
            }
        }
        counts
    }

    /// Counts the words of one goal's program.
    pub(super) fn of_goal(&self, goal: &Goal) -> Counts {
        let words = (goal.program.code())
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| self.0.iter().any(|known| known == word));
        let mut counts = Counts::new();
        for word in words {
            *counts.entry(word.to_owned()).or_default() += 1.0;
        }
        counts
    }
}

/// The stacks of many examples as sparse vectors.
#[derive(Default)]
pub(super) struct Stacks {
    /// The number of each word.
    words: BTreeMap<String, usize>,
    bags: Vec<Sparse>,
}

/// The words of a stack by number, with their counts, and the length of the vector.
struct Sparse {
    words: Vec<(usize, f64)>,
    norm: f64,
}

impl Stacks {
    /// Adds the stack of the next example.
    pub(super) fn push(&mut self, counts: Counts) {
        let norm = norm(&counts);
        let mut words = Vec::with_capacity(counts.len());
        for (word, count) in counts {
            let next = self.words.len();
            words.push((*self.words.entry(word).or_insert(next), count));
        }
        self.bags.push(Sparse { words, norm });
    }

    /// The cosine of a stack with each of them. Two stacks without a draft are the same state
    /// (1); a stack without a draft and one with a draft have nothing in common (0).
    pub(super) fn cosines(&self, counts: &Counts) -> Vec<f64> {
        let length = norm(counts);
        let mut here = vec![0.0; self.words.len()];
        for (word, count) in counts {
            let place = self
                .words
                .get(word)
                .and_then(|number| here.get_mut(*number));
            if let Some(place) = place {
                *place = *count;
            }
        }
        let cosine = |there: &Sparse| {
            if counts.is_empty() && there.words.is_empty() {
                return 1.0;
            }
            let product: f64 = (there.words.iter())
                .filter_map(|(word, count)| here.get(*word).map(|n| n * count))
                .sum();
            let norms = length * there.norm;
            if norms == 0.0 { 0.0 } else { product / norms }
        };
        self.bags.iter().map(cosine).collect()
    }
}

fn norm(counts: &Counts) -> f64 {
    counts.values().map(|n| n * n).sum::<f64>().sqrt()
}
