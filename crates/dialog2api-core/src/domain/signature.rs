//! The environment signature: one checksum of a world's state and of what the
//! programs of a turn returned (paper, appendix B; `method.md` made it precise).

use super::exact_json;
use crate::dialogue::Outcome;
use sha2::{Digest, Sha256};
use std::fmt;

/// Collects the canonical byte stream and hashes it on the way.
///
/// # The stream
///
/// What follows is normative: who follows it in another language gets the same
/// signatures. `tests/signature/vectors.json` has states and outcomes with their
/// streams and signatures, `tests/signature/reference.py` is a second implementation.
///
/// The stream is a sequence of **fields**. A field is one tag byte that says what
/// the field means, the length of the content in bytes as eight bytes, big end
/// first, and the content. Nothing else is in the stream: no header, no end mark, no
/// padding. So two different states cannot give the same one.
///
/// First comes the state, in fields that the domain defines (for S3 see the module `canonical` of
/// `s3-world`). Then comes, for each program that was
/// executed in the turn, in the order of execution, one field with the tag `o` (0x6f):
/// the canonical JSON of `{"result": value}` or of `{"error": code-or-class}`, as UTF-8.
/// An outcome's message and traceback are left out. Programs that were not executed,
/// drafts above all, have no field; a turn that executes nothing has the state alone.
///
/// Canonical JSON is [RFC 8785](https://www.rfc-editor.org/rfc/rfc8785). Where writers
/// go wrong:
///
/// - Names in an object are in the order of their **UTF-16 code units**, at every depth,
///   while the names of the state are in byte order of UTF-8. The two differ for
///   characters outside of the Basic Multilingual Plane.
/// - A number is written as ECMAScript writes the nearest IEEE 754 double: `25.0` is
///   `25`, `-0.0` is `0`, 10²¹ is `1e+21`, 10⁻⁷ is `1e-7`. `true` is not `1`. This is where the
///   form departs from RFC 8785: an integer beyond ±2⁵³ keeps all its digits, so 2⁵³ + 1 is
///   `9007199254740993`.
/// - In texts only `"`, `\` and U+0000 to U+001F are escaped: `\b \t \n \f \r` where there
///   is one, else `\u` and four lower-case hex digits. All else is UTF-8 as it is, without
///   Unicode normalisation.
///
/// The signature is the SHA-256 of the stream. Its 8-digit form is the first 8 of its hex
/// digits, lower case.
#[derive(Clone, Default)]
pub struct Signer {
    hash: Sha256,
    /// Fields on their way to the hash: it takes one large piece faster than many small.
    pending: Vec<u8>,
}

/// The number of bytes that go to the hash at once.
const PIECE: usize = 4096;

impl Signer {
    /// An empty stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends one field. The tag `o` is taken by [`Signer::outcome`];
    /// the others are the domain's to define.
    pub fn field(&mut self, tag: u8, content: &[u8]) {
        let length = content.len() as u64;
        self.pending.push(tag);
        self.pending.extend_from_slice(&length.to_be_bytes());
        self.pending.extend_from_slice(content);
        if self.pending.len() >= PIECE {
            self.hash.update(&self.pending);
            self.pending.clear();
        }
    }

    /// Appends the outcome of a program: the canonical JSON ([`exact_json`]) of
    /// `{"result": …}` or `{"error": code-or-class}`. An error's message is left
    /// out, because it varies between servers.
    pub fn outcome(&mut self, outcome: &Outcome) {
        let json = match outcome {
            Outcome::Result(value) => serde_json::json!({ "result": value }),
            Outcome::Error(error) => serde_json::json!({ "error": error.error }),
        };
        self.field(b'o', &exact_json(&json));
    }

    /// The signature of what was appended so far.
    pub fn signature(&self) -> Signature {
        let whole = self.hash.clone().chain_update(&self.pending);
        Signature(whole.finalize().into())
    }
}

/// An environment signature: 32 bytes, shown as their first 8 hex digits. What it is of
/// is said at [`Signer`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signature(pub [u8; 32]);

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&const_hex::encode(&self.0[..4]))
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({self})")
    }
}
