//! Brings the changes of one operation to disk.

use super::bodies::{Bodies, BodyChanges};
use super::edits::{Edit, edits};
use super::journal::{Change, Committed, Journal};
use super::limits::{DiskLimits, Usage};
use super::lock;
use super::manifest::{BucketManifest, ObjectManifest, sealed, written_settings};
use super::manifest_log::{ManifestSize, Record};
use super::manifests::Manifests;
use super::steps::Step;
use super::tree;
use super::upload_manifest::{PartManifest, UploadManifest};
use super::version_manifest::VersionManifest;
use crate::domain::Refusal;
use crate::error::{Error, Result};
use crate::lock::Locked;
use crate::memory::parts::Part;
use crate::memory::uploads::Id;
use crate::memory::{Bucket, Buckets, Content, FileContent, Object, Store};
use crate::refusal;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// Writes changes to the folder of a world, one after another.
pub struct Writer {
    pub journal: Arc<Journal>,
    limits: DiskLimits,
    usage: Usage,
    /// The buckets that have a manifest.
    manifests: BTreeMap<String, ManifestSize>,
    /// The contents of older versions.
    pub bodies: Bodies,
    /// How many contents were set aside.
    aside: u64,
    /// The lock on the hidden folder, from the first write on.
    lock: Option<Locked>,
}

/// A committed change, with the data to remember after it.
pub struct Written {
    pub committed: Committed,
    /// The written objects, by bucket and key, with the files of their contents.
    placed: Placed,
    /// The files that stay as they are, because only what is around a content has changed.
    kept: Vec<Arc<FileContent>>,
    /// The parts that have come, with the files of their contents.
    parts: Vec<PlacedPart>,
    /// The manifests that have changed; `None` for a deleted bucket.
    manifests: Vec<(String, Option<ManifestSize>)>,
    /// The effect on the contents of older versions.
    bodies: BodyChanges,
}

/// The files of new contents, by bucket and key.
type Placed = BTreeMap<(String, Arc<str>), Arc<FileContent>>;

/// The bucket, the upload and the number of a part, and the file of its content.
type PlacedPart = (String, Id, i64, PathBuf);

impl Writer {
    pub fn new(
        journal: Arc<Journal>,
        limits: DiskLimits,
        usage: Usage,
        manifests: BTreeMap<String, ManifestSize>,
        bodies: Bodies,
    ) -> Self {
        Writer {
            journal,
            limits,
            usage,
            manifests,
            bodies,
            aside: 0,
            lock: None,
        }
    }

    /// Makes the folder ready to be written, before the first write. Until then, nothing of it
    /// is changed.
    ///
    /// # Errors
    /// The folder cannot be written, or another process writes it.
    pub fn prepare(&mut self) -> Result<()> {
        if self.lock.is_none() {
            self.journal.prepare()?;
            self.lock = Some(lock::of_file(&self.journal)?);
            self.journal.forget_replaced()?;
        }
        Ok(())
    }

