//! The content of an object in a file, read on demand.

use super::content::Checksums;
use super::file_pieces::FilePieces;
use super::file_stamp::{self, FileStamp, open_regular};
use crate::error::{Error, Result};
use crate::names::MAX_OBJECT_BYTES;
use bytes::Bytes;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A content in a file. Its checksums are computed when they are first asked for. A read fails
/// if the file no longer has this content: if its checksum is another one, or, where nothing was
/// computed, if the file system says that it has changed.
///
/// Before a world replaces or removes the file, it [sets it
/// aside](FileContent::set_aside), so that an earlier fork can still read the old
/// content. The last owner removes such a file.
pub struct FileContent {
    /// The size in bytes.
    pub size: usize,
    /// Whether the file is in the blob folder, outside of the tree of a world's files.
    pub is_blob: bool,
    checksums: OnceLock<Checksums>,
    place: Mutex<Place>,
    /// The state of the file in which it has this content.
    seen: Mutex<Option<Seen>>,
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

/// A state of the file, and when the file was found in it.
#[derive(Clone, Copy)]
struct Seen {
    stamp: FileStamp,
    at: i64,
}

impl Seen {
    /// Whether the file is surely in this state still.
    fn is_sure(&self, stamp: &FileStamp, has_moved: bool) -> bool {
        let is_same = match has_moved {
            true => self.stamp.is_same_content(stamp),
            false => self.stamp == *stamp,
        };
        is_same && !self.stamp.is_young(self.at)
    }
}

/// A content that is open for reading.
enum Opened {
    File(File),
    Loaded(Bytes),
}

/// Whether the file of a key still has the content of its object.
pub enum Revisited {
    /// It has.
    Same,
    /// It has another one, or may have.
    Other,
}

impl FileContent {
    /// A content that the world has in this file.
    pub fn new(path: PathBuf, checksums: Checksums, size: usize, is_blob: bool) -> Self {
        FileContent {
            size,
            is_blob,
            checksums: OnceLock::from(checksums),
            place: Mutex::new(Place::File(path)),
            seen: Mutex::default(),
        }
    }

    /// A content that is in a file that was found in this state just now. It is not read.
    pub fn found(path: PathBuf, stamp: FileStamp, is_blob: bool) -> Self {
        let seen = Seen {
            stamp,
            at: file_stamp::now(),
        };
        FileContent {
            size: usize::try_from(stamp.size).unwrap_or(usize::MAX),
            is_blob,
            checksums: OnceLock::new(),
            place: Mutex::new(Place::File(path)),
            seen: Mutex::new(Some(seen)),
        }
    }

    /// A content that nobody else knows, in a file that is removed with it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn own(path: PathBuf, checksums: Option<Checksums>) -> io::Result<Self> {
        let stamp = FileStamp::of(&fs::symlink_metadata(&path)?);
        let seen = Seen {
            stamp,
            // Nobody else writes it, so its age says nothing.
            at: i64::MAX,
        };
        Ok(FileContent {
            size: usize::try_from(stamp.size).unwrap_or(usize::MAX),
            is_blob: false,
            checksums: checksums.map_or_else(OnceLock::new, OnceLock::from),
            place: Mutex::new(Place::Aside(path)),
            seen: Mutex::new(Some(seen)),
        })
    }

    /// The same, of which the state of its file is known.
    #[must_use]
    pub fn seen(self, stamp: FileStamp) -> Self {
        let at = file_stamp::now();
        *lock(&self.seen) = Some(Seen { stamp, at });
        self
    }

    /// The same, with its checksums.
    #[must_use]
    pub fn known(self, checksums: Checksums) -> Self {
        let _ = self.checksums.set(checksums);
        self
    }

    /// The checksums, if they were computed.
    pub fn known_checksums(&self) -> Option<&Checksums> {
        self.checksums.get()
    }

    /// The checksums. Blocks while the file is read, the first time.
    ///
    /// # Errors
    /// The file cannot be read, or another program has changed it.
    pub fn checksums(&self) -> Result<&Checksums> {
        if let Some(known) = self.checksums.get() {
            return Ok(known);
        }
        let computed = match self.open(true)? {
            (Opened::Loaded(content), _) => Checksums::of(&content),
            (Opened::File(file), path) => {
                let failed = Error::file("cannot read", &path);
                let (checksums, size) = Checksums::of_reader(&file).map_err(failed)?;
                if size != self.size || !self.is_still(&file) {
                    return Err(changed(&path));
                }
                checksums
            }
        };
        Ok(self.checksums.get_or_init(|| computed))
    }

    /// Reads the content. Blocks while the disk works.
    ///
    /// # Errors
    /// The file cannot be read, or another program has changed it.
    pub fn read(&self) -> Result<Bytes> {
        let (file, path) = match self.open(false)? {
            (Opened::Loaded(content), _) => return Ok(content),
            (Opened::File(file), path) => (file, path),
        };
        let mut content = Vec::with_capacity(self.size.min(MAX_OBJECT_BYTES));
        let limit = u64::try_from(self.size).unwrap_or(u64::MAX);
        (&file)
            .take(limit.saturating_add(1))
            .read_to_end(&mut content)
            .map_err(Error::file("cannot read", &path))?;
        let is_same = content.len() == self.size
            && match self.checksums.get() {
                Some(known) => Checksums::sha256(&content) == known.sha256,
                None => self.is_still(&file),
            };
        if !is_same {
            return Err(changed(&path));
        }
        self.checksums.get_or_init(|| Checksums::of(&content));
        Ok(content.into())
    }

