//! The similarities of utterances to choose from.

use super::{Bm25, TextSimilarity, TfIdf, Utterances};
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A similarity of utterances by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The cosine of tf-idf vectors.
    TfIdf,
    /// Okapi BM25.
    Bm25,
    /// The cosine of sentence embeddings of all-MiniLM-L6-v2.
    MiniLm,
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "tfidf" => Ok(Measure::TfIdf),
            "bm25" => Ok(Measure::Bm25),
            "minilm" => Ok(Measure::MiniLm),
            _ => Err(Error::usage(format!(
                "utterances are compared by tfidf, bm25 or minilm, not {text:?}"
            ))),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Measure::TfIdf => "tfidf",
            Measure::Bm25 => "bm25",
            Measure::MiniLm => "minilm",
        })
    }
}

/// A similarity of utterances, with everything it needs.
#[derive(Clone, Default)]
pub enum Similarity {
    /// The cosine of tf-idf vectors.
    TfIdf,
    /// Okapi BM25, which needs no model.
    #[default]
    Bm25,
    /// The cosine of sentence embeddings.
    Embeddings {
        /// The model.
        embedder: std::sync::Arc<dyn super::Embedder>,
        /// The treatment of names.
        names: super::Names,
        /// The cache of vectors.
        cache: Option<super::Vectors>,
    },
}

impl Similarity {
    /// The similarity to these turns.
    ///
    /// # Errors
    /// The embedder failed.
    pub fn of(&self, turns: &[Utterances<'_>]) -> Result<Box<dyn TextSimilarity>> {
        Ok(match self {
            Similarity::TfIdf => Box::new(TfIdf::new(turns)),
            Similarity::Bm25 => Box::new(Bm25::new(turns)),
            Similarity::Embeddings {
                embedder,
                names,
                cache,
            } => Box::new(super::Embedded::new(
                embedder.clone(),
                *names,
                turns,
                cache.as_ref(),
            )?),
        })
    }

    /// The name for logs and reports: `minilm`, `bm25`, `tfidf`.
    pub fn name(&self) -> &str {
        match self {
            Similarity::TfIdf => "tfidf",
            Similarity::Bm25 => "bm25",
            Similarity::Embeddings { embedder, .. } => embedder.name(),
        }
    }
}
