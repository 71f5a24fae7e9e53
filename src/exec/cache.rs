//! Where the compiled sandbox is kept between runs.
//!
//! Loading a compiled module means trusting it, so the folder is the user's own
//! (mode 0700), the file's digest is checked at every load, and a file that is
//! damaged or foreign is made anew.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The private folder of compiled modules.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The folder `sandbox` in `DIALOG2API_CACHE_DIR`, or else in the user's cache
    /// folder.
    pub fn of_user() -> Result<Self> {
        if let Some(folder) = std::env::var_os("DIALOG2API_CACHE_DIR").filter(|f| !f.is_empty()) {
            return Ok(Cache {
                folder: PathBuf::from(folder).join("sandbox"),
            });
        }
        use etcetera::BaseStrategy;
        let base = etcetera::choose_base_strategy().map_err(|_| {
            Error::Usage(
                "there is no home folder to keep the compiled sandbox in; \
                 set DIALOG2API_CACHE_DIR to a folder of your own"
                    .to_owned(),
            )
        })?;
        Ok(Cache {
            folder: base.cache_dir().join("dialog2api/sandbox"),
        })
    }

    /// A folder of the caller's choice.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Cache {
            folder: folder.into(),
        }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a module is kept under this key. Says nothing about its soundness.
    pub fn has(&self, key: &str) -> bool {
        self.module(key).exists() && self.digest(key).exists()
    }

    /// The module under this key, open, when its digest is right.
    pub fn load(&self, key: &str) -> Option<File> {
        let expected = fs::read_to_string(self.digest(key)).ok()?;
        let file = File::open(self.module(key)).ok()?;
        let metadata = file.metadata().ok()?;
        if metadata.uid() != self.owner()? || !metadata.is_file() {
            return None;
        }
        let found = blake3::Hasher::new()
            .update_mmap_rayon(self.module(key))
            .ok()?
            .finalize();
        (found.to_hex().as_str() == expected.trim()).then_some(file)
    }

    /// Keeps a module under this key, replacing what was there.
    pub fn store(&self, key: &str, module: &[u8]) -> Result<()> {
        self.write(&self.module(key), module)?;
        let digest = blake3::Hasher::new().update_rayon(module).finalize();
        self.write(&self.digest(key), digest.to_hex().as_bytes())?;
        self.forget_others(key);
        Ok(())
    }

    /// Waits until no other process prepares this key. Held until dropped.
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
            .map_err(Error::file("cannot make the folder", &self.folder))?;
        let metadata =
            fs::symlink_metadata(&self.folder).map_err(Error::file("cannot read", &self.folder))?;
        if !metadata.is_dir() {
            return Err(self.foreign("is a link or a file"));
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

    /// The folder's owner.
    fn owner(&self) -> Option<u32> {
        let metadata = fs::symlink_metadata(&self.folder).ok()?;
        (metadata.is_dir() && metadata.permissions().mode() & 0o077 == 0).then(|| metadata.uid())
    }

    fn write(&self, path: &Path, content: &[u8]) -> Result<()> {
        let partial = path.with_extension(format!("partial-{}", std::process::id()));
        let written = File::options()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600)
            .open(&partial)
            .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&partial, path));
        written.map_err(|source| {
            // What could not be finished only takes up room.
            let _ = fs::remove_file(&partial);
            Error::file("cannot write", path)(source)
        })
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

    fn digest(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.blake3"))
    }
}
