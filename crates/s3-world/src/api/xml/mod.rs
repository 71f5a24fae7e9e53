//! XML documents of the API.

mod read;
mod write;

pub use read::Strictness;
pub(super) use read::{read, text_of_root};
pub use write::{Unknown, elements};
pub(super) use write::{document, text_document};

/// The namespace of S3's documents. Errors have none.
pub const NAMESPACE: &str = "http://s3.amazonaws.com/doc/2006-03-01/";
