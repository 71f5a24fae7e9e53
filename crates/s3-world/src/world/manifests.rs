//! Reads the manifests of all buckets, each with its log.

use super::journal::Journal;
use super::manifest::{BucketManifest, opened};
use super::manifest_log::{ManifestSize, replay};
use crate::error::{Error, Result};
use crate::memory::open_regular;
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The contents of the hidden folder for each bucket.
#[derive(Default)]
pub struct Manifests {
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
        let entries = match fs::read_dir(&folder) {
            // Nothing was ever written here.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(manifests),
            entries => entries.map_err(Error::file("cannot read", &folder))?,
        };
        for entry in entries {
            let path = entry.map_err(Error::file("cannot read", &folder))?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if let Some(bucket) = name.strip_suffix(".json") {
                manifests.add(journal, bucket)?;
            }
        }
        Ok(manifests)
    }

    /// Reads the manifest of one bucket, if it has one.
    pub fn load(&mut self, journal: &Journal, bucket: &str) -> Result<()> {
        self.blobs = journal.hidden("blobs");
        self.versions = journal.hidden("versions");
        match fs::symlink_metadata(journal.manifest(bucket)) {
            Ok(_) => self.add(journal, bucket),
            Err(_) => Ok(()),
        }
    }

    fn add(&mut self, journal: &Journal, bucket: &str) -> Result<()> {
        let path = journal.manifest(bucket);
        let text = read_regular(&path).map_err(Error::file("cannot read", &path))?;
        let json = opened(&text).map_err(|problem| damaged(path.clone(), &problem))?;
        let mut manifest = serde_json::from_slice(&json)
            .map_err(|error| damaged(path.clone(), &error.to_string()))?;
        let log_path = journal.manifest_log(bucket);
        let log = match read_regular(&log_path) {
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
        self.sizes.insert(bucket.to_owned(), size);
        self.by_bucket.insert(bucket.to_owned(), manifest);
        Ok(())
    }
}

/// The content of a file of the hidden folder. Whoever the folder comes from, no link in it is
/// followed.
pub fn read_regular(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_regular(path)?.read_to_end(&mut content)?;
    Ok(content)
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
