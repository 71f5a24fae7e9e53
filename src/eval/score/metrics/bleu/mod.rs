//! BLEU of the responses, equal to sacrebleu's corpus BLEU with its default settings:
//! tokenizer 13a, exponential smoothing, case kept, one reference.

mod tokenize;

pub use tokenize::tokenize;

use super::{Metric, Sums, Unit};
use crate::eval::score::sheet::Runs;
use std::collections::HashMap;

/// BLEU, 0 to 100, of what the agent says against what it truly says.
pub struct Bleu;

impl Metric for Bleu {
    fn name(&self) -> String {
        "bleu".to_owned()
    }

    fn title(&self) -> String {
        "BLEU of responses".to_owned()
    }

    fn unit(&self) -> Unit {
        Unit::Points
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        let mut counts = BleuCounts::default();
        let mut any = false;
        for log in runs.turns() {
            if let Some(truth) = &log.truth.response {
                any = true;
                // A plain reply is the agent's own summary, so the model's hypothesis is empty.
                let said = if log.plain { "" } else { &log.response };
                counts.add(&BleuCounts::of(said, truth));
            }
        }
        any.then(|| counts.sums())
    }

    fn figure(&self, sums: &[f64]) -> Option<f64> {
        BleuCounts::from_sums(sums).map(|counts| counts.bleu())
    }
}

/// The longest n-grams.
const ORDER: usize = 4;

/// The counts that BLEU depends on; those of segments add up to those of their corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BleuCounts {
    /// Tokens of the hypotheses.
    hypothesis: u64,
    /// Tokens of the references.
    reference: u64,
    /// n-grams of the hypotheses that the references have too, by n − 1.
    correct: [u64; ORDER],
    /// n-grams of the hypotheses, by n − 1.
    total: [u64; ORDER],
}

impl BleuCounts {
    /// The counts of one segment.
    pub fn of(hypothesis: &str, reference: &str) -> Self {
        let (hypothesis, reference) = (tokenize(hypothesis), tokenize(reference));
        let mut counts = BleuCounts {
            hypothesis: hypothesis.len() as u64,
            reference: reference.len() as u64,
            ..BleuCounts::default()
        };
        let mut words = Words::default();
        let (hypothesis, reference) = (words.numbers(&hypothesis), words.numbers(&reference));
        for n in 1..=ORDER {
            let (said, right) = (ngrams(&hypothesis, n), ngrams(&reference, n));
            counts.total[n - 1] = said.len() as u64;
            counts.correct[n - 1] = common(&said, &right);
        }
        counts
    }

    /// Adds the counts of another part of the corpus.
    pub fn add(&mut self, other: &BleuCounts) {
        self.hypothesis += other.hypothesis;
        self.reference += other.reference;
        for (sum, more) in self.correct.iter_mut().zip(other.correct) {
            *sum += more;
        }
        for (sum, more) in self.total.iter_mut().zip(other.total) {
            *sum += more;
        }
    }

    /// BLEU, 0 to 100.
    pub fn bleu(&self) -> f64 {
        if self.correct.iter().all(|correct| *correct == 0) {
            return 0.0;
        }
        let mut logarithms = 0.0;
        let mut smoothing = 1.0;
        for (correct, total) in self.correct.iter().zip(self.total) {
            if total == 0 {
                // No hypothesis has this many tokens. sacrebleu takes the logarithm of 0 here,
                // which makes its BLEU 0.
                return 0.0;
            }
            let precision = if *correct == 0 {
                smoothing *= 2.0;
                100.0 / (smoothing * total as f64)
            } else {
                100.0 * *correct as f64 / total as f64
            };
            logarithms += precision.ln();
        }
        let brevity = if self.hypothesis < self.reference {
            (1.0 - self.reference as f64 / self.hypothesis as f64).exp()
        } else {
            1.0
        };
        brevity * (logarithms / ORDER as f64).exp()
    }

    /// As numbers that add up: counts are far below 2⁵³, so that none is rounded.
    fn sums(&self) -> Sums {
        let lengths = [self.hypothesis, self.reference].into_iter();
        let counts = lengths.chain(self.correct).chain(self.total);
        counts.map(|count| count as f64).collect()
    }

    fn from_sums(sums: &[f64]) -> Option<Self> {
        let [hypothesis, reference, c1, c2, c3, c4, t1, t2, t3, t4] =
            <[f64; 2 + 2 * ORDER]>::try_from(sums)
                .ok()?
                .map(|count| count as u64);
        Some(BleuCounts {
            hypothesis,
            reference,
            correct: [c1, c2, c3, c4],
            total: [t1, t2, t3, t4],
        })
    }
}

/// A number for each token of a segment, the same for the same token.
#[derive(Default)]
struct Words<'a>(HashMap<&'a str, u32>);

impl<'a> Words<'a> {
    fn numbers(&mut self, tokens: &'a [String]) -> Vec<u32> {
        let number = |token: &'a String| {
            let next = self.0.len() as u32;
            *self.0.entry(token).or_insert(next)
        };
        tokens.iter().map(number).collect()
    }
}

/// The n-grams of at most [`ORDER`] tokens, each as one number, sorted.
fn ngrams(tokens: &[u32], n: usize) -> Vec<u128> {
    let number = |tokens: &[u32]| {
        tokens
            .iter()
            .fold(0, |all, one| all << 32 | u128::from(*one))
    };
    let mut ngrams: Vec<u128> = tokens.windows(n).map(number).collect();
    ngrams.sort_unstable();
    ngrams
}

/// How many elements two sorted lists have in common, each as often as both have it.
fn common(one: &[u128], other: &[u128]) -> u64 {
    let mut other = other.iter().peekable();
    let is_in_other = |ngram: &&u128| {
        while other.next_if(|it| it < ngram).is_some() {}
        other.next_if(|it| it == ngram).is_some()
    };
    one.iter().filter(is_in_other).count() as u64
}
