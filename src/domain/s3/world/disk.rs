//! A world on disk: what programs change is there at the next run.

use super::edits::{Edit, edits};
use super::journal::{Committed, Journal, Step};
use super::manifest::BucketManifest;
use super::tree::{self, Manifests};
use crate::domain::s3::clock::Clock;
use crate::domain::s3::memory::{Memory, Store, perform};
use crate::domain::s3::operations;
use crate::domain::{Answer, Signer, Value, World};
use crate::error::{Error, Result};
use crate::lock::Locked;
use async_trait::async_trait;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A folder as an S3 account: each subfolder is a bucket, each file an object, and a
/// person may look at them, add, edit and delete them between runs.
///
/// What a tree of files cannot say is in its folder `.dialog2api`: regions, types,
/// metadata and times (`buckets/`), and the contents of keys that are no paths, such
/// as `a//b`, `dir/`, `..`, or `a` beside `a/b` (`blobs/`). A write is on disk, as a
/// whole, before its call is answered. All contents are also in memory.
pub struct DiskWorld {
    root: PathBuf,
    journal: Journal,
    kept: Mutex<Kept>,
    /// Held as long as the world is open.
    _lock: Locked,
}

struct Kept {
    store: Store,
    /// The keys, by bucket, whose content is in the blob folder.
    blobs: BTreeMap<String, BTreeSet<String>>,
}

