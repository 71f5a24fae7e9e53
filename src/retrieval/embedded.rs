//! Utterances compared by what they mean: the cosine of sentence embeddings.

use super::text::{TextSimilarity, Utterances, masked};
use super::vectors::Vectors;
use crate::error::Result;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Makes vectors of sentences: near each other where the sentences mean the same.
pub trait Embedder: Send + Sync {
    /// For logs and reports: `minilm`.
    fn name(&self) -> &str;

    /// Names the exact model, so that vectors of another one are never taken for its.
    fn digest(&self) -> &str;

    /// How many numbers a vector has.
    fn width(&self) -> usize;

    /// The vector of a sentence, of length 1.
    fn embed(&self, text: &str) -> Result<Vec<f32>>;
}

/// What becomes of the names of buckets and objects before a text is embedded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Names {
    /// They are embedded as they are, as in the paper.
    Kept,
    /// A plain word stands for each: else a name weighs as much as what is done to it.
    /// `cargo bench --bench retrieval -- --names` compares the two.
    #[default]
    Masked,
}

/// Utterances as sentence embeddings, all in one block of memory: an exact search over
/// 10,000 is a matter of a millisecond or two, and needs no index.
pub struct Embedded {
    embedder: Arc<dyn Embedder>,
    names: Names,
    /// The vectors of the turns, one after the other.
    vectors: Vec<f32>,
    /// The queries of late: a turn asks twice, and a second run asks the same.
    recent: Mutex<HashMap<String, Vec<f32>>>,
}

/// More queries than this are not remembered.
const RECENT: usize = 1024;

impl Embedded {
    /// Embeds these turns. What is in the cache is not computed again; what is computed
    /// goes there.
    pub fn new(
        embedder: Arc<dyn Embedder>,
        names: Names,
        turns: &[Utterances<'_>],
        cache: Option<&Vectors>,
    ) -> Result<Self> {
        let mut known = cache.map(Vectors::read).unwrap_or_default();
        let mut fresh = Vec::new();
        let mut vectors = Vec::with_capacity(turns.len() * embedder.width());
        for turn in turns {
            vectors.extend(names.embedded(turn, &mut |text| {
                if let Some(vector) = known.get(&Vectors::key(text)) {
                    return Ok(vector.clone());
                }
                let vector = embedder.embed(text)?;
                known.insert(Vectors::key(text), vector.clone());
                fresh.push((Vectors::key(text), vector.clone()));
                Ok(vector)
            })?);
        }
        if let Some(cache) = cache {
            // A cache that cannot be written costs time at the next start, nothing else.
            let _ = cache.append(&fresh);
        }
        Ok(Embedded {
            embedder,
            names,
            vectors,
            recent: Mutex::default(),
        })
    }

    /// The vector of a text, remembered.
    fn query(&self, text: &str) -> Result<Vec<f32>> {
        let lock = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(vector) = lock().get(text) {
            return Ok(vector.clone());
        }
        let vector = self.embedder.embed(text)?;
        let mut recent = lock();
        if recent.len() >= RECENT {
            recent.clear();
        }
        recent.insert(text.to_owned(), vector.clone());
        Ok(vector)
    }
}

impl TextSimilarity for Embedded {
    fn name(&self) -> &str {
        self.embedder.name()
    }

    fn to_all(&self, utterances: Utterances<'_>) -> Result<Vec<f64>> {
        let query = (self.names).embedded(&utterances, &mut |text| self.query(text))?;
        let vectors = self.vectors.chunks_exact(self.embedder.width().max(1));
        Ok(vectors
            .map(|vector| f64::from(dot(&query, vector)))
            .collect())
    }
}

/// The most of what the agent said that is embedded with what the user said, in
/// characters: a model reads only so much, and the user's words come last.
const SAID: usize = 500;

impl Names {
    /// The vector of a turn, of length 1: of both utterances as one text.
    fn embedded(
        self,
        turn: &Utterances<'_>,
        embed: &mut dyn FnMut(&str) -> Result<Vec<f32>>,
    ) -> Result<Vec<f32>> {
        match self {
            Names::Kept => embed(&format!("{} {}", end(turn.said, SAID), turn.user)),
            Names::Masked => {
                let (said, user) = (masked(turn.said), masked(turn.user));
                embed(&format!("{} {user}", end(&said, SAID)))
            }
        }
    }
}

/// The last characters of a text, at most so many.
fn end(text: &str, most: usize) -> &str {
    match text.char_indices().rev().nth(most.saturating_sub(1)) {
        Some((start, _)) => text.get(start..).unwrap_or(text),
        None => text,
    }
}

/// Makes the length 1; nothing stays nothing.
#[cfg(feature = "minilm")]
pub(super) fn normalize(vector: &mut [f32]) {
    let norm = dot(vector, vector).sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}

/// The product of two vectors, summed in an order that a compiler can do eight at a time
/// and that is the same on every machine.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0f32; LANES];
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = (a.remainder().iter().zip(b.remainder()))
        .map(|(x, y)| x * y)
        .sum();
    for (a, b) in a.zip(b) {
        for ((sum, x), y) in sums.iter_mut().zip(a).zip(b) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f32>() + rest
}
