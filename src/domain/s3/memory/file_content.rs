//! The content of an object that lies in a file and is read when somebody asks for it.

use super::content::Checksums;
use crate::error::{Error, Result};
use bytes::Bytes;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A content in a file. What is read is compared with the checksum, so that an object never
/// has another content than it had when it was written.
///
/// A world that replaces or removes the file first [sets it aside](FileContent::set_aside):
/// a fork from before still reads the old content. The last holder removes such a file.
pub struct FileContent {
    /// The checksums of the content.
    pub checksums: Checksums,
    /// The size in bytes.
    pub size: usize,
    /// Whether the file lies beside the tree of a world's files.
    pub is_blob: bool,
    place: Mutex<Place>,
}

#[derive(Clone, PartialEq, Eq)]
enum Place {
    /// A file of the world.
    File(PathBuf),
    /// A file that nobody else knows.
    Aside(PathBuf),
    /// The content itself, on a file system that could not set the file aside.
    Loaded(Bytes),
}

impl FileContent {
    /// A content that the world has in this file.
    pub fn new(path: PathBuf, checksums: Checksums, size: usize, is_blob: bool) -> Self {
        FileContent {
            checksums,
            size,
            is_blob,
            place: Mutex::new(Place::File(path)),
        }
    }

    /// Computes the checksums of a file, a small part of it in memory at a time.
    ///
    /// # Errors
    /// The file's.
    pub fn of_file(path: PathBuf, is_blob: bool) -> io::Result<Self> {
        let (checksums, size) = Checksums::of_reader(File::open(&path)?)?;
        Ok(FileContent::new(path, checksums, size, is_blob))
    }

    /// Reads the content. Waits for the disk.
    ///
    /// # Errors
    /// A file that cannot be read, or that another program has changed meanwhile.
    pub fn read(&self) -> Result<Bytes> {
        loop {
            let place = self.lock().clone();
            let path = match &place {
                Place::Loaded(content) => return Ok(content.clone()),
                Place::File(path) | Place::Aside(path) => path,
            };
            let read = self.read_file(path);
            if matches!(read, Ok(Some(_))) || *self.lock() == place {
                return match read {
                    Ok(Some(content)) => Ok(content),
                    Ok(None) => Err(Error::Content {
                        path: path.clone(),
                        problem: "another program has changed this file while the world was \
                                  open; open the world again"
                            .to_owned(),
                    }),
                    Err(error) => Err(Error::file("cannot read", path)(error)),
                };
            }
            // It was set aside between the look at its place and the reading.
        }
    }

    /// The content of the file, if it is still this one.
    fn read_file(&self, path: &Path) -> io::Result<Option<Bytes>> {
        let mut content = Vec::with_capacity(self.size);
        let limit = u64::try_from(self.size).unwrap_or(u64::MAX);
        File::open(path)?
            .take(limit.saturating_add(1))
            .read_to_end(&mut content)?;
        let is_same =
            content.len() == self.size && Checksums::sha256(&content) == self.checksums.sha256;
        Ok(is_same.then(|| content.into()))
    }

    /// Links the file to `path`, from where the content is read from now on, so that the
    /// world can replace or remove the file. Where the file system has no links, the content
    /// is loaded.
    pub fn set_aside(&self, path: PathBuf) {
        let mut place = self.lock();
        let Place::File(file) = &*place else {
            return;
        };
        if fs::hard_link(file, &path).is_ok() {
            *place = Place::Aside(path);
        } else if let Ok(Some(content)) = self.read_file(file) {
            *place = Place::Loaded(content);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FileContent {
    fn drop(&mut self) {
        let place = self.place.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Place::Aside(path) = place {
            // One that stays is removed when the world is opened again.
            let _ = fs::remove_file(path);
        }
    }
}

impl PartialEq for FileContent {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.checksums == other.checksums
    }
}

impl Eq for FileContent {}

impl fmt::Debug for FileContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileContent")
            .field("checksums", &self.checksums)
            .field("size", &self.size)
            .field("is_blob", &self.is_blob)
            .finish()
    }
}
