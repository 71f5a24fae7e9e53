//! What is noted of a compiled module: its digest, and the state of the file that had it.
//!
//! A module has 100 MB, and reading it takes most of the time of a start. A file that is still in
//! the noted state is therefore not read again; `git status` looks at files in the same way.

use crate::error::Result;
use crate::files::{self, Readers};
use std::fs::{self, File, Metadata};
use std::io::Seek;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A line with the digest of a module, and a line with the state of the file that had it.
pub struct Note {
    digest: String,
    state: Option<String>,
    /// When it was written.
    time: (i64, i64),
}

impl Note {
    /// A note of a module that is in no file yet.
    pub fn of(digest: &blake3::Hash) -> Self {
        Note {
            digest: digest.to_hex().to_string(),
            state: None,
            time: (0, 0),
        }
    }

    /// Reads the note in a file.
    ///
    /// # Errors
    /// The file is not there or cannot be read.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        let text = fs::read_to_string(path)?;
        let metadata = fs::metadata(path)?;
        let mut lines = text.lines().map(str::to_owned);
        Ok(Note {
            digest: lines.next().unwrap_or_default(),
            state: lines.next(),
            time: changed(&metadata),
        })
    }

    /// Writes the note of a module whose file has these attributes.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) if it cannot be written.
    pub fn write(&self, path: &Path, module: &Metadata) -> Result<()> {
        let text = format!("{}\n{}\n", self.digest, state(module));
        files::replace(path, text.as_bytes(), Readers::Owner)
    }

    /// Whether the digest is that of the file in this state. A change in the same tick of the
    /// file system's clock would leave no trace, so the note has to be later than the file.
    pub fn knows(&self, module: &Metadata) -> bool {
        self.state.as_deref() == Some(&*state(module)) && self.time > changed(module)
    }

    /// Whether the digest is that of an open file. The file is at its start afterwards.
    pub fn is_of(&self, file: &mut File) -> bool {
        let digest = digest(file);
        digest.is_ok_and(|found| found.to_hex().as_str() == self.digest) && file.rewind().is_ok()
    }
}

/// What differs as soon as a file is written, replaced or copied. Nobody can set the time of
/// its last change.
fn state(file: &Metadata) -> String {
    let (seconds, nanoseconds) = changed(file);
    format!(
        "{} {} {} {seconds} {nanoseconds}",
        file.dev(),
        file.ino(),
        file.size()
    )
}

/// When the file's content or attributes changed last: seconds and nanoseconds.
fn changed(file: &Metadata) -> (i64, i64) {
    (file.ctime(), file.ctime_nsec())
}

/// The digest of an open file. It is mapped where the system lets it be opened once more by its
/// number, which takes two thirds of the time of reading it.
fn digest(file: &mut File) -> std::io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    let same_file = format!("/dev/fd/{}", file.as_raw_fd());
    if hasher.update_mmap_rayon(same_file).is_err() {
        hasher.reset();
        hasher.update_reader(file)?;
    }
    Ok(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_of_the_open_file_and_not_of_its_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("module");
        fs::write(&path, "forged").expect("there is room");
        let mut opened = File::open(&path).expect("it is there");
        files::replace(&path, b"compiled", Readers::Owner).expect("there is room");
        let note = Note::of(&blake3::hash(b"compiled"));
        assert!(!note.is_of(&mut opened));
        let mut reopened = File::open(&path).expect("it is there");
        assert!(note.is_of(&mut reopened));
    }

    #[test]
    fn long_modules_are_hashed_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("module");
        for length in [0, 1, 4 << 20, (4 << 20) + 1] {
            let content = vec![7; length];
            fs::write(&path, &content).expect("there is room");
            let mut file = File::open(&path).expect("it is there");
            let found = digest(&mut file).expect("it can be read");
            assert_eq!(found, blake3::hash(&content), "{length}");
        }
    }
}
