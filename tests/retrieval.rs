//! What finds examples: similarities, embeddings and where they are kept, and how their
//! model gets to this machine.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "retrieval/embeddings.rs"]
#[cfg(feature = "minilm")]
mod embeddings;
#[path = "retrieval/lexical.rs"]
mod lexical;
#[path = "retrieval/pull.rs"]
mod pull;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "support/scripted_http.rs"]
mod scripted_http;
#[path = "retrieval/vectors.rs"]
mod vectors;
