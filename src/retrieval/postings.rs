//! An inverted index from words to turns, so that turns without a common word cost nothing.

use super::text::Bag;
use std::collections::BTreeMap;

/// For each word, the turns that have it and its weight in each.
pub(super) struct Postings {
    words: BTreeMap<String, Vec<(usize, f64)>>,
    turns: usize,
}

impl Postings {
    /// The index of these turns.
    pub(super) fn new(turns: Vec<Bag>) -> Self {
        let count = turns.len();
        let mut words: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        for (turn, bag) in turns.into_iter().enumerate() {
            for (word, weight) in bag {
                words.entry(word).or_default().push((turn, weight));
            }
        }
        Postings {
            words,
            turns: count,
        }
    }

    /// The dot product of the query with each turn.
    pub(super) fn products(&self, query: &Bag) -> Vec<f64> {
        let mut products = vec![0.0; self.turns];
        for (word, weight) in query {
            for (turn, there) in self.words.get(word).into_iter().flatten() {
                if let Some(product) = products.get_mut(*turn) {
                    *product += weight * there;
                }
            }
        }
        products
    }
}
