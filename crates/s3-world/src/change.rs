//! The changes between two states of an S3 world, one bucket or key at a time.

use crate::domain::counted;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One change of a world: only its net effect. It prints as one line:
/// `+ bucket/key (5 bytes)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum S3Change {
    /// A new bucket.
    BucketCreated {
        /// Its name.
        bucket: String,
        /// Its region.
        region: String,
    },
    /// A deleted bucket.
    BucketDeleted {
        /// Its name.
        bucket: String,
    },
    /// A new key.
    Created {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// The present content.
        now: Held,
    },
    /// A key that was written again, with the same content or another one.
    Overwritten {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// Its object before.
        before: Held,
        /// Its object now.
        now: Held,
    },
    /// A deleted key.
    Deleted {
        /// The bucket.
        bucket: String,
        /// The key.
        key: String,
        /// Its object before.
        before: Held,
    },
    /// A setting of a bucket that was made, changed or taken away.
    Setting {
        /// The bucket.
        bucket: String,
        /// The name of the setting for people.
        setting: String,
        /// The present value in a few words; none if it was taken away.
        now: Option<String>,
    },
}

/// The object at a key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Held {
    /// The size in bytes.
    pub size: u64,
    /// The ETag with its quotes.
    pub etag: String,
    /// When it was written, as RFC 3339 text; empty if the server does not say.
    pub modified: String,
    /// The version, in a bucket that keeps versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The source of the content, if it is a copy that was never loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<CopiedFrom>,
}

/// The source of a copy, as it was at the time of copying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFrom {
    /// The bucket.
    pub bucket: String,
    /// The key.
    pub key: String,
    /// The version, in a bucket that keeps versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The ETag with its quotes.
    pub etag: String,
}

impl S3Change {
    /// Whether the same content was written again, judged by size and ETag.
    pub fn keeps_content(&self) -> bool {
        match self {
            S3Change::Overwritten { before, now, .. } => {
                before.size == now.size && before.etag == now.etag
            }
            _ => false,
        }
    }
}

impl fmt::Display for S3Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            S3Change::BucketCreated { bucket, .. } => write!(f, "+ {}/", plain(bucket)),
            S3Change::BucketDeleted { bucket } => write!(f, "- {}/", plain(bucket)),
            S3Change::Created { bucket, key, now } => {
                write!(f, "+ {}/{} ({})", plain(bucket), plain(key), bytes(now))
            }
            S3Change::Overwritten {
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
            S3Change::Deleted {
                bucket,
                key,
                before,
            } => {
                write!(f, "- {}/{} ({})", plain(bucket), plain(key), bytes(before))
            }
            S3Change::Setting {
                bucket,
                setting,
                now,
            } => {
                let sign = if now.is_some() { '~' } else { '-' };
                let now = now.as_deref().unwrap_or("none");
                let (bucket, setting) = (plain(bucket), plain(setting));
                write!(f, "{sign} {bucket}/ ({setting}): {}", plain(now))
            }
        }
    }
}

/// Escapes control characters. Programs choose keys, so a key can contain an escape
/// sequence for terminals.
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
    counted(held.size, "byte")
}
