//! How alike the utterances of two turns are.

use crate::error::Result;
use std::collections::BTreeMap;

/// R_{t-1} and U_t of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utterances<'a> {
    /// What the agent had said.
    pub said: &'a str,
    /// What the user said.
    pub user: &'a str,
}

/// Compares the utterances of a turn to those of the turns that it was built from.
pub trait TextSimilarity: Send + Sync {
    /// The similarity to each of them, in their order: 1 is the same, 0 is
    /// nothing in common.
    fn to_all(&self, utterances: Utterances<'_>) -> Result<Vec<f64>>;
}

/// The user's words count this many times: what the agent said is often the
/// same, and often long.
const USER_WEIGHT: f64 = 3.0;

/// What stands for every name of a thing: one file name is like another.
const NAME: &str = "<name>";

/// Utterances as bags of words, rare words counting more: the cosine of tf-idf
/// vectors.
///
/// The lexical stand-in for the paper's sentence embeddings; it needs no model.
pub struct TfIdf {
    weights: BTreeMap<String, f64>,
    unseen: f64,
    vectors: Vec<Bag>,
}

/// Words, with how often each occurs or how much it weighs.
type Bag = BTreeMap<String, f64>;

impl TfIdf {
    /// Learns the weights of words from these turns.
    pub fn new(turns: &[Utterances<'_>]) -> Self {
        let mut document_counts = Bag::new();
        for turn in turns {
            for word in bag(turn).into_keys() {
                *document_counts.entry(word).or_default() += 1.0;
            }
        }
        let total = turns.len() as f64;
        let weight = |count: f64| ((1.0 + total) / (1.0 + count)).ln() + 1.0;
        let mut model = TfIdf {
            weights: (document_counts.into_iter())
                .map(|(word, count)| (word, weight(count)))
                .collect(),
            unseen: weight(0.0),
            vectors: Vec::new(),
        };
        model.vectors = turns.iter().map(|turn| model.vector(turn)).collect();
        model
    }

    /// A vector of length 1; an empty one where nothing was said.
    fn vector(&self, turn: &Utterances<'_>) -> Bag {
        let mut vector = bag(turn);
        for (word, count) in &mut vector {
            *count *= self.weights.get(word).unwrap_or(&self.unseen);
        }
        let norm = vector.values().map(|x| x * x).sum::<f64>().sqrt();
        vector.values_mut().for_each(|x| *x /= norm);
        vector
    }
}

impl TextSimilarity for TfIdf {
    fn to_all(&self, utterances: Utterances<'_>) -> Result<Vec<f64>> {
        let query = self.vector(&utterances);
        let product = |vector: &Bag| -> f64 {
            (query.iter())
                .filter_map(|(word, x)| vector.get(word).map(|y| x * y))
                .sum()
        };
        Ok(self.vectors.iter().map(product).collect())
    }
}

fn bag(turn: &Utterances<'_>) -> Bag {
    let mut bag = Bag::new();
    for (text, weight) in [(turn.said, 1.0), (turn.user, USER_WEIGHT)] {
        for word in words(text) {
            *bag.entry(word).or_default() += weight;
        }
    }
    bag
}

/// The words in lower case. What stands in double quotes, and what is spelt like
/// the name of a thing (`land_animals/bat.txt`, `zoology-bucket`), is one [`NAME`].
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    // A quote that is not closed begins no name.
    let parts: Vec<&str> = text.split('"').collect();
    for (index, part) in parts.iter().enumerate() {
        if index % 2 == 1 && index + 1 < parts.len() {
            words.push(NAME.to_owned());
            continue;
        }
        for token in part.split_whitespace() {
            let token = token.trim_matches(|c: char| !c.is_alphanumeric());
            if token.contains(['/', '_', '.', '-']) {
                words.push(NAME.to_owned());
            } else {
                let parts = token.split(|c: char| !c.is_alphanumeric());
                words.extend(parts.filter(|word| !word.is_empty()).map(str::to_lowercase));
            }
        }
    }
    words
}
