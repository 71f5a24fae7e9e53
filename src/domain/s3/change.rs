//! The changes between two states of an S3 world, one bucket or key at a time.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One change of a world: its net effect, not how it came about. Printed, it is one
/// line: `+ bucket/key (5 bytes)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// A bucket that was not there before.
    BucketCreated {
        /// Its name.
        bucket: String,
        /// Its region.
        region: String,
    },
    /// A bucket that is gone.
    BucketDeleted {
        /// Its name.
        bucket: String,
    },
    /// A key that was not there before.
    Created {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// What it holds now.
        now: Held,
    },
    /// A key that was written again, with the same content or another.
    Overwritten {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// What it held.
        before: Held,
        /// What it holds now.
        now: Held,
    },
    /// A key that is gone.
    Deleted {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// What it held.
        before: Held,
    },
}

/// What a key holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Held {
    /// Bytes.
    pub size: u64,
    /// The ETag with its quotes.
    pub etag: String,
    /// When it was written, as RFC 3339 text; empty when the server does not say.
    pub modified: String,
    /// The version, in a bucket that has versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where the content is, when it is a copy that was never loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<CopiedFrom>,
}

/// The source of a copy, as it was when it was copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFrom {
    /// The bucket.
    pub bucket: String,
    /// The key.
    pub key: String,
    /// The version, in a bucket that has versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The ETag with its quotes.
    pub etag: String,
}

impl Change {
    /// Whether the same content was written again, as far as size and ETag tell.
    pub fn keeps_content(&self) -> bool {
        match self {
            Change::Overwritten { before, now, .. } => {
                before.size == now.size && before.etag == now.etag
            }
            _ => false,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::BucketCreated { bucket, .. } => write!(f, "+ {}/", plain(bucket)),
            Change::BucketDeleted { bucket } => write!(f, "- {}/", plain(bucket)),
            Change::Created { bucket, key, now } => {
                write!(f, "+ {}/{} ({})", plain(bucket), plain(key), bytes(now))
            }
            Change::Overwritten {
                bucket,
                key,
                before,
                now,
            } => write!(
                f,
                "~ {}/{} ({} → {})",
                plain(bucket),
                plain(key),
                before.size,
                bytes(now)
            ),
            Change::Deleted {
                bucket,
                key,
                before,
            } => {
                write!(f, "- {}/{} ({})", plain(bucket), plain(key), bytes(before))
            }
        }
    }
}

/// Escapes control characters: programs choose keys, and a key can hold an escape sequence
/// of a terminal.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}

fn bytes(held: &Held) -> String {
    match held.size {
        1 => "1 byte".to_owned(),
        size => format!("{size} bytes"),
    }
}
