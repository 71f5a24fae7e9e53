//! The extras of an object in a manifest: tags, grants, locks, parts.

use crate::memory::extras::{Checksum, CompletedParts, Encryption, Extras, Retention};
use crate::memory::restoration::Restoration;
use crate::setting_json::{from_json, to_json};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::sync::Arc;

/// The extras of an object, as they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtrasManifest {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grants: Option<Json>,
    /// The mode, and the end in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retention: Option<(String, i64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    legal_hold: Option<bool>,
    /// The MD5 of the parts' MD5s in hex, and the sizes of the parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parts: Option<(String, Vec<usize>)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    part_checksums: Vec<String>,
    /// The field, and the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encryption: Option<(String, Option<String>, bool)>,
    /// The MD5 of the caller's key, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    customer_key: Option<String>,
    /// When an archived object is back, and until when, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restoration: Option<(i64, i64)>,
}

impl ExtrasManifest {
    /// The written form.
    pub fn new(extras: &Extras) -> Self {
        ExtrasManifest {
            tags: extras.tags.clone(),
            grants: extras.grants.as_deref().map(to_json),
            retention: (extras.retention.as_ref())
                .map(|it| (it.mode.clone(), it.until.as_second())),
            legal_hold: extras.legal_hold,
            parts: (extras.parts.as_ref()).map(|it| (const_hex::encode(it.md5), it.sizes.clone())),
            part_checksums: (extras.parts.as_ref())
                .map(|it| it.checksums.clone())
                .unwrap_or_default(),
            checksum: (extras.checksum.as_ref()).map(|it| (it.field.to_owned(), it.value.clone())),
            encryption: match &extras.encryption {
                Some(Encryption::Service {
                    algorithm,
                    key,
                    bucket_key,
                }) => Some((algorithm.clone(), key.clone(), *bucket_key)),
                _ => None,
            },
            customer_key: match &extras.encryption {
                Some(Encryption::Customer { key_md5 }) => Some(key_md5.clone()),
                _ => None,
            },
            restoration: (extras.restoration.as_ref())
                .map(|it| (it.ready.as_second(), it.expires.as_second())),
        }
    }

    /// The extras. A part of them that cannot be read is left out.
    pub fn extras(&self) -> Extras {
        let retention = |(mode, until): &(String, i64)| {
            Some(Retention {
                mode: mode.clone(),
                until: Timestamp::from_second(*until).ok()?,
            })
        };
        let parts = |(md5, sizes): &(String, Vec<usize>)| {
            Some(CompletedParts {
                md5: const_hex::decode_to_array(md5).ok()?,
                sizes: sizes.clone(),
                checksums: self.part_checksums.clone(),
            })
        };
        let checksum = |(field, value): &(String, String)| {
            Some(Checksum {
                field: crate::memory::checksum_field(field)?,
                value: value.clone(),
            })
        };
        Extras {
            tags: self.tags.clone(),
            grants: self
                .grants
                .as_ref()
                .map(|grants| Arc::new(from_json(grants))),
            retention: self.retention.as_ref().and_then(retention),
            legal_hold: self.legal_hold,
            parts: self.parts.as_ref().and_then(parts),
            checksum: self.checksum.as_ref().and_then(checksum),
            encryption: match (self.encryption.clone(), self.customer_key.clone()) {
                (_, Some(key_md5)) => Some(Encryption::Customer { key_md5 }),
                (Some((algorithm, key, bucket_key)), None) => Some(Encryption::Service {
                    algorithm,
                    key,
                    bucket_key,
                }),
                (None, None) => None,
            },
            restoration: self.restoration.and_then(|(ready, expires)| {
                Some(Restoration {
                    ready: Timestamp::from_second(ready).ok()?,
                    expires: Timestamp::from_second(expires).ok()?,
                })
            }),
        }
    }
}
