//! A world in a folder. Changes of programs are kept for the next run.

use super::bodies::Bodies;
use super::folders::Folders;
use super::index::{Index, Known, Place};
use super::limits::{DiskLimits, Usage};
use super::manifest_log::ManifestSize;
use super::manifests::Manifests;
use super::refresh::{Refresh, Scope};
use super::streamed::{STREAMED, spooled, streamed};
use super::write::Writer;
use super::{journal::Journal, lock, tree};
use crate::blocking;
use crate::clock::Clock;
use crate::domain::{Answer, Refusal, Signer, Value, World};
use crate::error::{Error, Result};
use crate::lock::Locked;
use crate::memory::pieces::Pieces;
use crate::memory::put::Prepared;
use crate::memory::spool::Spool;
use crate::memory::{Memory, Store, perform, perform_prepared, perform_waiting, read};
use crate::names::{MAX_STORED_BYTES, MAX_UPLOAD_BYTES};
use crate::operations;
use crate::params::Params;
use async_trait::async_trait;
use jiff::Timestamp;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A folder as an S3 account: each subfolder is a bucket and each file an object. A subfolder whose
/// name no client accepts for a bucket is one under another name, which [`DiskWorld::note`] says:
/// `My Photos` is `my-photos`. Between
/// runs, a person may read, add, edit and delete files.
///
/// Everything else is in its subfolder `.dialog2api`: regions, types, metadata and times
/// (`buckets/`), and the contents of keys that are not file paths, such as `a//b`,
/// `dir/`, `..`, or `a` next to `a/b` (`blobs/`), and of older versions and of the parts of
/// uploads in progress (`versions/`). It is made by the first write; a world that is only read
/// leaves the folder as it is, and its checksums are kept in the user's cache folder. In a
/// bucket that keeps versions, the files are the latest ones. A file that a person has
/// edited or added is a new version; the content that it had before is lost, so the version
/// with that content is, too. A file that a person has removed is a deleted key. Whatever a
/// person does is seen at the next call. A write is atomic, and it is on disk
/// before its call returns. Contents stay on disk, and are read when they are asked for: as they
/// are, or for the checksum of which an ETag is made.
///
/// # Examples
///
/// ```
/// use s3_world::domain::Value;
/// use s3_world::clock::Clock;
/// use s3_world::world::DiskWorld;
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
    /// The folders as they were when they were last read.
    folders: Mutex<Folders>,
    journal: Arc<Journal>,
    limits: DiskLimits,
    spool: Spool,
    /// The index as it was last written.
    indexed: Mutex<u64>,
    writes: AtomicU64,
    /// What was left out, in a sentence.
    note: Option<String>,
    /// Held while the world is open, if it may be written.
    lock: Option<Locked>,
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
        let lock = lock::of_folder(root)?;
        let journal = Journal::open(root)?;
        lock::check_file(&journal)?;
        if journal.is_interrupted() {
            journal.prepare()?;
            journal.recover()?;
        }
        let world = DiskWorld::read(journal, clock, limits, lock)?;
        if world.inner.journal.exists() {
            // What is left over does no harm, and a folder may be read that cannot be written.
            let _ = world.inner.journal.forget_replaced();
            let _ = world
                .inner
                .writer()
                .bodies
                .forget_others(&world.inner.journal);
        }
        Ok(world)
    }

    /// Opens a folder that is not written, also while another process has it open.
    ///
    /// # Errors
    /// Those of [`DiskWorld::open`].
    pub(super) fn open_reading(root: &Path, clock: Clock) -> Result<Self> {
        let lock = lock::of_folder(root).ok().flatten();
        let world = DiskWorld::read(Journal::open(root)?, clock, DiskLimits::default(), None)?;
        drop(lock);
        Ok(world)
    }

    fn read(
        journal: Journal,
        clock: Clock,
        limits: DiskLimits,
        lock: Option<Locked>,
    ) -> Result<Self> {
        let root = journal.root().to_owned();
        let manifests = Manifests::read(&journal)?;
        let index = Place::of(&journal).map(|place| Index::read(&place));
        let index = index.unwrap_or_default();
        let mut store = Store::new(clock);
        store.object_bytes = usize::try_from(MAX_STORED_BYTES).unwrap_or(usize::MAX);
        store.upload_limits.bytes = store.object_bytes;
        let tree = tree::read(&root, &manifests, &index, &limits)?;
        store.state = tree.state;
        store.is_unread = tree.is_unread;
        let mut sizes = manifests.sizes;
        let bodies = Bodies::open(&manifests.by_bucket);
        // The manifest of a bucket without a folder is obsolete.
        sizes.retain(|name, _: &mut ManifestSize| store.state.bucket(name).is_some());
        for name in &tree.stale {
            if let Some(size) = sizes.get_mut(name) {
                size.is_stale = true;
            }
        }
        let usage = Usage::of(&store.state);
        let buckets: Vec<String> = store.state.buckets().map(|it| it.0.to_owned()).collect();
        journal.call(tree.aliases.clone(), &buckets);
        let journal = Arc::new(journal);
        let writer = Writer::new(journal.clone(), limits, usage, sizes, bodies);
        let known = Known::of(&store.state);
        let indexed = match journal.exists() || known.took_long() {
            true => known.print(),
            // The first write makes an index, whatever is in it.
            false => 0,
        };
        Ok(DiskWorld {
            inner: Arc::new(Inner {
                spool: Spool::new(journal.incoming()),
                note: tree.left_out.note(&root, &tree.aliases),
                root,
                store: Mutex::new(store),
                writer: Mutex::new(writer),
                folders: Mutex::new(tree.folders),
                journal,
                limits,
                indexed: Mutex::new(indexed),
                writes: AtomicU64::new(0),
                lock,
            }),
        })
    }

    /// A sentence for people about what programs do not see of the folder, if there is such.
    pub fn note(&self) -> Option<&str> {
        self.inner.note.as_deref()
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
        // If the folder cannot be read any more, the next call says so.
        let current = self.inner.current(&Scope::all(), &Value::Null);
        let store = current.unwrap_or_else(|_| self.inner.snapshot());
        let is_on_disk = true;
        Memory::new(
            &name,
            Store {
                is_on_disk,
                ..store
            },
        )
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
        let mut writer = self.inner.writer();
        writer.prepare()?;
        let change = writer.write(&edits, &next)?;
        change.committed.interrupt_after(&writer.journal, steps)
    }
}

