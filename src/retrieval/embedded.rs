//! Similarity by meaning: the cosine of sentence embeddings.

use super::text::{TextSimilarity, Utterances, masked};
use super::vectors::Vectors;
use crate::error::Result;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Turns sentences into vectors that are close to each other if the meanings are.
pub trait Embedder: Send + Sync {
    /// The name for logs and reports: `minilm`.
    fn name(&self) -> &str;

    /// The digest of the exact model. It keeps cached vectors of different models apart.
    fn digest(&self) -> &str;

    /// The number of components of a vector.
    fn width(&self) -> usize;

    /// The vector of a sentence, of length 1.
    ///
    /// # Errors
    /// The model cannot be read or run.
    fn embed(&self, text: &str) -> Result<Vec<f32>>;
}

/// The treatment of names of buckets and objects before a text is embedded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Names {
    /// Names are embedded as they are, as in the paper.
    Kept,
    /// Each name is replaced by a plain word. Otherwise it weighs as much as the request.
    /// `cargo bench --bench retrieval -- --names` compares the two.
    #[default]
    Masked,
}

/// Utterances as sentence embeddings, in one block of memory. An exact search over 10,000
/// takes a millisecond or two, so there is no index.
pub struct Embedded {
    embedder: Arc<dyn Embedder>,
    names: Names,
    /// The vectors of the turns, one after the other.
    vectors: Vec<f32>,
    /// Vectors of recent queries: a second run asks the same.
    recent: Mutex<HashMap<String, Vec<f32>>>,
}

/// The most queries that are remembered.
const RECENT: usize = 1024;

impl Embedded {
    /// Embeds these turns. Vectors in the cache are not computed again, and new ones are
    /// added to it.
    ///
    /// # Errors
    /// The embedder failed.
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
            // Without the cache, only the next start takes longer.
            let _ = cache.append(&fresh);
        }
        Ok(Embedded {
            embedder,
            names,
            vectors,
            recent: Mutex::default(),
        })
    }

    /// The vector of a text, from memory if it is recent.
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

/// The most characters of the agent's words that are embedded with the user's. The model
/// reads a limited number of tokens, and the user's words come last.
const SAID: usize = 500;

impl Names {
    /// The vector of both utterances of a turn as one text, of length 1.
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

/// The last `most` characters of a text.
fn end(text: &str, most: usize) -> &str {
    match text.char_indices().rev().nth(most.saturating_sub(1)) {
        Some((start, _)) => text.get(start..).unwrap_or(text),
        None => text,
    }
}

/// Scales a vector to length 1; a zero vector stays as it is.
#[cfg(feature = "minilm")]
pub(super) fn normalize(vector: &mut [f32]) {
    let norm = dot(vector, vector).sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}

/// The dot product of two vectors. The order of summation can be vectorised and is the same
/// on every machine.
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
