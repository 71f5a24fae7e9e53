//! Utterances compared as bags of words: tf-idf.

use super::postings::Postings;
use super::text::{Bag, TextSimilarity, Utterances, bag};
use crate::error::Result;

/// Utterances as bags of words, rare words counting more: the cosine of tf-idf
/// vectors.
///
/// A lexical stand-in for the paper's sentence embeddings; it needs no model.
pub struct TfIdf {
    weights: Bag,
    unseen: f64,
    postings: Postings,
}

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
            postings: Postings::new(Vec::new()),
        };
        let vectors = turns.iter().map(|turn| model.vector(turn)).collect();
        model.postings = Postings::new(vectors);
        model
    }

    /// A vector of length 1; an empty one if nothing was said.
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
    fn name(&self) -> &str {
        "tfidf"
    }

    fn to_all(&self, utterances: Utterances<'_>) -> Result<Vec<f64>> {
        Ok(self.postings.products(&self.vector(&utterances)))
    }
}