    /// Carries out the change from `before` to `next`, whose contents are in files
    /// afterwards. With the outer error or the refusal, nothing has changed. With the
    /// inner error, the change is committed, and the next opening finishes it.
    pub fn carry_out(
        &mut self,
        before: &Store,
        next: &mut Store,
    ) -> Result<Result<Result<()>, Refusal>> {
        let edits = edits(before, next);
        if edits.is_empty() {
            return Ok(Ok(Ok(())));
        }
        let usage = self.usage_after(&edits);
        if let Err(refusal) = usage.check_write(&self.limits) {
            return Ok(Err(refusal));
        }
        for edit in &edits {
            let refusal = match edit {
                Edit::BucketMade(bucket) => self.cannot_come(bucket),
                Edit::BucketGone(bucket) => self.cannot_go(bucket, &|_| false),
                _ => None,
            };
            if let Some(refusal) = refusal {
                return Ok(Err(refusal));
            }
        }
        self.prepare()?;
        let written = self.write(&edits, next)?;
        self.usage = usage;
        for (bucket, size) in written.manifests {
            match size {
                Some(size) => self.manifests.insert(bucket, size),
                None => self.manifests.remove(&bucket),
            };
        }
        for file in edits.iter().flat_map(Edit::lost_files) {
            let is_kept = written.kept.iter().any(|kept| Arc::ptr_eq(kept, file));
            if !is_kept && !written.bodies.moves(file) {
                self.aside += 1;
                file.set_aside(self.journal.hidden("replaced").join(self.aside.to_string()));
            }
        }
        drop(edits);
        self.bodies.apply(written.bodies, &self.journal);
        let files: Vec<_> = written.placed.values().cloned().collect();
        for ((bucket, key), content) in written.placed {
            let bucket = next.state.bucket_mut(&bucket);
            if let Some(object) = bucket.and_then(|bucket| bucket.objects.get_mut(&key)) {
                Arc::make_mut(object).content = Content::InFile(content);
            }
        }
        for (bucket, id, number, file) in written.parts {
            if let Some(bucket) = next.state.bucket_mut(&bucket) {
                bucket.uploads.move_part(&id, number, file);
            }
        }
        let finished = written.committed.finish(&self.journal);
        files.iter().for_each(|file| file.settle());
        Ok(Ok(finished))
    }

    /// Takes over what a person has done to the folder.
    pub fn take_over(&mut self, state: &Buckets, stale: &BTreeSet<String>, found: Manifests) {
        self.usage = Usage::of(state);
        for (name, size) in found.sizes {
            self.manifests.entry(name).or_insert(size);
        }
        self.manifests
            .retain(|name, _| state.bucket(name).is_some());
        for name in stale {
            if let Some(size) = self.manifests.get_mut(name) {
                size.is_stale = true;
            }
        }
    }

