//! What finds examples: similarities, embeddings and where they are kept, and how their
//! model gets to this machine.

#[cfg(feature = "minilm")]
mod embeddings;
mod lexical;
mod pull;
mod vectors;
