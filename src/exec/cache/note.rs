//! The note beside a compiled module: the digest of the module, and the state of its file.
//!
//! A module has 100 MB, and reading it takes most of the time of a start. A file that is still in
//! the noted state is therefore not read again; `git status` looks at files in the same way.

use crate::error::Result;
use crate::files::{self, Readers};
use std::fs::{File, Metadata};
use std::io::{self, Seek};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A file of two lines: the digest of the module, and the state of the module's file.
pub struct Note {
    pub digest: String,
    state: Option<String>,
    /// When it was written.
    time: (i64, i64),
}

impl Note {
    /// Reads the note in a file.
    ///
    /// # Errors
    /// The file is not there or cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let time = changed(&file.metadata()?);
        let text = io::read_to_string(&mut file)?;
        let mut lines = text.lines().map(str::to_owned);
        Ok(Note {
            digest: lines.next().unwrap_or_default(),
            state: lines.next(),
            time,
        })
    }

    /// Whether the module's file is still in the noted state. The note must be later than the
    /// file: two changes in one tick of the file system's clock look alike.
    pub fn knows(&self, module: &Metadata) -> bool {
        self.state.as_deref() == Some(&*state(module)) && self.time > changed(module)
    }
}

/// Writes the note of a module whose file has these attributes.
///
/// # Errors
/// [`Error::File`](crate::Error::File) if it cannot be written.
pub fn write(path: &Path, digest: &str, module: &Metadata) -> Result<()> {
    let text = format!("{digest}\n{}\n", state(module));
    files::replace(path, text.as_bytes(), Readers::Owner)
}

/// Attributes of a file that change when it is written, replaced or copied. No program can set
/// the time of a file's last change.
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

/// Whether an open file has this BLAKE3 digest. The file is at its start afterwards.
pub fn is_sound(file: &mut File, expected: &str) -> bool {
    let digest = digest(file);
    digest.is_ok_and(|found| found.to_hex().as_str() == expected) && file.rewind().is_ok()
}

/// The digest of an open file. Maps the file through `/dev/fd` where the system allows it,
/// which takes two thirds of the time of reading it.
fn digest(file: &mut File) -> io::Result<blake3::Hash> {
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
    use std::fs;

    #[test]
    fn the_digest_is_of_the_open_file_and_not_of_its_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("module");
        fs::write(&path, "forged").expect("there is room");
        let mut opened = File::open(&path).expect("it is there");
        files::replace(&path, b"compiled", Readers::Owner).expect("there is room");
        let expected = blake3::hash(b"compiled").to_hex();
        assert!(!is_sound(&mut opened, &expected));
        let mut reopened = File::open(&path).expect("it is there");
        assert!(is_sound(&mut reopened, &expected));
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
