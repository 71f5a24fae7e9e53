//! A lock on a file, held while the value lives.

use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};

/// A file that this process alone may open so.
///
/// A lock belongs to the open file, and a child that is being started has it open as well
/// until its program begins. So closing the file is not enough: the lock is given up.
#[derive(Debug)]
pub(crate) struct Locked(File);

impl Locked {
    /// Does not wait.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] where another one has it.
    pub(crate) fn new(file: File) -> Result<Self, TryLockError> {
        file.try_lock()?;
        Ok(Self(file))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // What cannot be given up is when the file is closed.
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

    #[test]
    fn a_child_that_has_the_file_open_does_not_keep_the_lock() {
        let path = tempfile::NamedTempFile::new().expect("a file");
        let open = || File::options().write(true).open(&path).expect("the file");
        let held = Locked::new(open()).expect("a lock");
        // The same open file, as a child has it between fork and exec.
        let childs = held.try_clone().expect("the same file");
        assert!(Locked::new(open()).is_err());
        drop(held);
        assert!(Locked::new(open()).is_ok());
        drop(childs);
    }
}
