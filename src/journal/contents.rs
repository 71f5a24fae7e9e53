//! Contents that are too long for a line of the journal. Equal contents are stored once,
//! under their SHA-256.

use crate::domain::counted;
use crate::error::{Error, Result};
use crate::files::{self, Pending, Readers};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

/// A folder of contents: `ab/abcd…` holds the bytes with that SHA-256.
#[derive(Debug)]
pub struct ContentStore {
    folder: PathBuf,
}

/// The most contents that are brought to the disk at once.
const AT_ONCE: usize = 32;

/// The folder of unfinished files.
const PARTIAL: &str = "partial";

impl ContentStore {
    /// The contents in this folder, which is created with the first of them.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        ContentStore {
            folder: folder.into(),
        }
    }

    /// Stores bytes and returns their name. They are on the disk when this returns.
    ///
    /// # Errors
    /// [`Error::File`] if they cannot be written.
    pub fn put(&self, bytes: &[u8]) -> Result<String> {
        let id = id(bytes);
        let path = self.path(&id);
        // A damaged file is written again.
        if path.exists() && self.get(&id, bytes.len() as u64).is_ok() {
            return Ok(id);
        }
        let partial = self.folder.join(PARTIAL);
        make_private(&partial)?;
        let parent = path.parent().unwrap_or(&self.folder);
        if !parent.exists() {
            make_private(parent)?;
            sync_folder(&self.folder)?;
        }
        Pending::within(&partial, &path, Readers::Owner)
            .and_then(|mut pending| pending.write(bytes).and_then(|()| pending.keep()))
            .map_err(Error::file("cannot write", &path))?;
        Ok(id)
    }

    /// The bytes with this name and length.
    ///
    /// # Errors
    /// [`Error::File`] if they are missing, [`Error::Content`] if they were changed.
    pub fn get(&self, id: &str, size: u64) -> Result<Bytes> {
        let is_id = id.len() == 64 && id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !is_id {
            return Err(self.no_value("names a content by something that is not a SHA-256"));
        }
        let path = self.path(id);
        let damaged = |problem: String| Error::Content {
            path: path.clone(),
            problem,
        };
        let found = fs::metadata(&path).map_err(Error::file("cannot read", &path))?;
        if found.len() != size {
            let len = counted(found.len(), "byte");
            let problem = format!("has {len}, and the journal kept {size} there");
            return Err(damaged(problem));
        }
        let bytes = fs::read(&path).map_err(Error::file("cannot read", &path))?;
        match self::id(&bytes) == id {
            true => Ok(Bytes::from(bytes)),
            false => Err(damaged(
                "was changed after the journal kept it: its SHA-256 is not its name".to_owned(),
            )),
        }
    }

    /// Removes the unfinished files of processes that were killed.
    pub fn clear_partial(&self) {
        // A failure wastes space and does no other harm.
        let _ = fs::remove_dir_all(self.folder.join(PARTIAL));
    }

    /// The error for a value of the journal that makes no sense.
    pub(super) fn no_value(&self, problem: &str) -> Error {
        Error::Content {
            path: self.folder.clone(),
            problem: format!("the journal beside it {problem}"),
        }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(id.get(..2).unwrap_or_default()).join(id)
    }
}

/// Does something for each of several things, many at a time: a disk brings many contents to rest
/// in the time of one.
///
/// # Errors
/// The first of the work's.
pub(super) fn each<T: Sync, R: Send>(
    things: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let one_by_one = |things: &[T]| things.iter().map(&work).collect::<Result<Vec<R>>>();
    if things.len() < 2 {
        return one_by_one(things);
    }
    thread::scope(|scope| {
        let lots = things.chunks(things.len().div_ceil(AT_ONCE));
        let working = lots.map(|lot| scope.spawn(|| one_by_one(lot)));
        let working: Vec<_> = working.collect();
        let mut done = Vec::with_capacity(things.len());
        for lot in working {
            done.extend(lot.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        Ok(done)
    })
}

/// The SHA-256 of bytes, in hex.
fn id(bytes: &[u8]) -> String {
    const_hex::encode(Sha256::digest(bytes))
}

/// Creates a folder and its parents, for this user alone.
pub(super) fn make_private(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(Error::no_folder(folder, "DIALOG2API_STATE_DIR"))
}

/// Flushes a folder, so that new names in it survive a power cut.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    files::sync_folder(folder).map_err(Error::file("cannot write to the disk", folder))
}
