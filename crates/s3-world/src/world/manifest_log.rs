//! The changes to a bucket's manifest since the whole manifest was last written:
//! `.dialog2api/buckets/NAME.log`, one JSON object a line.
//!
//! A write appends only its own changes, so its cost does not depend on the size of the
//! bucket. A long log is merged into the manifest.

use super::limits::DiskLimits;
use super::manifest::{BucketManifest, ObjectManifest, sealed_line, unsealed};
use super::upload_manifest::{PartManifest, UploadManifest};
use super::version_manifest::VersionManifest;
use crate::error::{Error, Result};
use dialog2api_core::files::whole_lines;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// One line of the log.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Record {
    /// An object was written.
    Put {
        key: String,
        /// The object's entry in the manifest.
        object: Box<ObjectManifest>,
    },
    /// The bucket's configurations were changed.
    Settings {
        /// All of them, by name.
        settings: BTreeMap<String, Json>,
    },
    /// An object was deleted.
    Delete { key: String },
    /// The older versions of a key have changed.
    Versions {
        key: String,
        /// How many of the newest stay.
        at: usize,
        /// How many after them go.
        gone: usize,
        /// The new versions in their place, the newest first.
        new: Vec<VersionManifest>,
    },
    /// An upload in parts has begun.
    Upload {
        id: String,
        upload: Box<UploadManifest>,
    },
    /// An upload in parts was completed or aborted.
    UploadEnded { id: String },
    /// A part has come.
    Part {
        /// The id of its upload.
        id: String,
        number: i64,
        part: PartManifest,
    },
    /// The bucket has given new ids to versions.
    Made {
        /// How many there are by now.
        made: u64,
    },
}

impl Record {
    /// Appends the record to a text, as a line.
    pub fn write(&self, text: &mut String) -> Result<()> {
        let line = serde_json::to_string(self).map_err(Error::bug("a record cannot be written"))?;
        text.push_str(&sealed_line(&line));
        Ok(())
    }
}

/// Applies a log to the manifest that it continues. Returns the size of its complete
/// lines in bytes.
///
/// A last line without a line break was cut off while it was appended. The write that it
/// belongs to was incomplete then, so the line does not count.
pub fn replay(log: &[u8], manifest: &mut BucketManifest) -> Result<u64, String> {
    let (lines, _) = whole_lines(log);
    for (number, line) in lines.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let json = unsealed(line).map_err(|problem| format!("line {}: {problem}", number + 1))?;
        let record = serde_json::from_slice(json)
            .map_err(|error| format!("line {}: {error}", number + 1))?;
        match record {
            Record::Put { key, object } => {
                manifest.objects.insert(key, *object);
            }
            Record::Settings { settings } => manifest.settings = settings,
            Record::Delete { key } => {
                manifest.objects.remove(&key);
            }
            Record::Versions { key, at, gone, new } => {
                let versions = manifest.history.entry(key).or_default();
                if at.checked_add(gone).is_none_or(|end| end > versions.len()) {
                    return Err(format!("line {}: there are fewer versions", number + 1));
                }
                versions.splice(at..at + gone, new);
            }
            Record::Upload { id, upload } => {
                manifest.uploads.insert(id, *upload);
            }
            Record::UploadEnded { id } => {
                manifest.uploads.remove(&id);
            }
            Record::Part {
                id,
                number: at,
                part,
            } => {
                let upload = manifest.uploads.get_mut(&id);
                let upload =
                    upload.ok_or_else(|| format!("line {}: there is no upload", number + 1))?;
                upload.parts.insert(at, part);
            }
            Record::Made { made } => manifest.made = made,
        }
    }
    Ok(lines.len() as u64)
}

/// The sizes of a bucket's manifest and log, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ManifestSize {
    /// The manifest's size.
    pub manifest: u64,
    /// The log's size.
    pub log: u64,
    /// Whether a person's changes to the files make the log end in another history than the
    /// world has, so that nothing can be appended to it.
    pub is_stale: bool,
}

/// An approximate lower limit for the bytes that an object takes in a manifest.
const ENTRY_BYTES: u64 = 200;

impl ManifestSize {
    /// Whether to merge the log, given that it has grown by `more` bytes in a bucket with
    /// this many objects. A log is merged only if it is at least as long as the manifest.
    /// So merging at most doubles the bytes written.
    pub fn is_due(&self, more: u64, objects: usize, limits: &DiskLimits) -> bool {
        let log = self.log.saturating_add(more);
        let whole = ENTRY_BYTES
            .saturating_mul(objects as u64)
            .max(self.manifest);
        self.is_stale || limits.log_bytes == 0 || log > limits.log_bytes.max(whole)
    }
}