impl DiskWorld {
    /// Opens a folder; one that is not there is created, empty.
    ///
    /// # Errors
    /// A folder that cannot be read or written, that another process has open, or
    /// whose content cannot be a world.
    pub fn open(root: &Path, clock: Clock) -> Result<Self> {
        match fs::metadata(root) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                return Err(Error::Content {
                    path: root.to_owned(),
                    problem: "is neither a folder nor a description (FILE.toml)".to_owned(),
                });
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                fs::create_dir(root)
                    .map_err(Error::file("cannot create the world's folder", root))?;
            }
            Err(error) => return Err(Error::file("cannot read the world's folder", root)(error)),
        }
        let journal = Journal::open(root)?;
        let lock = lock(&journal.hidden("lock"), root)?;
        journal.recover()?;
        let manifests = Manifests {
            by_bucket: manifests(&journal)?,
            blobs: journal.hidden("blobs"),
        };
        let loaded = tree::read(root, &manifests)?;
        let mut store = Store::new(clock);
        store.state = loaded.state;
        Ok(DiskWorld {
            root: root.to_owned(),
            journal,
            kept: Mutex::new(Kept {
                store,
                blobs: loaded.blobs,
            }),
            _lock: lock,
        })
    }

    /// [`World::call`] without the future: the disk is waited for in place.
    ///
    /// # Errors
    /// The disk's. The call has then changed nothing, unless the message says otherwise.
    pub fn perform(&self, operation: &str, params: &Value) -> Result<Answer> {
        let mut kept = self.lock();
        if !operations::writes(operation) {
            return Ok(perform(&mut kept.store, operation, params));
        }
        let mut next = kept.store.clone();
        let answer = perform(&mut next, operation, params);
        let edits = edits(&kept.store, &next);
        if edits.is_empty() {
            return Ok(answer);
        }
        let mut blobs = kept.blobs.clone();
        let committed = self.write(&edits, &next, &mut blobs)?;
        drop(edits);
        *kept = Kept { store: next, blobs };
        committed.finish().map_err(|error| {
            Error::World(format!(
                "the change is recorded, and will be finished when the world is opened again: {error}"
            ))
        })?;
        Ok(answer)
    }

    /// The state as a world in memory: nothing that is done to it reaches the disk.
    pub fn fork(&self) -> Memory {
        let name = self.root.display().to_string();
        Memory::new(&name, self.lock().store.clone())
    }

    /// Brings edits to disk, up to the point from which they count.
    fn write(
        &self,
        edits: &[Edit<'_>],
        next: &Store,
        blobs: &mut BTreeMap<String, BTreeSet<String>>,
    ) -> Result<Committed<'_>> {
        // A change that could not be finished comes first.
        self.journal.recover()?;
        let mut writing = self.journal.change();
        let mut touched = BTreeSet::new();
        for edit in edits {
            let in_blob =
                |bucket: &str, key: &str| blobs.get(bucket).is_some_and(|keys| keys.contains(key));
            match *edit {
                Edit::BucketMade(bucket) => {
                    let path = self.root.join(bucket);
                    if fs::symlink_metadata(&path).is_ok_and(|there| !there.is_dir()) {
                        return Err(Error::World(format!(
                            "cannot make the folder of the bucket {bucket}: {} is a file or a \
                             link; move it away",
                            path.display()
                        )));
                    }
                    writing.step(Step::MakeBucket {
                        bucket: bucket.to_owned(),
                    });
                    touched.insert(bucket);
                }
                Edit::BucketGone(bucket) => {
                    if let Some(path) = tree::stranger(&self.root.join(bucket)) {
                        return Err(Error::World(format!(
                            "cannot remove the folder of the bucket {bucket}: {} is in it, which \
                             is not one of the bucket's objects; move it away or open the world \
                             again",
                            path.display()
                        )));
                    }
                    blobs.remove(bucket);
                    writing.step(Step::RemoveBucket {
                        bucket: bucket.to_owned(),
                    });
                }
                Edit::Put {
                    bucket,
                    key,
                    object,
                    replaces,
                } => {
                    let blob = object.blob().ok_or_else(|| {
                        Error::World(format!("the content of {bucket}/{key} is not loaded"))
                    })?;
                    let staged = writing.stage(&blob.bytes)?;
                    let was_blob = replaces && in_blob(bucket, key);
                    let was_file = replaces && !was_blob;
                    let (bucket_name, key) = (bucket.to_owned(), key.to_owned());
                    touched.insert(bucket);
                    let keys = blobs.entry(bucket.to_owned()).or_default();
                    if tree::place(&self.root, bucket, &key, was_file).is_some() {
                        if keys.remove(&key) {
                            let (bucket, key) = (bucket_name.clone(), key.clone());
                            writing.step(Step::RemoveBlob { bucket, key });
                        }
                        writing.step(Step::MoveFile {
                            staged,
                            bucket: bucket_name,
                            key,
                        });
                    } else {
                        keys.insert(key.clone());
                        writing.step(Step::MoveBlob {
                            staged,
                            bucket: bucket_name,
                            key,
                        });
                    }
                }
                Edit::Gone { bucket, key } => {
                    let was_blob = in_blob(bucket, key);
                    let (name, key) = (bucket.to_owned(), key.to_owned());
                    touched.insert(bucket);
                    if was_blob {
                        blobs.entry(name.clone()).or_default().remove(&key);
                        writing.step(Step::RemoveBlob { bucket: name, key });
                    } else {
                        writing.step(Step::RemoveFile { bucket: name, key });
                    }
                }
            }
        }
        let none = BTreeSet::new();
        for name in touched {
            let Some(bucket) = next.state.bucket(name) else {
                continue;
            };
            let manifest = BucketManifest::new(bucket, blobs.get(name).unwrap_or(&none));
            let text = serde_json::to_vec_pretty(&manifest)
                .map_err(|error| Error::World(error.to_string()))?;
            let staged = writing.stage(&text)?;
            writing.step(Step::MoveManifest {
                staged,
                bucket: name.to_owned(),
            });
        }
        writing.commit()
    }

    /// Carries out a write that is interrupted after so many steps; says whether it
    /// has more steps than that.
    #[cfg(test)]
    pub fn interrupted(&self, operation: &str, params: &Value, steps: usize) -> Result<bool> {
        let kept = self.lock();
        let mut next = kept.store.clone();
        let answer = perform(&mut next, operation, params);
        assert!(answer.is_ok(), "{answer:?}");
        let mut blobs = kept.blobs.clone();
        let edits = edits(&kept.store, &next);
        self.write(&edits, &next, &mut blobs)?
            .interrupt_after(steps)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl World for DiskWorld {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.perform(operation, params)
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(self.fork()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        let state = self.lock().store.state.clone();
        state.sign(signer)
    }

    fn writes(&self, operation: &str) -> bool {
        operations::writes(operation)
    }

    fn describe(&self) -> String {
        format!("{} (embedded S3, kept in this folder)", self.root.display())
    }
}

fn lock(path: &Path, root: &Path) -> Result<Locked> {
    let file = File::create(path).map_err(Error::file("cannot write", path))?;
    match Locked::new(file) {
        Ok(file) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Usage(format!(
            "the world {} is open in another dialog2api; end that one first, or copy the folder",
            root.display()
        ))),
        Err(TryLockError::Error(error)) => Err(Error::file("cannot lock", path)(error)),
    }
}

fn manifests(journal: &Journal) -> Result<BTreeMap<String, BucketManifest>> {
    let folder = journal.hidden("buckets");
    let mut manifests = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(Error::file("cannot read", &folder))? {
        let path = entry.map_err(Error::file("cannot read", &folder))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let Some(bucket) = name.strip_suffix(".json") else {
            continue;
        };
        let text = fs::read(&path).map_err(Error::file("cannot read", &path))?;
        let manifest = serde_json::from_slice(&text).map_err(|error| Error::Content {
            path: path.clone(),
            problem: format!(
                "damaged: {error}; without this file the bucket still has the objects that are \
                 files, with guessed types and the files' times"
            ),
        })?;
        manifests.insert(bucket.to_owned(), manifest);
    }
    Ok(manifests)
}
