//! The contents of older versions and of the parts of uploads: `.dialog2api/versions/SHA256`.
//! Those with the same content share its file.

use super::edits::Edit;
use super::journal::{Change, Journal};
use super::manifest::BucketManifest;
use super::steps::Step;
use crate::error::{Error, Result};
use crate::memory::history::Version;
use crate::memory::{Content, FileContent, Object};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::Arc;

type Sha256 = [u8; 32];

/// How many older versions and parts have each content.
#[derive(Default)]
pub struct Bodies(HashMap<Sha256, usize>);

/// The effect of a change on the contents of older versions.
#[derive(Default)]
pub struct BodyChanges {
    /// The counts afterwards, where they change.
    counts: Vec<(Sha256, usize)>,
    /// The files that were those of latest objects, and what they are to be named by.
    moved: Vec<(Arc<FileContent>, Sha256)>,
}

impl Bodies {
    /// Counts the contents that the manifests name.
    pub fn open(manifests: &BTreeMap<String, BucketManifest>) -> Self {
        let mut bodies = Bodies::default();
        for manifest in manifests.values() {
            let versions = manifest.history.values().flatten();
            let versions = versions.filter_map(|version| version.sha256());
            let parts = manifest.uploads.values();
            let parts = parts.flat_map(|upload| upload.parts.values());
            for sha256 in versions.chain(parts.map(|part| part.sha256.as_str())) {
                if let Ok(sha256) = const_hex::decode_to_array(sha256) {
                    *bodies.0.entry(sha256).or_default() += 1;
                }
            }
        }
        bodies
    }

    /// Removes files that none of the manifests names.
    ///
    /// # Errors
    /// The folder cannot be read or written.
    pub fn forget_others(&self, journal: &Journal) -> Result<()> {
        let folder = journal.hidden("versions");
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(Error::file("cannot read", &folder))?,
        };
        for entry in entries {
            let path = entry.map_err(Error::file("cannot read", &folder))?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let sha256 = name.and_then(|name| const_hex::decode_to_array(name).ok());
            if sha256.is_none_or(|sha256| !self.0.contains_key(&sha256)) {
                fs::remove_file(&path).map_err(Error::file("cannot remove", &path))?;
            }
        }
        Ok(())
    }

    /// Adds the steps that keep what becomes an older version or a part, and remove what none
    /// of them has any more. They come before the steps that replace and remove files of the tree.
    ///
    /// # Errors
    /// A content cannot be read, or another program has changed its file.
    pub fn stage(&self, edits: &[Edit<'_>], writing: &mut Change<'_>) -> Result<BodyChanges> {
        let mut changes = BodyChanges::default();
        let mut counts: BTreeMap<Sha256, usize> = BTreeMap::new();
        let mut added = Vec::new();
        let mut removed = Vec::new();
        for edit in edits {
            let Edit::Versions {
                bucket,
                key,
                gone,
                new,
                ..
            } = *edit
            else {
                continue;
            };
            removed.extend(gone.iter().filter_map(Version::object));
            let objects = new.iter().filter_map(Version::object);
            added.extend(objects.map(|object| (bucket, key, object)));
        }
        let before = |sha256| self.0.get(sha256).copied().unwrap_or_default();
        for (bucket, key, object) in added {
            let Some(sha256) = object.sha256() else {
                return Err(Error::world(format!(
                    "the content of {bucket}/{key} is not loaded"
                )));
            };
            let latest = replaced_file(edits, bucket, key, object);
            if let Some(file) = latest {
                file.check_unchanged()?;
                changes.moved.push((file.clone(), *sha256));
            }
            let count = counts.entry(*sha256).or_insert_with(|| before(sha256));
            if *count == 0 {
                keep(bucket, key, object, latest, writing)?;
            }
            *count += 1;
        }
        for part in edits.iter().flat_map(Edit::new_parts) {
            let sha256 = &part.blob.checksums.sha256;
            let count = counts.entry(*sha256).or_insert_with(|| before(sha256));
            if *count == 0 {
                let step = Step::MoveVersion {
                    staged: writing.stage_content(&part.content())?.0,
                    sha256: const_hex::encode(sha256),
                };
                writing.step(step);
            }
            *count += 1;
        }
        let parts = edits.iter().flat_map(Edit::lost_parts);
        let parts = parts.map(|part| &part.blob.checksums.sha256);
        let removed = removed.into_iter().filter_map(|object| object.sha256());
        for sha256 in removed.chain(parts) {
            let count = counts.entry(*sha256).or_insert_with(|| before(sha256));
            *count = count.saturating_sub(1);
        }
        for (sha256, count) in &counts {
            if *count == 0 && before(sha256) > 0 {
                writing.step(Step::RemoveVersion {
                    sha256: const_hex::encode(sha256),
                });
            }
        }
        changes.counts = counts.into_iter().collect();
        Ok(changes)
    }

    /// Remembers a change that is committed.
    pub fn apply(&mut self, changes: BodyChanges, journal: &Journal) {
        for (sha256, count) in changes.counts {
            match count {
                0 => self.0.remove(&sha256),
                count => self.0.insert(sha256, count),
            };
        }
        for (file, sha256) in changes.moved {
            file.moves_to(journal.version(&sha256));
        }
    }
}

impl BodyChanges {
    /// Whether a file becomes that of an older version.
    pub fn moves(&self, file: &Arc<FileContent>) -> bool {
        self.moved.iter().any(|(moved, _)| Arc::ptr_eq(moved, file))
    }
}

/// The file of an object, if the object was the latest at its key and is no longer.
fn replaced_file<'a>(
    edits: &[Edit<'_>],
    bucket: &str,
    key: &str,
    object: &'a Object,
) -> Option<&'a Arc<FileContent>> {
    let Content::InFile(file) = &object.content else {
        return None;
    };
    let is_it =
        |lost: &Object| matches!(&lost.content, Content::InFile(it) if Arc::ptr_eq(it, file));
    let mut lost = edits.iter().filter(|edit| edit.is_of(bucket, key));
    lost.any(|edit| edit.lost().is_some_and(is_it))
        .then_some(file)
}

fn keep(
    bucket: &str,
    key: &str,
    object: &Object,
    latest: Option<&Arc<FileContent>>,
    writing: &mut Change<'_>,
) -> Result<()> {
    let sha256 = object.sha256().map_or_else(String::new, const_hex::encode);
    let (bucket, key) = (bucket.to_owned(), key.to_owned());
    let step = match latest {
        Some(file) if file.is_blob => Step::KeepBlob {
            bucket,
            key,
            sha256,
        },
        Some(_) => Step::KeepFile {
            bucket,
            key,
            sha256,
        },
        None => Step::MoveVersion {
            staged: writing.stage_content(&object.content)?.0,
            sha256,
        },
    };
    writing.step(step);
    Ok(())
}
