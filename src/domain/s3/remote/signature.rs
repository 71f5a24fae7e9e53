//! How the state of a server is read, and how far that has come.

use crate::error::Error;
use std::fmt;
use std::sync::Arc;

/// What stands for the content of an object in the state of a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SignatureMode {
    /// The sha256 of the content: every object is read. Comparable with every world.
    #[default]
    Content,
    /// The ETag of the listing: nothing is read. See [`SignatureMode::blind_spots`].
    Etag,
}

impl SignatureMode {
    /// What a signature of this kind cannot see, for people; `None` where it sees all.
    pub fn blind_spots(self) -> Option<&'static str> {
        match self {
            SignatureMode::Content => None,
            SignatureMode::Etag => Some(
                "this signature is of ETags: it does not see content that changed under an equal \
                 ETag, and equal content that was uploaded in parts or encrypted with KMS has \
                 other ETags; compare it only with --signature etag of the same server, not with \
                 other servers or worlds of other kinds",
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
            _ => Err(Error::Usage(format!(
                "there is no signature of {text:?}: content (reads every object) or etag (reads \
                 none)"
            ))),
        }
    }
}

/// How far the reading of a state has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureProgress {
    /// Objects listed, and once all are, objects read.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects and bytes in all, once everything is listed.
    pub of: Option<(u64, u64)>,
}

/// Hears how far the reading of a state has come: called after each page of a listing
/// and after each piece of an object, from whatever thread reads, so it must be quick.
#[derive(Clone)]
pub struct Watch(Arc<dyn Fn(SignatureProgress) + Send + Sync>);

impl Watch {
    /// One that tells this function.
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
    /// The same function, not one that does the same.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Watch {}
