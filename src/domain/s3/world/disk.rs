//! A world in a folder. Changes of programs are kept for the next run.

use super::bodies::Bodies;
use super::limits::{DiskLimits, Usage};
use super::manifest_log::ManifestSize;
use super::manifests::Manifests;
use super::write::Writer;
use super::{journal::Journal, tree};
use crate::blocking;
use crate::domain::s3::clock::Clock;
use crate::domain::s3::memory::pieces::Pieces;
use crate::domain::s3::memory::put::Prepared;
use crate::domain::s3::memory::{Memory, Store, perform, perform_prepared, read};
use crate::domain::s3::operations;
use crate::domain::s3::params::Params;
use crate::domain::{Answer, Signer, Value, World};
use crate::error::{Error, Result};
use crate::lock::Locked;
use async_trait::async_trait;
use jiff::Timestamp;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A folder as an S3 account: each subfolder is a bucket and each file an object. Between
/// runs, a person may read, add, edit and delete files.
///
/// Everything else is in its subfolder `.dialog2api`: regions, types, metadata and times
/// (`buckets/`), and the contents of keys that are not file paths, such as `a//b`,
/// `dir/`, `..`, or `a` next to `a/b` (`blobs/`), and of older versions and of the parts of
/// uploads in progress (`versions/`). In a
/// bucket that keeps versions, the files are the latest ones. A file that a person has
/// edited or added is a new version; the content that it had before is lost, so the version
/// with that content is, too. A file that a person has removed is a deleted key. A write is atomic, and it is on disk
/// before its call returns. Contents stay on disk until they are read.
///
/// # Examples
///
/// ```
/// use dialog2api::domain::Value;
/// use dialog2api::domain::s3::clock::Clock;
/// use dialog2api::domain::s3::world::DiskWorld;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let world = DiskWorld::open(folder.path(), Clock::System)?;
/// let bucket = || ("Bucket".into(), "photos".into());
/// let object = vec![bucket(), ("Key".into(), "2024/owl.txt".into()), ("Body".into(), "hoo".into())];
/// world.perform("create_bucket", &Value::Map(vec![bucket()]))?.expect("the name is free");
/// world.perform("put_object", &Value::Map(object))?.expect("there is room");
/// assert_eq!(std::fs::read_to_string(folder.path().join("photos/2024/owl.txt"))?, "hoo");
/// # Ok(())
/// # }
/// ```
pub struct DiskWorld {
    inner: Arc<Inner>,
}

/// The parts of a world that outlive a call even if its caller has given up.
struct Inner {
    root: PathBuf,
    /// The state that calls see. It is locked only for copying or replacing it, which is
    /// O(1).
    store: Mutex<Store>,
    /// Locked during a whole write.
    writer: Mutex<Writer>,
    /// Held while the world is open.
    _lock: Locked,
}

impl DiskWorld {
    /// Opens a folder. If it does not exist, it is created, empty.
    ///
    /// # Errors
    /// The folder cannot be read or written, another process has it open, or its content
    /// cannot be a world.
    pub fn open(root: &Path, clock: Clock) -> Result<Self> {
        DiskWorld::open_with(root, clock, DiskLimits::default())
    }

