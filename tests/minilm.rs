//! Sentence embeddings, which only a build with the feature `minilm` has. A binary of its own, because
//! that build would make the one of all other tests anew.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "retrieval/embeddings.rs"]
mod embeddings;
#[path = "support"]
mod support {
    pub mod tools;
}
