//! The search for examples: similarities, vectors and their cache, and the download of the model of
//! embeddings. What that says is tested by `minilm.rs`.

mod documents;
mod lexical;
mod pull;
mod vectors;
