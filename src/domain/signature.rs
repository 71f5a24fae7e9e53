//! The environment signature: one checksum of a world's state and of what the
//! programs of a turn returned (paper, appendix B; `method.md` made it precise).

use crate::dialogue::Outcome;
use sha2::{Digest, Sha256};
use std::fmt;

/// Collects the canonical byte stream and hashes it on the way.
///
/// The stream is a sequence of fields. A field is one tag byte that says what
/// the field means, the length of the content as eight bytes, big end first,
/// and the content. Nothing else is in the stream, so two different states
/// cannot give the same one.
#[derive(Clone, Default)]
pub struct Signer(Sha256);

impl Signer {
    /// An empty stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends one field. The tag `o` is taken by [`Signer::outcome`];
    /// the others are the domain's to define.
    pub fn field(&mut self, tag: u8, content: &[u8]) {
        let length = content.len() as u64;
        self.0.update([tag]);
        self.0.update(length.to_be_bytes());
        self.0.update(content);
    }

    /// Appends the outcome of a program: the canonical JSON (RFC 8785) of
    /// `{"result": …}` or `{"error": code-or-class}`. An error's message is left
    /// out, because it varies between servers.
    pub fn outcome(&mut self, outcome: &Outcome) {
        let json = match outcome {
            Outcome::Result(value) => serde_json::json!({ "result": value }),
            Outcome::Error(error) => serde_json::json!({ "error": error.error }),
        };
        let canonical =
            serde_json_canonicalizer::to_vec(&json).expect("a JSON value has a canonical form");
        self.field(b'o', &canonical);
    }

    /// The signature of what was appended so far.
    pub fn signature(&self) -> Signature {
        Signature(self.0.clone().finalize().into())
    }
}

/// An environment signature: 32 bytes, shown as their first 8 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signature(pub [u8; 32]);

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..4]
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({self})")
    }
}
