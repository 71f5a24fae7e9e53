//! The content of an object in a file, read on demand.

use super::content::Checksums;
use crate::error::{Error, Result};
use bytes::Bytes;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A content in a file. Each read checks the content against its checksum, so an object
/// never has a content other than the one that was written.
///
/// Before a world replaces or removes the file, it [sets it
/// aside](FileContent::set_aside), so that an earlier fork can still read the old
/// content. The last owner removes such a file.
pub struct FileContent {
    /// The checksums of the content.
    pub checksums: Checksums,
    /// The size in bytes.
    pub size: usize,
    /// Whether the file is in the blob folder, outside of the tree of a world's files.
    pub is_blob: bool,
    place: Mutex<Place>,
}

#[derive(Clone, PartialEq, Eq)]
enum Place {
    /// A file of the world.
    File(PathBuf),
    /// A file of the world that the change under way moves.
    Moved {
        /// Where it was.
        from: PathBuf,
        /// Where it is once the change is carried out.
        to: PathBuf,
    },
    /// A file that only this content refers to.
    Aside(PathBuf),
    /// The content itself, if the file system could not set the file aside.
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

    /// Computes the checksums of a file, with only a small part of it in memory at a
    /// time.
    ///
    /// # Errors
    /// The file's.
    pub fn of_file(path: PathBuf, is_blob: bool) -> io::Result<Self> {
        let (checksums, size) = Checksums::of_reader(File::open(&path)?)?;
        Ok(FileContent::new(path, checksums, size, is_blob))
    }

    /// Reads the content. Blocks while the disk works.
    ///
    /// # Errors
    /// The file cannot be read, or another program has changed it.
    pub fn read(&self) -> Result<Bytes> {
        loop {
            let place = self.lock().clone();
            let (path, read) = match &place {
                Place::Loaded(content) => return Ok(content.clone()),
                Place::File(path) | Place::Aside(path) => (path, self.read_file(path)),
                Place::Moved { from, to } => (to, self.read_moved(from, to)),
            };
            if matches!(read, Ok(Some(_))) || *self.lock() == place {
                return match read {
                    Ok(Some(content)) => Ok(content),
                    Ok(None) => Err(changed(path)),
                    Err(error) => Err(Error::file("cannot read", path)(error)),
                };
            }
            // Another thread has set the file aside between looking up its path and
            // reading it.
        }
    }

    /// The content of the file, if it has not changed.
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

    /// The content of a file that is on its way. It is in the new place or, before that, in
    /// the old one.
    fn read_moved(&self, from: &Path, to: &Path) -> io::Result<Option<Bytes>> {
        match self.read_file(to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            read => return read,
        }
        match self.read_file(from) {
            Ok(Some(content)) => Ok(Some(content)),
            // It was moved between the two looks.
            _ => self.read_file(to),
        }
    }

    /// Refuses to go on if another program has changed the file, which is about to be moved
    /// to a place where nobody would look for that change.
    ///
    /// # Errors
    /// The file cannot be read, or has changed.
    pub fn check_unchanged(&self) -> Result<()> {
        let place = self.lock().clone();
        let Place::File(path) = place else {
            return Ok(());
        };
        let read = File::open(&path).and_then(Checksums::of_reader);
        match read.map_err(Error::file("cannot read", &path))? {
            (checksums, size) if checksums == self.checksums && size == self.size => Ok(()),
            _ => Err(changed(&path)),
        }
    }

    /// Says that the change under way moves the file. The content can be read at any time.
    pub fn moves_to(&self, to: PathBuf) {
        let mut place = self.lock();
        if let Place::File(from) | Place::Moved { to: from, .. } = &*place {
            let from = from.clone();
            *place = Place::Moved { from, to };
        }
    }

    /// Links the file to `path`, so that the world can replace or remove the original.
    /// From now on, the content is read from `path`. If the file system has no links, the
    /// content is loaded into memory.
    pub fn set_aside(&self, path: PathBuf) {
        let mut place = self.lock();
        let file = match &*place {
            Place::File(file) => file,
            Place::Moved { from, to } => match to.exists() {
                true => to,
                false => from,
            },
            Place::Aside(_) | Place::Loaded(_) => return,
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

fn changed(path: &Path) -> Error {
    Error::Content {
        path: path.to_owned(),
        problem: "another program has changed this file while the world was open; open the world \
                  again"
            .to_owned(),
    }
}

impl Drop for FileContent {
    fn drop(&mut self) {
        let place = self.place.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Place::Aside(path) = place {
            // If this fails, the file is removed when the world is opened again.
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
