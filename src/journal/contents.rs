//! What is too long for a line of the journal: bytes by their SHA-256, each once.

use crate::error::{Error, Result};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, File};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder of contents: `ab/abcd…` has the bytes with that SHA-256.
#[derive(Debug)]
pub struct Contents {
    folder: PathBuf,
    /// Makes the names of files that are being written different.
    written: AtomicU64,
}

/// The folder of files that are being written.
const PARTIAL: &str = "partial";

impl Contents {
    /// The contents in this folder, which is made with the first of them.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Contents {
            folder: folder.into(),
            written: AtomicU64::new(0),
        }
    }

    /// Keeps bytes, and says under which name: they are on the disk when this returns.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn put(&self, bytes: &[u8]) -> Result<String> {
        let id = id(bytes);
        let path = self.path(&id);
        // What is there and damaged is written once more.
        if path.exists() && self.get(&id, bytes.len() as u64).is_ok() {
            return Ok(id);
        }
        let partial = self.folder.join(PARTIAL);
        make_private(&partial)?;
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let partial = partial.join(format!("{}-{number}", std::process::id()));
        let written = File::options()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600)
            .open(&partial)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
        let kept = written
            .map_err(Error::file("cannot write", &partial))
            .and_then(|()| self.rename(&partial, &path));
        if kept.is_err() {
            // What could not be finished only takes up room.
            let _ = fs::remove_file(&partial);
        }
        kept.map(|()| id)
    }

    /// The bytes of this name and length.
    ///
    /// # Errors
    /// They are not there, or not what they were.
    pub fn get(&self, id: &str, size: u64) -> Result<Bytes> {
        let is_id = id.len() == 64 && id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !is_id {
            return Err(self.no_value("names a content that cannot be"));
        }
        let path = self.path(id);
        let damaged = |problem: String| Error::Content {
            path: path.clone(),
            problem,
        };
        let found = fs::metadata(&path).map_err(Error::file("cannot read", &path))?;
        if found.len() != size {
            let len = found.len();
            let problem = format!("has {len} bytes, and the journal kept {size} there");
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

    /// Takes away what a process that was cut off had not finished.
    pub fn clear_partial(&self) {
        // It only takes up room.
        let _ = fs::remove_dir_all(self.folder.join(PARTIAL));
    }

    /// A value of the journal that is none.
    pub(super) fn no_value(&self, problem: &str) -> Error {
        Error::Content {
            path: self.folder.clone(),
            problem: format!("the journal beside it {problem}"),
        }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(id.get(..2).unwrap_or_default()).join(id)
    }

    fn rename(&self, partial: &Path, path: &Path) -> Result<()> {
        let parent = path.parent().unwrap_or(&self.folder);
        if !parent.exists() {
            make_private(parent)?;
            sync_folder(&self.folder)?;
        }
        fs::rename(partial, path).map_err(Error::file("cannot write", path))?;
        sync_folder(parent)
    }
}

/// The SHA-256 of bytes, in hex.
fn id(bytes: &[u8]) -> String {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    digest.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a String does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Makes a folder and those above it; what is made is the user's own.
pub(super) fn make_private(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(Error::file("cannot make the folder", folder))
}

/// A name that was made in a folder is there after a power cut, too.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(Error::file("cannot write to the disk", folder))
}
