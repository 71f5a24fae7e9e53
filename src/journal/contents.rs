//! What is too long for a line of the journal: bytes by their SHA-256, each once.

use crate::error::{Error, Result};
use crate::files::{self, Pending, Readers};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// A folder of contents: `ab/abcd…` has the bytes with that SHA-256.
#[derive(Debug)]
pub struct Contents {
    folder: PathBuf,
}

/// The folder of files that are being written.
const PARTIAL: &str = "partial";

impl Contents {
    /// The contents in this folder, which is made with the first of them.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Contents {
            folder: folder.into(),
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
}

/// The SHA-256 of bytes, in hex.
fn id(bytes: &[u8]) -> String {
    const_hex::encode(Sha256::digest(bytes))
}

/// Makes a folder and those above it; what is made is the user's own.
pub(super) fn make_private(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(Error::file("cannot make the folder", folder))
}

/// A name that was made in a folder is there after a power cut, too.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    files::sync_folder(folder).map_err(Error::file("cannot write to the disk", folder))
}
