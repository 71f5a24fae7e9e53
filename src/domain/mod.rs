//! The environments of programs: a [`Domain`] is a kind of environment, and a [`World`] is one live
//! state of it.
//!
//! A new built-in domain is a folder here, a page in `api-docs/`, a folder in `datasets/`
//! and one line in [`domains`]. Nothing in `agent`, `exec` or `llm` changes. The decision games are
//! domains that [`games`](crate::games) makes of their stubs.

pub mod s3;

pub use dialog2api_core::domain::*;
/// The type that the ending of a name stands for.
pub(crate) use s3::world::content_type;

use std::sync::Arc;

/// The domains that come with the program. The first is the default.
pub fn domains() -> Vec<Arc<Domain>> {
    std::iter::once(s3::S3.clone())
        .chain(crate::games::domains())
        .collect()
}

/// The domain of this name that comes with the program.
pub fn named(name: &str) -> Option<Arc<Domain>> {
    domains().into_iter().find(|domain| domain.name == name)
}
