//! Locks on the folder of a world, so that two processes never write over each other.

use super::journal::Journal;
use crate::error::{Error, Result};
use crate::lock::{Locked, taken};
use std::fs::{self, File, TryLockError};
use std::path::Path;

/// Locks the folder itself, which writes nothing into it. `None` where the system has no locks
/// on folders; then only worlds that write are kept apart.
///
/// # Errors
/// Another process has the world open.
pub fn of_folder(root: &Path) -> Result<Option<Locked>> {
    let Ok(folder) = File::open(root) else {
        return Ok(None);
    };
    match Locked::new(folder) {
        Ok(lock) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Err(taken(root)),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Locks the file in the hidden folder that earlier programs lock, too.
///
/// # Errors
/// The file cannot be written, or another process has the world open.
pub fn of_file(journal: &Journal) -> Result<Locked> {
    let path = journal.hidden("lock");
    if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
        return Err(Error::Content {
            path,
            problem: "a file was expected, not a folder or a link".to_owned(),
        });
    }
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(Error::file("cannot write", &path))?;
    match Locked::new(file) {
        Ok(lock) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(taken(journal.root())),
        Err(TryLockError::Error(error)) => Err(Error::file("cannot lock", path)(error)),
    }
}

/// Refuses a world that an earlier program has open, which locks only the file.
///
/// # Errors
/// Another process has the world open.
pub fn check_file(journal: &Journal) -> Result<()> {
    let path = journal.hidden("lock");
    let Ok(file) = crate::memory::open_regular(&path) else {
        return Ok(());
    };
    match Locked::new(file) {
        Err(TryLockError::WouldBlock) => Err(taken(journal.root())),
        _ => Ok(()),
    }
}
