//! An older version of a key, or a delete marker, in a manifest.

use super::manifest::{ObjectManifest, time};
use crate::memory::history::{Marker, Version};
use crate::memory::{Checksums, Content, FileContent};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// One entry of a key's history. It has all that is asked of a version but its content, so
/// that the contents of old versions need not be read when a world is opened.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum VersionManifest {
    Object {
        /// As a latest object is written.
        object: Box<ObjectManifest>,
        /// The size in bytes.
        size: usize,
        /// The MD5 in hex.
        md5: String,
        /// The CRC-32.
        crc32: u32,
    },
    /// A delete marker.
    Marker {
        /// Its version, if it is not `null`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// When the key was deleted.
        #[serde(with = "time")]
        modified: Timestamp,
    },
}

impl VersionManifest {
    /// The written form.
    pub fn new(version: &Version) -> Self {
        match version {
            Version::Object(object) => {
                let checksums = object.content.checksums();
                VersionManifest::Object {
                    object: Box::new(ObjectManifest::new(object, false)),
                    size: object.size(),
                    md5: checksums.map_or_else(String::new, |it| const_hex::encode(it.md5)),
                    crc32: checksums.map_or(0, |it| it.crc32),
                }
            }
            Version::Marker(marker) => VersionManifest::Marker {
                version: marker.version.as_deref().map(str::to_owned),
                modified: marker.modified,
            },
        }
    }

    /// The version, whose content is in the folder `bodies`; `None` if a checksum is none.
    pub fn version(&self, bodies: &Path) -> Option<Version> {
        Some(match self {
            VersionManifest::Object {
                object,
                size,
                md5,
                crc32,
            } => {
                let checksums = Checksums {
                    sha256: const_hex::decode_to_array(&object.sha256).ok()?,
                    md5: const_hex::decode_to_array(md5).ok()?,
                    crc32: *crc32,
                };
                let path = bodies.join(const_hex::encode(checksums.sha256));
                let content = FileContent::new(path, checksums, *size, false);
                let content = Content::InFile(Arc::new(content));
                Version::Object(Arc::new(object.object(content)))
            }
            VersionManifest::Marker { version, modified } => Version::Marker(Marker {
                version: version.as_deref().map(Arc::from),
                modified: *modified,
            }),
        })
    }

    /// The SHA-256 of the content in hex; markers have none.
    pub fn sha256(&self) -> Option<&str> {
        match self {
            VersionManifest::Object { object, .. } => Some(&object.sha256),
            VersionManifest::Marker { .. } => None,
        }
    }
}