    /// Like [`DiskWorld::open`], with other limits.
    ///
    /// # Errors
    /// Those of [`DiskWorld::open`]. A folder that holds more than `limits` allows is
    /// one, too.
    pub fn open_with(root: &Path, clock: Clock, limits: DiskLimits) -> Result<Self> {
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
        journal.forget_replaced()?;
        let manifests = Manifests::read(&journal)?;
        let mut store = Store::new(clock);
        let tree = tree::read(root, &manifests, tree::Contents::InFiles, &limits)?;
        store.state = tree.state;
        let bodies = Bodies::open(&manifests, &journal)?;
        let mut usage = Usage::default();
        let mut sizes = manifests.sizes;
        // The manifest of a bucket without a folder is obsolete.
        sizes.retain(|name, _: &mut ManifestSize| store.state.bucket(name).is_some());
        for name in &tree.stale {
            if let Some(size) = sizes.get_mut(name) {
                size.is_stale = true;
            }
        }
        for (_, bucket) in store.state.buckets() {
            let latest = bucket.objects.values();
            latest.for_each(|object| usage.add(object.size()));
            let older = bucket.history.keys().flat_map(|(_, versions)| versions);
            older.for_each(|it| usage.add(it.object().map_or(0, |object| object.size())));
            let uploads = bucket.uploads.iter();
            let parts = uploads.flat_map(|(_, upload)| upload.parts.values());
            parts.for_each(|part| usage.add(part.blob.bytes.len()));
        }
        let writer = Writer::new(journal, limits, usage, sizes, bodies);
        Ok(DiskWorld {
            inner: Arc::new(Inner {
                root: root.to_owned(),
                store: Mutex::new(store),
                writer: Mutex::new(writer),
                _lock: lock,
            }),
        })
    }

    /// [`World::call`] without a future: blocks while the disk works.
    ///
    /// # Errors
    /// The disk's. The call has then changed nothing, unless the message says otherwise.
    pub fn perform(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.inner.perform(operation, params)
    }

    /// A world in memory with the current state. Its changes never reach the disk.
    /// Contents on disk stay there and do not change for the fork.
    pub fn fork(&self) -> Memory {
        let name = self.inner.root.display().to_string();
        Memory::new(&name, self.inner.snapshot())
    }

    /// Carries out a write that is interrupted after this many steps. Returns whether it
    /// has more steps.
    #[cfg(test)]
    pub fn interrupted(&self, operation: &str, params: &Value, steps: usize) -> Result<bool> {
        let before = self.inner.snapshot();
        let mut next = before.clone();
        let answer = perform(&mut next, operation, params);
        assert!(answer.is_ok(), "{answer:?}");
        let edits = super::edits::edits(&before, &next);
        let writer = self.inner.writer();
        let change = writer.write(&edits, &next)?;
        change.committed.interrupt_after(&writer.journal, steps)
    }
}

impl Inner {
    fn perform(&self, operation: &str, params: &Value) -> Result<Answer> {
        if !operations::writes(operation) {
            return Ok(perform(&mut self.snapshot(), operation, params));
        }
        let pieces = Pieces::of_call(&self.snapshot(), operation, params);
        let prepared = match pieces {
            Some(pieces) => Prepared::join(pieces)?,
            None => Prepared::new(operation, params),
        };
        let mut writer = self.writer();
        let before = self.snapshot();
        let mut next = before.clone();
        let answer = perform_prepared(&mut next, operation, params, prepared);
        match writer.carry_out(&before, &mut next)? {
            Ok(finished) => {
                // The change is committed, whether or not it could be finished.
                *self.lock() = next;
                finished.map_err(|error| {
                    Error::World(format!(
                        "the change is recorded, and will be finished when the world is opened \
                         again: {error}"
                    ))
                })?;
                Ok(answer)
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// A copy of the current state, in O(1).
    fn snapshot(&self) -> Store {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl World for DiskWorld {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        if operations::writes(operation) {
            let (inner, operation) = (self.inner.clone(), operation.to_owned());
            let params = params.clone();
            return blocking::waiting(move || inner.perform(&operation, &params)).await?;
        }
        let mut store = self.inner.snapshot();
        match Params::new(params) {
            Ok(params) if operation == "get_object" => {
                read::load(read::wanted(&store, params), params).await
            }
            _ => Ok(perform(&mut store, operation, params)),
        }
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(self.fork()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.inner.snapshot().state.sign(signer)
    }

    fn own_time(&self) -> Option<Timestamp> {
        self.inner.lock().own_time()
    }

    fn describe(&self) -> String {
        format!(
            "{} (embedded S3, kept in this folder)",
            self.inner.root.display()
        )
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
