//! Reads the manifests of all buckets, each with its log.

use super::journal::Journal;
use super::manifest::BucketManifest;
use super::manifest_log::{ManifestSize, replay};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The contents of the hidden folder for each bucket.
#[derive(Default)]
pub struct Manifests {
    /// The manifests by bucket.
    pub by_bucket: BTreeMap<String, BucketManifest>,
    /// The sizes of the files, by bucket.
    pub sizes: BTreeMap<String, ManifestSize>,
    /// The folder of contents that have no place in the tree.
    pub blobs: PathBuf,
    /// The folder of the contents of older versions.
    pub versions: PathBuf,
}

impl Manifests {
    /// Reads the manifests.
    pub fn read(journal: &Journal) -> Result<Self> {
        let mut manifests = Manifests {
            blobs: journal.hidden("blobs"),
            versions: journal.hidden("versions"),
            ..Manifests::default()
        };
        let folder = journal.hidden("buckets");
        for entry in fs::read_dir(&folder).map_err(Error::file("cannot read", &folder))? {
            let path = entry.map_err(Error::file("cannot read", &folder))?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let Some(bucket) = name.strip_suffix(".json") else {
                continue;
            };
            let text = fs::read(&path).map_err(Error::file("cannot read", &path))?;
            let mut manifest = serde_json::from_slice(&text)
                .map_err(|error| damaged(path.clone(), &error.to_string()))?;
            let log_path = journal.manifest_log(bucket);
            let log = match fs::read(&log_path) {
                Ok(log) => log,
                Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
                Err(error) => return Err(Error::file("cannot read", &log_path)(error)),
            };
            let log = replay(&log, &mut manifest).map_err(|problem| damaged(log_path, &problem))?;
            let size = ManifestSize {
                manifest: text.len() as u64,
                log,
                is_stale: false,
            };
            manifests.sizes.insert(bucket.to_owned(), size);
            manifests.by_bucket.insert(bucket.to_owned(), manifest);
        }
        Ok(manifests)
    }
}

fn damaged(path: PathBuf, problem: &str) -> Error {
    Error::Content {
        path,
        problem: format!(
            "damaged: {problem}; without this file the bucket still has the objects that are \
             files, with guessed types and the files' times, and no older versions"
        ),
    }
}
