//! How the state of a server is read, and the progress of reading it.

use crate::error::Error;
use std::fmt;
use std::sync::Arc;

/// Which property of an object's content a signature covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SignatureMode {
    /// The SHA-256 of the content. Every object is read. Comparable with signatures of
    /// all worlds.
    #[default]
    Content,
    /// The ETag in the listing. No object is read. See [`SignatureMode::blind_spots`].
    Etag,
}

impl SignatureMode {
    /// A sentence about changes that a signature of this kind cannot see; `None` if it
    /// sees all.
    pub fn blind_spots(self) -> Option<&'static str> {
        match self {
            SignatureMode::Content => None,
            SignatureMode::Etag => Some(
                "this signature is of ETags: it does not see content that changed under an equal \
                 ETag, and equal content that was uploaded in parts or encrypted with KMS has \
                 other ETags; it does not see tags, settings and older versions; compare it only \
                 with --signature etag of the same server, not with other servers or worlds of \
                 other kinds",
            ),
        }
    }
}

impl std::str::FromStr for SignatureMode {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "content" => Ok(SignatureMode::Content),
            "etag" => Ok(SignatureMode::Etag),
            _ => Err(Error::usage(format!(
                "there is no signature of {text:?}: content (reads every object) or etag (reads \
                 none)"
            ))),
        }
    }
}

/// The progress of reading a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureProgress {
    /// The objects listed; once all are listed, the objects read.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The total of objects and bytes, once all are listed.
    pub of: Option<(u64, u64)>,
}

/// Receives the progress of reading a state. It is called after each page of a listing and
/// each piece of an object, from any thread, so it must be quick.
#[derive(Clone)]
pub struct Watch(Arc<dyn Fn(SignatureProgress) + Send + Sync>);

impl Watch {
    /// A watch that calls this function.
    pub fn new(tell: impl Fn(SignatureProgress) + Send + Sync + 'static) -> Self {
        Watch(Arc::new(tell))
    }

    pub(super) fn tell(&self, progress: SignatureProgress) {
        (self.0)(progress);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch(…)")
    }
}

impl PartialEq for Watch {
    /// Whether both call the same function object.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Watch {}
