//! The search for examples: similarities, embeddings and their cache, and the download of
//! their model.

mod documents;
#[cfg(feature = "minilm")]
mod embeddings;
mod lexical;
mod pull;
mod vectors;
