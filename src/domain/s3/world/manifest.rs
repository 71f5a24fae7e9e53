//! What a tree of files cannot say about a bucket, kept beside it.

use crate::domain::s3::memory::state::DEFAULT_STORAGE_CLASS;
use crate::domain::s3::memory::{Attributes, Bucket, Object};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The file of one bucket: `.dialog2api/buckets/NAME.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BucketManifest {
    /// The location constraint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// When the bucket was created.
    #[serde(with = "time")]
    pub created: Timestamp,
    /// By key.
    pub objects: BTreeMap<String, ObjectManifest>,
}

/// One object.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectManifest {
    /// Of the content, as hex digits: tells whether the file is still what was written.
    pub sha256: String,
    /// When it was written.
    #[serde(with = "time")]
    pub modified: Timestamp,
    content_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    storage_class: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    headers: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    metadata: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires: Option<i64>,
    /// Whether the content lies in the blob folder, because the key has no place in the tree.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blob: bool,
}

impl BucketManifest {
    /// What is to be kept about a bucket.
    pub fn new(bucket: &Bucket, blobs: &BTreeSet<String>) -> Self {
        let objects = bucket.objects.iter().map(|(key, object)| {
            let entry = ObjectManifest::new(object, blobs.contains(&**key));
            (key.to_string(), entry)
        });
        BucketManifest {
            location: bucket.location.as_deref().map(str::to_owned),
            created: bucket.created,
            objects: objects.collect(),
        }
    }
}

impl ObjectManifest {
    fn new(object: &Object, blob: bool) -> Self {
        let attributes = &object.attributes;
        let class =
            Some(&attributes.storage_class).filter(|class| **class != DEFAULT_STORAGE_CLASS);
        ObjectManifest {
            sha256: object
                .blob()
                .map_or_else(String::new, |b| const_hex::encode(b.sha256)),
            modified: object.modified,
            content_type: attributes.content_type.clone().into_owned(),
            storage_class: class.map(|class| class.clone().into_owned()),
            headers: attributes.headers.clone(),
            metadata: attributes.metadata.clone(),
            expires: attributes.expires.map(Timestamp::as_second),
            blob,
        }
    }

    /// What was said about the object when it was uploaded.
    pub fn attributes(&self) -> Attributes {
        let class = self.storage_class.clone();
        Attributes {
            content_type: Cow::Owned(self.content_type.clone()),
            storage_class: class.map_or(Cow::Borrowed(DEFAULT_STORAGE_CLASS), Cow::Owned),
            headers: self.headers.clone(),
            expires: self
                .expires
                .and_then(|second| Timestamp::from_second(second).ok()),
            metadata: self.metadata.clone(),
        }
    }
}

/// Whether the object's content has this checksum.
pub fn is_named(object: &Object, sha256: &str) -> bool {
    object
        .blob()
        .is_some_and(|blob| const_hex::encode(blob.sha256) == sha256)
}

/// The name of the blob of a key. One key has one blob, so that none is shared.
pub fn blob_name(bucket: &str, key: &str) -> String {
    // A bucket's name has no slash, so no two pairs give the same text.
    const_hex::encode(Sha256::digest(format!("{bucket}/{key}")))
}

/// Times as RFC 3339 text.
mod time {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(time)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
