//! The file that keeps a state, which other programs may write as well.

use super::state_file;
use crate::domain::StateValue;
use crate::error::{Error, Result};
use crate::lock::Locked;
use std::fs::{File, Metadata, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a write waits for that of another program, and how often it looks.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(2);

/// A state's file, and which version of it is known.
#[derive(Debug)]
pub struct KeptFile {
    path: PathBuf,
    known: Mutex<Stamp>,
}

/// What tells one version of a file from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> Result<Self> {
        let metadata = std::fs::metadata(path).map_err(Error::file("cannot read", path))?;
        Ok(Stamp::from(&metadata))
    }
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        Stamp {
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

impl KeptFile {
    /// Reads the state of a file.
    ///
    /// # Errors
    /// As [`state_file::read`].
    pub fn open(path: &Path) -> Result<(KeptFile, StateValue)> {
        // A version that comes while it is read is found to be another one at the next call.
        let stamp = Stamp::of(path)?;
        let state = state_file::read(path)?;
        let file = KeptFile {
            path: path.to_owned(),
            known: Mutex::new(stamp),
        };
        Ok((file, state))
    }

    /// The state, if the file is not the version that was read or written here last.
    ///
    /// # Errors
    /// As [`state_file::read`].
    pub fn changed(&self) -> Result<Option<StateValue>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of(&self.path)?;
        if *known == stamp {
            return Ok(None);
        }
        let state = state_file::read(&self.path)?;
        *known = stamp;
        Ok(Some(state))
    }

    /// Replaces the state. The right to write it has to be held.
    ///
    /// # Errors
    /// As [`state_file::write`].
    pub fn write(&self, state: &StateValue) -> Result<()> {
        // From here on another program may write: the lock is on the file that was replaced.
        let stamp = Stamp::from(&state_file::write(&self.path, state)?);
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = stamp;
        Ok(())
    }

    /// The right to write the file, which no other program has meanwhile; `None` on a file
    /// system without locks. Blocks while another program writes.
    ///
    /// # Errors
    /// The file cannot be opened, or another program does not give the right back.
    pub fn lock(&self) -> Result<Option<Locked>> {
        let failed = || Error::file("cannot lock", &self.path);
        let started = Instant::now();
        loop {
            let file = File::open(&self.path).map_err(failed())?;
            let inode = file.metadata().map_err(failed())?.ino();
            match Locked::new(file) {
                // Every write replaces the file, and the lock on the old one is worth nothing.
                Ok(locked) if Stamp::of(&self.path)?.inode == inode => return Ok(Some(locked)),
                Ok(_) => {}
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) if is_unsupported(&error) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(failed()(error)),
            }
            if started.elapsed() > PATIENCE {
                return Err(Error::world(format!(
                    "{} is being written by another program for more than {} s; nothing was \
                     changed",
                    self.path.display(),
                    PATIENCE.as_secs()
                )));
            }
            std::thread::sleep(PAUSE);
        }
    }
}

fn is_unsupported(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::Unsupported
}
