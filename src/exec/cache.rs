//! The folder of compiled sandboxes, kept between runs.
//!
//! Loading a compiled module means running it. A module is loaded only if this user alone
//! can have written it: folder and file belong to the effective user, the folder is closed
//! to others (mode 0700), and nobody else may write the file. It must also be what was
//! compiled: the open file that is then loaded has the state that was noted (device, inode,
//! size, time of the last change) or else the digest. A module that fails a check is
//! compiled again.

mod note;

use crate::error::{Error, Result};
use crate::files::{self, Readers};
use note::{Note, is_sound};
use std::fs::{self, File, Metadata};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The private folder of compiled modules.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// The user whose modules are trusted.
    user: u32,
}

impl Cache {
    /// The folder `sandbox` in `DIALOG2API_CACHE_DIR`, or else in the user's cache
    /// folder.
    pub fn of_user() -> Result<Self> {
        let folder = files::cache_folder().ok_or_else(|| {
            Error::usage(
                "there is no home folder to keep the compiled sandbox in; \
                 set DIALOG2API_CACHE_DIR to a folder of your own",
            )
        })?;
        Ok(Cache::at(folder.join("sandbox")))
    }

    /// A folder of the caller's choice.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Cache {
            folder: folder.into(),
            user: nix::unistd::geteuid().as_raw(),
        }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a module is kept under this key. Says nothing about its soundness.
    pub fn has(&self, key: &str) -> bool {
        self.module(key).exists() && self.note(key).exists()
    }

    /// The module under this key, open at its start, if it can be trusted.
    pub fn load(&self, key: &str) -> Option<File> {
        if !self.is_private() {
            return None;
        }
        let note = Note::read(&self.note(key)).ok()?;
        let mut file = File::open(self.module(key)).ok()?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() || !self.is_written_by_us_alone(&metadata) {
            return None;
        }
        if !note.knows(&metadata) {
            if !is_sound(&mut file, &note.digest) {
                return None;
            }
            // Without the state in the note, the next start reads the module again.
            let _ = note::write(&self.note(key), &note.digest, &metadata);
        }
        Some(file)
    }

    /// Keeps a module under this key, and replaces an older one.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be written.
    pub fn store(&self, key: &str, module: &[u8]) -> Result<()> {
        let path = self.module(key);
        files::replace(&path, module, Readers::Owner)?;
        let written = fs::metadata(&path).map_err(Error::file("cannot read", &path))?;
        let digest = blake3::Hasher::new().update_rayon(module).finalize();
        note::write(&self.note(key), &digest.to_hex(), &written)?;
        self.forget_others(key);
        Ok(())
    }

    /// Waits until no other process prepares this key. The lock is held until the file is
    /// dropped.
    ///
    /// # Errors
    /// The folder belongs to someone else, or cannot be made.
    pub fn lock(&self, key: &str) -> Result<File> {
        self.make_private()?;
        let path = self.folder.join(format!("{key}.lock"));
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .map_err(Error::file("cannot write", &path))?;
        file.lock().map_err(Error::file("cannot lock", &path))?;
        Ok(file)
    }

    /// Makes the folder, and makes it the user's own.
    fn make_private(&self) -> Result<()> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)
            .map_err(Error::no_folder(&self.folder, "DIALOG2API_CACHE_DIR"))?;
        let metadata =
            fs::symlink_metadata(&self.folder).map_err(Error::file("cannot read", &self.folder))?;
        if !metadata.is_dir() {
            return Err(self.foreign("is a link or a file"));
        }
        if metadata.uid() != self.user {
            return Err(self.foreign("belongs to someone else"));
        }
        if metadata.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(&self.folder, fs::Permissions::from_mode(0o700))
                .map_err(|_| self.foreign("belongs to someone else"))?;
        }
        Ok(())
    }

    fn foreign(&self, problem: &str) -> Error {
        Error::Content {
            path: self.folder.clone(),
            problem: format!(
                "{problem}; compiled code is only kept in a folder of your own: \
                 remove it, or set DIALOG2API_CACHE_DIR"
            ),
        }
    }

    /// Whether the folder is this user's and closed to all others.
    fn is_private(&self) -> bool {
        fs::symlink_metadata(&self.folder).is_ok_and(|folder| {
            folder.is_dir() && folder.uid() == self.user && folder.permissions().mode() & 0o077 == 0
        })
    }

    fn is_written_by_us_alone(&self, file: &Metadata) -> bool {
        file.uid() == self.user && file.permissions().mode() & 0o022 == 0
    }

    /// Removes modules of other versions that nobody loaded for a month.
    fn forget_others(&self, key: &str) {
        let month = std::time::Duration::from_secs(30 * 24 * 3600);
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let old = entry
                .metadata()
                .and_then(|m| m.accessed().or_else(|_| m.modified()))
                .is_ok_and(|used| used.elapsed().is_ok_and(|age| age > month));
            if old && !entry.file_name().to_string_lossy().starts_with(key) {
                // Another version may be removing it at the same time.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn module(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.cwasm"))
    }

    fn note(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.blake3"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0123456789abcdef";

    #[test]
    fn a_folder_of_another_user_is_neither_loaded_from_nor_written_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let ours = Cache::at(folder.path().join("cache"));
        drop(ours.lock(KEY).expect("the lock is free"));
        ours.store(KEY, b"compiled").expect("there is room");
        assert!(ours.load(KEY).is_some());
        let other = Cache {
            user: ours.user + 1,
            ..ours
        };
        assert!(other.load(KEY).is_none());
        let refused = other.lock(KEY).expect_err("it is refused").to_string();
        assert!(refused.contains("belongs to someone else"), "{refused}");
    }
}