    fn usage_after(&self, edits: &[Edit<'_>]) -> Usage {
        let mut usage = self.usage;
        for edit in edits {
            let (more, fewer) = edit.markers();
            edit.all_lost().for_each(|lost| usage.remove(lost.size()));
            (0..fewer).for_each(|_| usage.remove(0));
            edit.all_new().for_each(|new| usage.add(new.size()));
            (0..more).for_each(|_| usage.add(0));
            let size = |part: &Part| part.blob.bytes.len();
            edit.lost_parts().for_each(|part| usage.remove(size(part)));
            edit.new_parts().for_each(|part| usage.add(size(part)));
        }
        usage
    }

    /// Brings edits to disk and commits them.
    pub fn write(&self, edits: &[Edit<'_>], next: &Store) -> Result<Written> {
        // An earlier change that could not be finished comes first.
        self.journal.recover()?;
        let mut writing = self.journal.change();
        let mut placed = Placed::new();
        let mut parts = Vec::new();
        let mut kept = Vec::new();
        let bodies = self.bodies.stage(edits, &mut writing)?;
        for edit in edits {
            match *edit {
                Edit::BucketMade(bucket) => {
                    let bucket = bucket.to_owned();
                    writing.step(Step::MakeBucket { bucket });
                }
                Edit::BucketGone(bucket) => {
                    let bucket = bucket.to_owned();
                    writing.step(Step::RemoveBucket { bucket });
                }
                Edit::Settings { .. }
                | Edit::Numbered(_)
                | Edit::Versions { .. }
                | Edit::UploadBegun { .. }
                | Edit::UploadEnded { .. } => {}
                Edit::Part {
                    bucket,
                    id,
                    number,
                    part,
                    ..
                } => {
                    let file = self.journal.version(&part.blob.checksums.sha256);
                    parts.push((bucket.to_owned(), id.clone(), number, file));
                }
                Edit::Put {
                    bucket,
                    key,
                    object,
                    replaced,
                } => {
                    if let Content::InFile(file) = &object.content
                        && replaced
                            .and_then(|it| it.content.file())
                            .is_some_and(|was| Arc::ptr_eq(was, file))
                        && !bodies.moves(file)
                    {
                        kept.push(file.clone());
                        continue;
                    }
                    let content = self.put(bucket, key, object, replaced, &mut writing)?;
                    placed.insert((bucket.to_owned(), Arc::from(key)), Arc::new(content));
                }
                Edit::Gone {
                    bucket,
                    key,
                    object,
                } => {
                    let (bucket, key) = (bucket.to_owned(), key.to_owned());
                    writing.step(if is_blob(object) {
                        Step::RemoveBlob { bucket, key }
                    } else {
                        Step::RemoveFile { bucket, key }
                    });
                }
            }
        }
        let is_blob_now = |bucket: &str, key: &str, object: &Object| {
            let place = placed.get(&(bucket.to_owned(), Arc::from(key)));
            place.map_or_else(|| is_blob(object), |content| content.is_blob)
        };
        let mut manifests = Vec::new();
        let touched: BTreeSet<&str> = edits.iter().map(Edit::bucket).collect();
        for name in touched {
            let size = match next.state.bucket(name) {
                Some(bucket) => {
                    let edits = edits.iter().filter(|edit| edit.bucket() == name);
                    Some(self.record(name, bucket, edits, &is_blob_now, &mut writing)?)
                }
                None => None,
            };
            manifests.push((name.to_owned(), size));
        }
        Ok(Written {
            committed: writing.commit()?,
            placed,
            kept,
            parts,
            manifests,
            bodies,
        })
    }

    fn folder(&self, bucket: &str) -> Result<PathBuf> {
        let folder = self.journal.folder(bucket);
        folder.ok_or_else(|| Error::world(format!("{bucket:?} can be the name of no bucket")))
    }

    /// The refusal to make a bucket in whose place a file or a link is.
    pub fn cannot_come(&self, bucket: &str) -> Option<Refusal> {
        let path = self.journal.folder(bucket)?;
        let there = fs::symlink_metadata(&path).ok()?;
        let mut refusal = refusal::bucket_already_exists(bucket);
        refusal.message = format!(
            "{} {path:?} is a file or a link; move it away",
            refusal.message
        );
        (!there.is_dir()).then_some(refusal)
    }

    /// The refusal to remove a bucket whose folder has something else than objects in it.
    pub fn cannot_go(&self, bucket: &str, is_object: &dyn Fn(&str) -> bool) -> Option<Refusal> {
        let path = tree::stranger(&self.journal.folder(bucket)?, is_object)?;
        let mut refusal = refusal::bucket_not_empty(bucket);
        refusal.message = format!(
            "{}: its folder has {path:?}, which is no object; move it away",
            refusal.message
        );
        Some(refusal)
    }

    /// Stages a content. Returns the file that it will be in.
    fn put(
        &self,
        bucket: &str,
        key: &str,
        object: &Object,
        replaced: Option<&Object>,
        writing: &mut Change<'_>,
    ) -> Result<FileContent> {
        let Some(checksums) = object.content.checksums().copied() else {
            return Err(Error::world(format!(
                "the content of {bucket}/{key} is not loaded"
            )));
        };
        let (staged, stamp) = writing.stage_content(&object.content)?;
        let was_file = replaced.is_some_and(|replaced| !is_blob(replaced));
        let folder = self.folder(bucket)?;
        let in_tree = tree::place(self.journal.root(), &folder, key, was_file);
        let is_blob_now = in_tree.is_none();
        let path = in_tree.unwrap_or_else(|| self.journal.blob(bucket, key));
        let (bucket, key) = (bucket.to_owned(), key.to_owned());
        if is_blob_now {
            writing.step(Step::MoveBlob {
                staged,
                bucket,
                key,
            });
        } else {
            if replaced.is_some_and(is_blob) {
                let (bucket, key) = (bucket.clone(), key.clone());
                writing.step(Step::RemoveBlob { bucket, key });
            }
            writing.step(Step::MoveFile {
                staged,
                bucket,
                key,
            });
        }
        Ok(FileContent::new(path, checksums, object.size(), is_blob_now).seen(stamp))
    }

    /// Records the edits of a bucket: at the end of its log, or in its manifest if the
    /// log has grown long. Returns the new sizes of both.
    fn record<'e>(
        &self,
        name: &str,
        bucket: &Bucket,
        edits: impl Iterator<Item = &'e Edit<'e>>,
        is_blob: &dyn Fn(&str, &str, &Object) -> bool,
        writing: &mut Change<'_>,
    ) -> Result<ManifestSize> {
        let mut present = self.manifests.get(name).copied();
        let mut text = String::new();
        let mut is_whole = false;
        for edit in edits {
            match *edit {
                // An existing manifest belongs to a bucket whose folder a person removed.
                Edit::BucketMade(_) => present = None,
                Edit::BucketGone(_) => {}
                Edit::Settings { versioning, .. } => {
                    // Once versioning is on, a file without an entry counts as a new version
                    // that a person wrote. So every object needs its entry now.
                    is_whole |= versioning;
                    let settings = written_settings(bucket);
                    Record::Settings { settings }.write(&mut text)?;
                }
                Edit::Put { key, object, .. } => {
                    let object = ObjectManifest::new(object, is_blob(name, key, object));
                    let key = key.to_owned();
                    Record::Put {
                        key,
                        object: Box::new(object),
                    }
                    .write(&mut text)?;
                }
                Edit::Gone { key, .. } => {
                    let key = key.to_owned();
                    Record::Delete { key }.write(&mut text)?;
                }
                Edit::Versions {
                    key, at, gone, new, ..
                } => Record::Versions {
                    key: key.to_owned(),
                    at,
                    gone: gone.len(),
                    new: new.iter().map(VersionManifest::new).collect(),
                }
                .write(&mut text)?,
                Edit::UploadBegun { id, upload, .. } => Record::Upload {
                    id: id.2.to_string(),
                    upload: Box::new(UploadManifest::new(id, upload)),
                }
                .write(&mut text)?,
                Edit::UploadEnded { id, .. } => {
                    let id = id.2.to_string();
                    Record::UploadEnded { id }.write(&mut text)?;
                }
                Edit::Part {
                    id, number, part, ..
                } => Record::Part {
                    id: id.2.to_string(),
                    number,
                    part: PartManifest::new(part),
                }
                .write(&mut text)?,
                Edit::Numbered(_) => {
                    let made = bucket.history.made();
                    Record::Made { made }.write(&mut text)?;
                }
            }
        }
        let more = text.len() as u64;
        let (manifest, offset) = match present {
            Some(size) if !is_whole && !size.is_due(more, bucket.objects.len(), &self.limits) => {
                (None, size.log)
            }
            // New entries are in the log. Files that a person has added need no entry.
            None if !is_whole => (Some(BucketManifest::without_objects(bucket)), 0),
            _ => {
                text.clear();
                let all = BucketManifest::new(bucket, |key, object| is_blob(name, key, object));
                (Some(all), 0)
            }
        };
        let mut size = ManifestSize {
            manifest: present.map_or(0, |present| present.manifest),
            log: offset + text.len() as u64,
            is_stale: false,
        };
        if let Some(manifest) = manifest {
            let text = sealed(&manifest).map_err(Error::bug("a manifest cannot be written"))?;
            size.manifest = text.len() as u64;
            let (staged, bucket) = (writing.stage(&text)?, name.to_owned());
            writing.step(Step::MoveManifest { staged, bucket });
        }
        // At offset 0, the text replaces the log of an older manifest.
        let bucket = name.to_owned();
        writing.step(Step::AppendManifest {
            bucket,
            offset,
            text,
        });
        Ok(size)
    }
}

fn is_blob(object: &Object) -> bool {
    matches!(&object.content, Content::InFile(file) if file.is_blob)
}
