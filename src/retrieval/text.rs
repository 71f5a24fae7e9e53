//! How alike two utterances are.

use crate::error::Result;
use std::collections::BTreeMap;

/// Compares a text to the texts that it was built from.
pub trait TextSimilarity: Send + Sync {
    /// The similarity to each of them, in their order: 1 is the same, 0 is
    /// nothing in common.
    fn to_all(&self, text: &str) -> Result<Vec<f64>>;
}

/// Texts as bags of words, rare words counting more: the cosine of tf-idf vectors.
///
/// The lexical stand-in for the paper's sentence embeddings; it needs no model.
pub struct TfIdf {
    weights: BTreeMap<String, f64>,
    unseen: f64,
    vectors: Vec<Vector>,
}

/// A vector of length 1, or an empty one.
type Vector = BTreeMap<String, f64>;

impl TfIdf {
    /// Learns the weights of words from these texts.
    pub fn new(texts: &[String]) -> Self {
        let mut document_counts: BTreeMap<String, f64> = BTreeMap::new();
        for text in texts {
            for word in bag(text).into_keys() {
                *document_counts.entry(word).or_default() += 1.0;
            }
        }
        let total = texts.len() as f64;
        let weight = |count: f64| ((1.0 + total) / (1.0 + count)).ln() + 1.0;
        let mut model = TfIdf {
            weights: (document_counts.into_iter())
                .map(|(word, count)| (word, weight(count)))
                .collect(),
            unseen: weight(0.0),
            vectors: Vec::new(),
        };
        model.vectors = texts.iter().map(|text| model.vector(text)).collect();
        model
    }

    fn vector(&self, text: &str) -> Vector {
        let mut vector = bag(text);
        for (word, count) in &mut vector {
            *count *= self.weights.get(word).unwrap_or(&self.unseen);
        }
        let norm = vector.values().map(|x| x * x).sum::<f64>().sqrt();
        vector.values_mut().for_each(|x| *x /= norm);
        vector
    }
}

impl TextSimilarity for TfIdf {
    fn to_all(&self, text: &str) -> Result<Vec<f64>> {
        let query = self.vector(text);
        let product = |vector: &Vector| -> f64 {
            (query.iter())
                .filter_map(|(word, x)| vector.get(word).map(|y| x * y))
                .sum()
        };
        Ok(self.vectors.iter().map(product).collect())
    }
}

/// The words of a text in lower case, with how often each occurs.
fn bag(text: &str) -> BTreeMap<String, f64> {
    let mut bag = BTreeMap::new();
    let words = text.split(|c: char| !c.is_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        *bag.entry(word.to_lowercase()).or_default() += 1.0;
    }
    bag
}
