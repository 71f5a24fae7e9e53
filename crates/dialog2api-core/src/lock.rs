//! Locks on files.

use crate::error::Error;
use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// The error for a world's folder that another process or session has open: only one may write.
pub fn taken(world: &Path) -> Error {
    let world = world.display();
    Error::taken(format!(
        "the world {world} is open in another dialog2api, or in another session of this one; end \
         that one first, or copy the folder"
    ))
}

/// A file with an exclusive lock, which ends when this value is dropped.
///
/// The lock belongs to the open file, which a child process shares between fork and exec.
/// Closing the file would not end the lock then, so it is released explicitly.
#[derive(Debug)]
pub struct Locked(File);

impl Locked {
    /// Locks a file without waiting.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] if another process holds the lock.
    pub fn new(file: File) -> Result<Self, TryLockError> {
        file.try_lock()?;
        Ok(Self(file))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // If this fails, closing the file ends the lock.
        let _ = self.0.unlock();
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::FailureReason;

    #[test]
    fn a_taken_world_is_known_whatever_is_said_of_it() {
        let error = taken(Path::new("here"));
        assert!(
            error.to_string().starts_with("the world here is open in"),
            "{error}"
        );
        let error = error.map_text(|_| "it is busy".to_owned());
        assert!(error.is(FailureReason::Taken), "{error:?}");
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (crate::error::ErrorKind::User, "it is busy")
        );
    }

    #[test]
    fn a_child_that_has_the_file_open_does_not_keep_the_lock() {
        let path = tempfile::NamedTempFile::new().expect("a file");
        let open = || File::options().write(true).open(&path).expect("the file");
        let held = Locked::new(open()).expect("a lock");
        // Stands for the open file of a child between fork and exec.
        let childs = held.try_clone().expect("the same file");
        assert!(Locked::new(open()).is_err());
        drop(held);
        assert!(Locked::new(open()).is_ok());
        drop(childs);
    }
}
