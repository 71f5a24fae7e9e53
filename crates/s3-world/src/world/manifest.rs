//! The properties of a bucket that a tree of files cannot hold: regions, types, metadata,
//! times.

use super::extras_manifest::ExtrasManifest;
use super::upload_manifest::UploadManifest;
use super::version_manifest::VersionManifest;
use crate::memory::extras::Extras;
use crate::memory::state::{DEFAULT_STORAGE_CLASS, Versioning};
use crate::memory::{Attributes, Bucket, Content, Object};
use crate::setting_json::to_json;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// The bucket's configurations by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Json>,
    /// The objects by key.
    pub objects: BTreeMap<String, ObjectManifest>,
    /// The older versions and the delete markers by key, the newest first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub history: BTreeMap<String, Vec<VersionManifest>>,
    /// The uploads in progress by their ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub uploads: BTreeMap<String, UploadManifest>,
    /// How many versions and uploads were made, so that no id is given twice.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub made: u64,
}

/// One object.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectManifest {
    /// The SHA-256 of the content, in hex. If a file has another content, a person has
    /// changed it.
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
    /// Whether the content is in the blob folder because the key has no place in the
    /// tree.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blob: bool,
    /// The version, if it is not `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its tags, locks and the like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extras: Option<ExtrasManifest>,
}

impl BucketManifest {
    /// The manifest of a bucket with all its objects. `is_blob` says whether an object's
    /// content is in the blob folder. A file that a person has added needs no entry, and was
    /// perhaps not read; only in a bucket that keeps versions it would be a new one.
    pub fn new(bucket: &Bucket, is_blob: impl Fn(&str, &Object) -> bool) -> Self {
        let has_all = bucket.versioning() != Versioning::NeverSet;
        let objects = bucket
            .objects
            .iter()
            .filter(|(_, object)| has_all || object.content.known_checksums().is_some());
        let objects = objects.map(|(key, object)| {
            let entry = ObjectManifest::new(object, is_blob(key, object));
            (key.to_string(), entry)
        });
        let history = bucket.history.keys().map(|(key, versions)| {
            let versions = versions.iter().map(VersionManifest::new);
            (key.to_string(), versions.collect())
        });
        let uploads = bucket.uploads.iter();
        let uploads =
            uploads.map(|(id, upload)| (id.2.to_string(), UploadManifest::new(id, upload)));
        BucketManifest {
            objects: objects.collect(),
            history: history.collect(),
            uploads: uploads.collect(),
            made: bucket.history.made(),
            ..BucketManifest::without_objects(bucket)
        }
    }

    /// The manifest of a bucket, without its objects.
    pub fn without_objects(bucket: &Bucket) -> Self {
        BucketManifest {
            location: bucket.location.as_deref().map(str::to_owned),
            created: bucket.created,
            settings: written_settings(bucket),
            objects: BTreeMap::new(),
            history: BTreeMap::new(),
            uploads: BTreeMap::new(),
            made: 0,
        }
    }
}

impl ObjectManifest {
    /// The entry of an object.
    pub fn new(object: &Object, blob: bool) -> Self {
        let attributes = &object.attributes;
        let class =
            Some(&attributes.storage_class).filter(|class| **class != DEFAULT_STORAGE_CLASS);
        ObjectManifest {
            sha256: object.sha256().map_or_else(String::new, const_hex::encode),
            modified: object.modified,
            content_type: attributes.content_type.clone().into_owned(),
            storage_class: class.map(|class| class.clone().into_owned()),
            headers: attributes.headers.clone(),
            metadata: attributes.metadata.clone(),
            expires: attributes.expires.map(Timestamp::as_second),
            blob,
            version: object.version.as_deref().map(str::to_owned),
            extras: object.extras.as_deref().map(ExtrasManifest::new),
        }
    }

    /// The object with this content.
    pub fn object(&self, content: Content) -> Object {
        Object {
            content,
            modified: self.modified,
            attributes: self.attributes(),
            version: self.version.as_deref().map(Arc::from),
            extras: self.extras(),
        }
    }

    /// The parts of the object beside its content and attributes.
    fn extras(&self) -> Option<Arc<Extras>> {
        self.extras
            .as_ref()
            .and_then(|extras| extras.extras().kept())
    }

    /// The attributes of the object.
    fn attributes(&self) -> Attributes {
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

/// The configurations of a bucket as they are written.
pub fn written_settings(bucket: &Bucket) -> BTreeMap<String, Json> {
    let settings = bucket.settings.iter();
    settings
        .map(|(name, value)| (name.to_owned(), to_json(value)))
        .collect()
}

/// Stands before the checksum of a manifest.
const SEAL: &[u8] = b",\n  \"checksum\": \"";

/// A manifest as it is written: with a checksum, so that damage is noticed.
pub fn sealed(manifest: &BucketManifest) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(manifest)?;
    // The last two bytes are a line break and a brace.
    text.truncate(text.len().saturating_sub(2));
    let checksum = const_hex::encode(Sha256::digest(&text));
    text.extend_from_slice(SEAL);
    text.extend_from_slice(checksum.as_bytes());
    text.extend_from_slice(b"\"\n}");
    Ok(text)
}

/// The JSON of a manifest, if it was not changed after it was written. Older programs wrote no
/// checksum.
pub fn opened(text: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    let mut ends = text.windows(SEAL.len()).rev();
    let Some(from_end) = ends.position(|part| part == SEAL) else {
        return Ok(Cow::Borrowed(text));
    };
    let (content, seal) = text.split_at(text.len() - SEAL.len() - from_end);
    let given = seal.get(SEAL.len()..).unwrap_or_default();
    let checksum = const_hex::encode(Sha256::digest(content));
    match given.strip_suffix(b"\"\n}") == Some(checksum.as_bytes()) {
        true => Ok(Cow::Owned([content, b"\n}"].concat())),
        false => Err("it was changed after it was written".to_owned()),
    }
}

/// A line of JSON as it is written, with a checksum. JSON has no tabs of its own.
pub fn sealed_line(json: &str) -> String {
    format!("{json}\t{:08x}\n", crc32fast::hash(json.as_bytes()))
}

/// The JSON of a line, without its line break. Older programs wrote no checksum.
pub fn unsealed(line: &[u8]) -> Result<&[u8], String> {
    let Some(at) = line.iter().rposition(|byte| *byte == b'\t') else {
        return Ok(line);
    };
    let (json, sum) = line.split_at(at);
    let expected = format!("\t{:08x}", crc32fast::hash(json));
    match sum == expected.as_bytes() {
        true => Ok(json),
        false => Err("it was changed after it was written".to_owned()),
    }
}

/// Whether the content has this checksum, given as hex digits.
pub fn is_named(content: &Content, sha256: &str) -> bool {
    content
        .checksums()
        .is_some_and(|checksums| const_hex::encode(checksums.sha256) == sha256)
}

/// The file name of a key's blob. Keys do not share blobs.
pub fn blob_name(bucket: &str, key: &str) -> String {
    // The text is unique, since a bucket's name contains no slash.
    const_hex::encode(Sha256::digest(format!("{bucket}/{key}")))
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Times as RFC 3339 text.
pub(super) mod time {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(time)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
