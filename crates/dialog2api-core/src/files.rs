//! Files that are replaced as a whole.
//!
//! A new content is written to a temporary file in the same file system, flushed to the
//! disk, and renamed into its place. Readers, and a machine that loses power, see the old
//! file or the new one. Two writers never share a temporary file: its name is random.
//!
//! A file that grows record by record instead is an [`AppendLog`], over a [`Disk`].

mod append_log;
mod disk;

pub use append_log::{AppendLog, whole_lines};
pub use disk::Disk;

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The folder for what can be made again: `DIALOG2API_CACHE_DIR`, or else `dialog2api` in the
/// user's cache folder; `None` if there is no home folder.
pub fn cache_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    match std::env::var_os("DIALOG2API_CACHE_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => {
            let base = etcetera::choose_base_strategy().ok()?;
            Some(base.cache_dir().join("dialog2api"))
        }
    }
}

/// Who may read a file that did not exist before. A file that did keeps its permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Its owner alone.
    Owner,
    /// Everyone whom the process's umask allows.
    Umask,
}

/// Replaces a file, or makes it. A symbolic link stays, and the file it names is replaced.
///
/// # Errors
/// [`Error::File`]; the old file is still there.
pub fn replace(path: &Path, content: &[u8], readers: Readers) -> Result<()> {
    replace_with(path, readers, |file| file.write_all(content))
}

/// Replaces a file by what `write` puts into the new one.
///
/// # Errors
/// [`Error::File`]; the old file is still there.
pub fn replace_with(
    path: &Path,
    readers: Readers,
    write: impl FnOnce(&mut io::BufWriter<&mut File>) -> io::Result<()>,
) -> Result<()> {
    replaced_with(path, readers, write).map(drop)
}

/// The same; returns what the system says of the new file. Whoever asks for that by its name
/// may hear of a still newer one.
///
/// # Errors
/// As [`replace_with`].
pub fn replaced_with(
    path: &Path,
    readers: Readers,
    write: impl FnOnce(&mut io::BufWriter<&mut File>) -> io::Result<()>,
) -> Result<fs::Metadata> {
    let replaced = Pending::beside(path, readers).and_then(|mut pending| {
        let mut buffered = io::BufWriter::new(pending.file.as_file_mut());
        write(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        let metadata = pending.file.as_file().metadata()?;
        pending.keep()?;
        Ok(metadata)
    });
    replaced.map_err(Error::file("cannot write", path))
}

/// A file that is not yet in its place. Dropping it removes it.
#[derive(Debug)]
pub struct Pending {
    file: NamedTempFile,
    path: PathBuf,
}

impl Pending {
    /// An empty file, to become the one at `path`.
    pub fn beside(path: &Path, readers: Readers) -> io::Result<Pending> {
        // A file that is not there yet is no link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let pending = Pending::within(&folder, &path, readers)?;
        if let Ok(old) = fs::metadata(&pending.path) {
            pending.file.as_file().set_permissions(old.permissions())?;
        }
        Ok(pending)
    }

    /// An empty file in a folder of the same file system, to become the one at `path`.
    pub fn within(folder: &Path, path: &Path, readers: Readers) -> io::Result<Pending> {
        let mode = match readers {
            Readers::Owner => 0o600,
            Readers::Umask => 0o666,
        };
        let open = |path: &Path| {
            File::options()
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(path)
        };
        // `tempfile_in` would add the random path to errors.
        let file = tempfile::Builder::new()
            .prefix(".partial-")
            .make_in(folder, open)?;
        Ok(Pending {
            file,
            path: path.to_owned(),
        })
    }

    /// Appends to the file.
    pub fn write(&mut self, content: &[u8]) -> io::Result<()> {
        self.file.write_all(content)
    }

    /// Puts the file in its place, where it stays after a power cut.
    pub fn keep(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path).map_err(|error| error.error)?;
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => sync_folder(folder),
            _ => sync_folder(Path::new(".")),
        }
    }
}

/// Flushes a folder's list of names to the disk.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    fn mode(path: &Path) -> u32 {
        let metadata = fs::metadata(path).expect("a file");
        metadata.permissions().mode() & 0o777
    }

    #[test]
    fn a_file_is_made_private_and_keeps_its_permissions_when_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        replace(&path, b"one", Readers::Owner).expect("written");
        assert_eq!(mode(&path), 0o600);
        fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("ours");
        replace(&path, b"two", Readers::Owner).expect("written");
        assert_eq!(fs::read(&path).expect("a file"), b"two");
        assert_eq!(mode(&path), 0o640);
        assert_eq!(names(folder.path()), ["key"]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        replace(&path, b"old", Readers::Umask).expect("written");
        let failed = replace_with(&path, Readers::Umask, |file| {
            file.write_all(b"half of it")?;
            Err(io::Error::other("the disk is full"))
        });
        let error = failed.expect_err("it fails").to_string();
        assert!(error.contains("the disk is full"), "{error}");
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        replace(&file, b"old", Readers::Umask).expect("written");
        std::os::unix::fs::symlink("file", &link).expect("a link");
        replace(&link, b"new", Readers::Umask).expect("written");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read(&file).expect("a file"), b"new");
    }

    #[test]
    fn writers_at_one_time_do_not_mix() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for letter in b'a'..b'i' {
                let path = &path;
                scope.spawn(move || {
                    replace(path, &[letter; 100_000], Readers::Umask).expect("written");
                });
            }
        });
        let content = fs::read(&path).expect("a file");
        assert_eq!(content.len(), 100_000);
        assert!(content.iter().all(|byte| Some(byte) == content.first()));
        assert_eq!(names(folder.path()), ["file"]);
    }
}
