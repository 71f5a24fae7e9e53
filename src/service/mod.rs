//! Conversations as a library: what every front end goes through.

mod stored;

pub use stored::{Start, StoredSession};