impl Inner {
    fn perform(&self, operation: &str, params: &Value) -> Result<Answer> {
        let scope = Scope::of(params);
        if !operations::writes(operation) {
            let mut store = self.current(&scope, params)?;
            return Ok(perform(&mut store, operation, params));
        }
        let pieces = match Pieces::are_of(operation) {
            true => Pieces::of_call(&self.current(&scope, params)?, operation, params),
            false => None,
        };
        let prepared = match (pieces, spooled(params)) {
            (Some(pieces), _) => {
                self.writer().prepare()?;
                Prepared::join(pieces, Some(&self.spool))?
            }
            (None, Some(content)) => Prepared::spooled(content, &self.spool)?,
            (None, None) => Prepared::new(operation, params),
        };
        let mut writer = self.writer();
        self.refresh(&mut writer, &scope, params)?;
        let before = self.snapshot();
        let mut next = before.clone();
        let answer = perform_prepared(&mut next, operation, params, prepared);
        match writer.carry_out(&before, &mut next)? {
            Ok(finished) => {
                // The change is committed, whether or not it could be finished.
                *self.lock() = next;
                if self.writes.fetch_add(1, Ordering::Relaxed) % WRITES == WRITES - 1 {
                    self.keep_index();
                }
                finished.map_err(|error| {
                    Error::world(format!(
                        "the change is recorded, and will be finished when the world is opened \
                         again: {error}"
                    ))
                })?;
                Ok(answer)
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// The state as the folder has it where a call looks, in O(1) unless a person has changed
    /// something.
    fn current(&self, scope: &Scope, params: &Value) -> Result<Store> {
        let store = self.snapshot();
        {
            let mut folders = self.folders();
            let mut refresh = Refresh::new(
                &self.journal,
                &self.limits,
                &mut folders,
                store.state.clone(),
            );
            refresh.look(scope, params)?;
            if !refresh.is_changed {
                refresh.remember();
                return Ok(store);
            }
        }
        // It may be a write that is under way.
        let mut writer = self.writer();
        self.refresh(&mut writer, scope, params)?;
        Ok(self.snapshot())
    }

    /// Takes over what a person has changed where a call looks.
    fn refresh(&self, writer: &mut Writer, scope: &Scope, params: &Value) -> Result<()> {
        let state = self.snapshot().state;
        let mut folders = self.folders();
        let mut refresh = Refresh::new(&self.journal, &self.limits, &mut folders, state);
        refresh.look(scope, params)?;
        refresh.remember();
        if refresh.is_changed {
            writer.take_over(&refresh.state, &refresh.stale, refresh.found);
            let mut store = self.lock();
            store.state = refresh.state;
            store.is_unread |= refresh.is_unread;
        }
        Ok(())
    }

    /// Keeps the checksums that were computed. If they cannot be written, the next opening reads
    /// the files.
    fn keep_index(&self) {
        let is_own = self.journal.exists();
        if is_own && self.lock.is_none() {
            return;
        }
        let known = Known::of(&self.snapshot().state);
        if !is_own && !known.took_long() {
            return;
        }
        let print = known.print();
        let mut indexed = self.indexed.lock().unwrap_or_else(PoisonError::into_inner);
        if *indexed != print
            && let Some(place) = Place::of(&self.journal)
            && known.write(&place).is_ok()
        {
            *indexed = print;
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

    fn folders(&self) -> MutexGuard<'_, Folders> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.keep_index();
    }
}

/// After how many writes the index is written, for the case that the process is killed.
const WRITES: u64 = 1000;

#[async_trait]
impl World for DiskWorld {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        if operations::writes(operation) {
            let (inner, operation) = (self.inner.clone(), operation.to_owned());
            let params = params.clone();
            return blocking::waiting(move || inner.perform(&operation, &params)).await?;
        }
        let mut store = self.inner.current(&Scope::of(params), params)?;
        match Params::new(params) {
            Ok(params) if operation == "get_object" => {
                read::load(read::wanted(&store, params), params).await
            }
            _ if store.is_unread => perform_waiting(store, operation, params).await,
            _ => Ok(perform(&mut store, operation, params)),
        }
    }

    async fn call_streamed(&self, operation: &str, params: &Value) -> Result<Answer> {
        if operation != "get_object" {
            return self.call(operation, params).await;
        }
        let store = self.inner.current(&Scope::of(params), params)?;
        let Ok(asked) = Params::new(params) else {
            return self.call(operation, params).await;
        };
        let wanted = match read::wanted(&store, asked) {
            Ok(wanted) if wanted.range().len() > STREAMED => wanted,
            found => return read::load(found, asked).await,
        };
        let content = wanted.object.content.clone();
        if content.known_checksums().is_none() {
            let content = content.clone();
            blocking::waiting(move || content.checksums().is_some()).await?;
        }
        let body = streamed(content, wanted.range());
        Ok(read::answer(&wanted, body, asked))
    }

    fn spool(&self) -> Result<Option<(PathBuf, u64)>> {
        self.inner.writer().prepare()?;
        Ok(Some((self.inner.journal.incoming(), MAX_UPLOAD_BYTES)))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(self.fork()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        let store = self.inner.current(&Scope::all(), &Value::Null)?;
        if !store.is_unread {
            return store.state.sign(signer);
        }
        let state = store.state.clone();
        blocking::waiting(move || {
            for object in state
                .buckets()
                .flat_map(|(_, bucket)| bucket.objects.values())
            {
                // What cannot be read is an error below.
                let _ = object.content.checksums();
            }
        })
        .await?;
        store.state.sign(signer)
    }

    /// A file or a link that programs do not see may stand where a bucket's folder is to be made, or
    /// lie in a folder that is to be removed.
    async fn objection(&self, operation: &str, params: &Value) -> Result<Option<Refusal>> {
        let Some(Value::Str(name)) = params.get("Bucket") else {
            return Ok(None);
        };
        match operation {
            "create_bucket" => return Ok(self.inner.writer().cannot_come(name)),
            "delete_bucket" => {}
            _ => return Ok(None),
        }
        let store = self.inner.current(&Scope::of(params), params)?;
        let Some(bucket) = store.state.bucket(name) else {
            return Ok(None);
        };
        let is_object = |key: &str| bucket.objects.contains_key(key);
        Ok(self.inner.writer().cannot_go(name, &is_object))
    }

    fn waits(&self) -> bool {
        true
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
