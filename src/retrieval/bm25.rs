//! Utterances compared as bags of words: BM25.

use super::postings::Postings;
use super::text::{Bag, TextSimilarity, Utterances, bag};
use crate::error::Result;

/// How soon further repetitions of a word stop counting.
const K1: f64 = 1.2;

/// How much the length of a turn counts.
const B: f64 = 0.75;

/// Okapi BM25 (Robertson and Zaragoza 2009, with k₁ = 1.2, b = 0.75 and the idf that is
/// never negative). The user's words are weighted as in [`TfIdf`](super::TfIdf).
///
/// A BM25 score has no upper bound. Divided by the score that the query would have
/// against itself it is comparable to a cosine: 1 for the same utterances, 0 for no word in
/// common, and it may go a little above 1 for a turn that repeats the query's words.
pub struct Bm25 {
    rarity: Bag,
    unseen: f64,
    mean_length: f64,
    postings: Postings,
}

impl Bm25 {
    /// Learns from these turns how rare each word is and how long a turn is.
    pub fn new(turns: &[Utterances<'_>]) -> Self {
        let bags: Vec<Bag> = turns.iter().map(bag).collect();
        let mut document_counts = Bag::new();
        for word in bags.iter().flat_map(Bag::keys) {
            *document_counts.entry(word.clone()).or_default() += 1.0;
        }
        let total = turns.len() as f64;
        let rarity = |count: f64| (1.0 + (total - count + 0.5) / (count + 0.5)).ln();
        let length: f64 = bags.iter().flat_map(Bag::values).sum();
        let mut model = Bm25 {
            rarity: (document_counts.into_iter())
                .map(|(word, count)| (word, rarity(count)))
                .collect(),
            unseen: rarity(0.0),
            mean_length: (length / total.max(1.0)).max(1.0),
            postings: Postings::new(Vec::new()),
        };
        let saturated = bags.into_iter().map(|bag| model.saturated(bag)).collect();
        model.postings = Postings::new(saturated);
        model
    }

    /// The weight of each word in a turn, by how often it occurs there.
    fn saturated(&self, mut bag: Bag) -> Bag {
        let length: f64 = bag.values().sum();
        let slope = K1 * (1.0 - B + B * length / self.mean_length);
        for count in bag.values_mut() {
            *count = *count * (K1 + 1.0) / (*count + slope);
        }
        bag
    }

    /// The weight of each word in a query: its rarity, once for each occurrence.
    fn query(&self, bag: &Bag) -> Bag {
        (bag.iter())
            .map(|(word, count)| {
                let rarity = self.rarity.get(word).unwrap_or(&self.unseen);
                (word.clone(), count * rarity)
            })
            .collect()
    }
}

impl TextSimilarity for Bm25 {
    fn name(&self) -> &str {
        "bm25"
    }

    fn to_all(&self, utterances: Utterances<'_>) -> Result<Vec<f64>> {
        let bag = bag(&utterances);
        let query = self.query(&bag);
        let itself = Postings::new(vec![self.saturated(bag)]).products(&query);
        let itself = itself.first().copied().unwrap_or_default();
        let mut scores = self.postings.products(&query);
        if itself > 0.0 {
            scores.iter_mut().for_each(|score| *score /= itself);
        }
        Ok(scores)
    }
}
