//! The extras of an object, which few objects have: tags, grants, locks, parts.

use super::restoration::Restoration;
use crate::domain::Value;
use jiff::Timestamp;
use std::borrow::Cow;
use std::sync::Arc;

/// The properties of an object beside its content and its attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extras {
    /// Tags, in the order in which they were given.
    pub tags: Vec<(String, String)>,
    /// The grants, if the bucket allowed access control lists: `Grants` as boto3 shows them.
    pub grants: Option<Arc<Value>>,
    /// Until when the version cannot be deleted.
    pub retention: Option<Retention>,
    /// Whether the version cannot be deleted as long as this holds.
    pub legal_hold: Option<bool>,
    /// The parts that it was uploaded in.
    pub parts: Option<CompletedParts>,
    /// The checksum that the uploader chose, if it is not the CRC-32.
    pub checksum: Option<Checksum>,
    /// How the server encrypts it, if not with keys of its own.
    pub encryption: Option<Encryption>,
    /// When an archived object is back, and for how long.
    pub restoration: Option<Restoration>,
}

/// Until when a version is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    /// `GOVERNANCE`, which a bypass lifts, or `COMPLIANCE`, which nothing lifts.
    pub mode: String,
    /// The end.
    pub until: Timestamp,
}

/// The parts of a multipart upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletedParts {
    /// The MD5 of the parts' MD5s.
    pub md5: [u8; 16],
    /// The sizes of the parts in bytes, in their order.
    pub sizes: Vec<usize>,
    /// The checksums of the parts, if the uploader chose an algorithm for them.
    pub checksums: Vec<String>,
}

/// A checksum with the name of its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checksum {
    /// The field: `ChecksumSHA256`.
    pub field: &'static str,
    /// The value in base64.
    pub value: String,
}

/// Encryption with other keys than the server's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encryption {
    /// With keys of a key service. Keys are noted and not looked up.
    Service {
        /// `aws:kms` or `aws:kms:dsse`.
        algorithm: String,
        /// The key, if one was named.
        key: Option<String>,
        /// Whether the bucket has a key of its own for it.
        bucket_key: bool,
    },
    /// With a key that the caller sends with every read.
    Customer {
        /// The MD5 of the key, in base64.
        key_md5: String,
    },
}

impl Extras {
    /// Those of an object that has none.
    pub const NONE: Extras = Extras {
        tags: Vec::new(),
        grants: None,
        retention: None,
        legal_hold: None,
        parts: None,
        checksum: None,
        encryption: None,
        restoration: None,
    };

    /// Takes over what an answer about an object says: its tags, grants or locks.
    pub fn take_over(&mut self, answer: &Value) {
        let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
        if let Some(tags) = answer.get("TagSet").and_then(Value::as_list) {
            let pair = |tag: &Value| Some((text(tag, "Key")?, text(tag, "Value")?));
            self.tags = tags.iter().filter_map(pair).collect();
        }
        if let Some(grants) = answer.get("Grants") {
            self.grants = Some(Arc::new(grants.clone()));
        }
        if let Some(retention) = answer.get("Retention") {
            let until = match retention.get("RetainUntilDate") {
                Some(Value::Time(until)) => Some(*until),
                _ => None,
            };
            let mode = text(retention, "Mode");
            self.retention = mode
                .zip(until)
                .map(|(mode, until)| Retention { mode, until });
        }
        if let Some(hold) = answer.get("LegalHold") {
            self.legal_hold = Some(text(hold, "Status").as_deref() == Some("ON"));
        }
    }

    /// The visible part of it. Grants are visible only if objects of the bucket have access
    /// control lists.
    pub fn seen(&self, has_lists: bool) -> Cow<'_, Extras> {
        match self.grants.is_some() && !has_lists {
            true => Cow::Owned(Extras {
                grants: None,
                ..self.clone()
            }),
            false => Cow::Borrowed(self),
        }
    }

    /// To be kept with an object; nothing where there is nothing to keep.
    pub fn kept(self) -> Option<Arc<Extras>> {
        (self != Extras::NONE).then(|| Arc::new(self))
    }
}

impl Checksum {
    /// Whether it is of the checksums of parts. It has their number then: `…-3`.
    pub fn is_composite(&self) -> bool {
        self.value.contains('-')
    }
}

impl CompletedParts {
    /// The ETag, with its quotes: `"…-2"`.
    pub fn etag(&self) -> String {
        format!("\"{}-{}\"", const_hex::encode(self.md5), self.sizes.len())
    }
}