    /// Reads a part of the content, and no more than that.
    ///
    /// # Errors
    /// Those of [`FileContent::read`].
    pub fn read_range(&self, range: Range<usize>) -> Result<Bytes> {
        let (mut file, path) = match self.open(true)? {
            (Opened::Loaded(content), _) => return content_part(&content, range),
            (Opened::File(file), path) => (file, path),
        };
        let failed = || Error::file("cannot read", &path);
        let mut part = vec![0; range.len()];
        file.seek(SeekFrom::Start(range.start as u64))
            .map_err(failed())?;
        match file.read_exact(&mut part) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(changed(&path));
            }
            read => read.map_err(failed())?,
        }
        match self.checksums.get().is_some() || self.is_still(&file) {
            true => Ok(part.into()),
            false => Err(changed(&path)),
        }
    }

    /// Reads a part of the content piece by piece.
    ///
    /// # Errors
    /// Those of [`FileContent::read`]. If another program changes the file meanwhile, the last
    /// piece fails.
    pub fn reader(&self, range: Range<usize>) -> Result<Box<dyn Read + Send>> {
        let (mut file, path) = match self.open(true)? {
            (Opened::Loaded(content), _) => {
                return Ok(Box::new(Cursor::new(content_part(&content, range)?)));
            }
            (Opened::File(file), path) => (file, path),
        };
        file.seek(SeekFrom::Start(range.start as u64))
            .map_err(Error::file("cannot read", &path))?;
        let stamp = file.metadata().map(|about| FileStamp::of(&about));
        Ok(Box::new(FilePieces {
            stamp: stamp.map_err(Error::file("cannot read", &path))?,
            left: range.len(),
            file,
        }))
    }

    /// Who may read the file; `None` if it is not known.
    pub fn permissions(&self) -> Option<fs::Permissions> {
        let path = match &*lock(&self.place) {
            Place::File(path) | Place::Aside(path) => path.clone(),
            Place::Moved { to, .. } => to.clone(),
            Place::Loaded(_) => return None,
        };
        Some(fs::symlink_metadata(path).ok()?.permissions())
    }

    /// Refuses to go on if another program has changed the file, which is about to be moved
    /// to a place where nobody would look for that change.
    ///
    /// # Errors
    /// The file cannot be read, or has changed.
    pub fn check_unchanged(&self) -> Result<()> {
        self.checksums()?;
        self.open(true).map(drop)
    }

    /// Whether the file of the world is in the state in which it surely has the content.
    pub fn is_as_seen(&self, found: &fs::Metadata) -> bool {
        let stamp = FileStamp::of(found);
        lock(&self.seen).is_some_and(|seen| seen.is_sure(&stamp, false))
    }

    /// Whether the file of the world, which was found in this state, still has the content. It
    /// is read if its state does not say so.
    pub fn revisit(&self, path: &Path, stamp: &FileStamp) -> Revisited {
        let seen = *lock(&self.seen);
        if seen.is_some_and(|seen| seen.is_sure(stamp, false)) {
            return Revisited::Same;
        }
        let is_same = stamp.size == self.size as u64
            && match self.checksums.get() {
                Some(_) => matches!(self.open_file(path, false, true), Ok(Some(_))),
                // Nobody has been told anything of the content yet.
                None if seen.is_some_and(|seen| seen.stamp == *stamp) => {
                    let at = file_stamp::now();
                    *lock(&self.seen) = Some(Seen { stamp: *stamp, at });
                    true
                }
                None => false,
            };
        match is_same {
            true => Revisited::Same,
            false => Revisited::Other,
        }
    }

    /// Looks at the file after the world has put it in its place: a new name is a change of its
    /// state.
    pub fn settle(&self) {
        let place = lock(&self.place);
        let Place::File(path) = &*place else {
            return;
        };
        let Ok(about) = fs::symlink_metadata(path) else {
            return;
        };
        let stamp = FileStamp::of(&about);
        let mut seen = lock(&self.seen);
        if seen.is_some_and(|seen| seen.stamp.is_same_content(&stamp)) {
            let at = file_stamp::now();
            *seen = Some(Seen { stamp, at });
        }
    }

    /// The state of the world's file by which the content can be known again, and its checksums.
    pub fn for_index(&self) -> Option<(FileStamp, &Checksums)> {
        let seen = (*lock(&self.seen))?;
        let is_file = matches!(&*lock(&self.place), Place::File(_)) && !self.is_blob;
        let is_sure = is_file && !seen.stamp.is_young(seen.at);
        Some((seen.stamp, self.checksums.get().filter(|_| is_sure)?))
    }

    /// Says that the change under way moves the file. The content can be read at any time.
    pub fn moves_to(&self, to: PathBuf) {
        let mut place = lock(&self.place);
        if let Place::File(from) | Place::Moved { to: from, .. } = &*place {
            let from = from.clone();
            *place = Place::Moved { from, to };
        }
    }

    /// Links the file to `path`, so that the world can replace or remove the original.
    /// From now on, the content is read from `path`. If the file system has no links, the
    /// content is loaded into memory, unless it is too large for that.
    pub fn set_aside(&self, path: PathBuf) {
        let mut place = lock(&self.place);
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
        } else if self.size <= MAX_OBJECT_BYTES
            && let Ok(Some(Opened::File(file))) = self.open_file(file, true, true)
        {
            let mut content = Vec::with_capacity(self.size);
            if (&file).read_to_end(&mut content).is_ok() && content.len() == self.size {
                *place = Place::Loaded(content.into());
            }
        }
    }

    /// Gives the content of a file that only this content refers to another name, too, which
    /// needs no room. Fails where the content is elsewhere, or the file system has no links.
    pub fn link_own(&self, path: &Path) -> io::Result<FileStamp> {
        match &*lock(&self.place) {
            Place::Aside(own) => fs::hard_link(own, path)?,
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(FileStamp::of(&fs::symlink_metadata(path)?))
    }

    /// Opens the content, wherever it is now. With `checked` it is known to be this content;
    /// otherwise the caller finds out.
    fn open(&self, checked: bool) -> Result<(Opened, PathBuf)> {
        loop {
            let place = lock(&self.place).clone();
            let (path, opened) = match &place {
                Place::Loaded(content) => {
                    return Ok((Opened::Loaded(content.clone()), PathBuf::new()));
                }
                Place::File(path) => (path, self.open_file(path, false, checked)),
                Place::Aside(path) => (path, self.open_file(path, true, checked)),
                Place::Moved { from, to } => (to, self.open_moved(from, to, checked)),
            };
            if matches!(opened, Ok(Some(_))) || *lock(&self.place) == place {
                return match opened {
                    Ok(Some(opened)) => Ok((opened, path.clone())),
                    Ok(None) => Err(changed(path)),
                    Err(error) => Err(Error::file("cannot read", path)(error)),
                };
            }
            // Another thread has set the file aside between looking up its path and
            // reading it.
        }
    }

    /// Opens the file, if it has not changed.
    fn open_file(&self, path: &Path, has_moved: bool, checked: bool) -> io::Result<Option<Opened>> {
        let mut file = open_regular(path)?;
        let stamp = FileStamp::of(&file.metadata()?);
        let seen = *lock(&self.seen);
        let Some(known) = self.checksums.get() else {
            let same = |seen: Seen| match has_moved {
                true => seen.stamp.is_same_content(&stamp),
                false => seen.stamp == stamp,
            };
            return Ok(seen.is_some_and(same).then_some(Opened::File(file)));
        };
        if checked && !seen.is_some_and(|seen| seen.is_sure(&stamp, has_moved)) {
            let at = file_stamp::now();
            if stamp.size != self.size as u64 || Checksums::sha256_of_reader(&file)? != known.sha256
            {
                return Ok(None);
            }
            *lock(&self.seen) = Some(Seen { stamp, at });
            file.rewind()?;
        }
        Ok(Some(Opened::File(file)))
    }

    /// Opens a file that is on its way. It is in the new place or, before that, in the old one.
    fn open_moved(&self, from: &Path, to: &Path, checked: bool) -> io::Result<Option<Opened>> {
        match self.open_file(to, true, checked) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        match self.open_file(from, true, checked) {
            Ok(Some(opened)) => Ok(Some(opened)),
            // It was moved between the two looks.
            _ => self.open_file(to, true, checked),
        }
    }

    /// Whether an open file is in the state in which it was found.
    fn is_still(&self, file: &File) -> bool {
        let now = file.metadata().map(|about| FileStamp::of(&about));
        let seen = *lock(&self.seen);
        now.is_ok_and(|now| seen.is_some_and(|seen| seen.stamp.is_same_content(&now)))
    }
}

fn content_part(content: &Bytes, range: Range<usize>) -> Result<Bytes> {
    match range.end <= content.len() {
        true => Ok(content.slice(range)),
        false => Err(Error::world(
            "the object became shorter while it was read; read it again",
        )),
    }
}

fn changed(path: &Path) -> Error {
    Error::Content {
        path: path.to_owned(),
        problem: "another program has changed this file since the world was looked at; look at it \
                  again"
            .to_owned(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        std::ptr::eq(self, other)
            || (self.size == other.size
                && self
                    .checksums()
                    .is_ok_and(|ours| other.checksums().is_ok_and(|it| it == ours)))
    }
}

impl Eq for FileContent {}

impl fmt::Debug for FileContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileContent")
            .field("checksums", &self.checksums.get())
            .field("size", &self.size)
            .field("is_blob", &self.is_blob)
            .finish()
    }
}
