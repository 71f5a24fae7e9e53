//! A folder for contents that are too large for memory, until a world has them.

use super::FileContent;
use super::content::Checksums;
use crate::error::{Error, Result};
use md5::{Digest, Md5};
use sha2::Sha256;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder on the disk of a world, whose files the world can take over without copying them.
#[derive(Debug, Clone)]
pub struct Spool {
    folder: PathBuf,
}

/// How many files this process has made, so that no two have the same name.
static MADE: AtomicU64 = AtomicU64::new(0);

/// A file that is being written. It is removed if it is given up.
pub struct Spooled {
    path: PathBuf,
    file: Option<File>,
    sha256: Sha256,
    md5: Md5,
    crc32: crc32fast::Hasher,
}

impl Spool {
    /// Uses this folder, which is made when it is needed.
    pub fn new(folder: PathBuf) -> Self {
        Spool { folder }
    }

    /// Begins a file.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn begin(&self) -> Result<Spooled> {
        let path = self.next();
        fs::create_dir_all(&self.folder)
            .map_err(Error::file("cannot create the folder", &self.folder))?;
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = file.map_err(Error::file("cannot write", &path))?;
        Ok(Spooled {
            path,
            file: Some(file),
            sha256: Sha256::new(),
            md5: Md5::new(),
            crc32: crc32fast::Hasher::new(),
        })
    }

    /// Keeps everything that some readers yield, one after another.
    ///
    /// # Errors
    /// A reader's, or the folder cannot be written.
    pub(super) fn keep(
        &self,
        readers: impl Iterator<Item = Result<Box<dyn Read + Send>>>,
    ) -> Result<FileContent> {
        let mut spooled = self.begin()?;
        let mut buffer = vec![0; 256 << 10];
        for reader in readers {
            let mut reader = reader?;
            loop {
                let read = reader.read(&mut buffer);
                match read.map_err(Error::file("cannot read a piece for", &spooled.path))? {
                    0 => break,
                    read => spooled.write(buffer.get(..read).unwrap_or_default())?,
                }
            }
        }
        spooled.finish()
    }

    /// Gives a content in a file of this folder a file of its own.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn adopt(&self, content: &FileContent) -> Result<FileContent> {
        let path = self.next();
        if content.link_own(&path).is_ok() {
            let known = content.known_checksums().copied();
            return FileContent::own(path.clone(), known)
                .map_err(Error::file("cannot read", &path));
        }
        self.keep([content.reader(0..content.size)].into_iter())
    }

    fn next(&self) -> PathBuf {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{}-{number}", std::process::id()))
    }
}

impl Spooled {
    /// Adds bytes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.sha256.update(bytes);
        self.md5.update(bytes);
        self.crc32.update(bytes);
        let written = match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => Ok(()),
        };
        written.map_err(Error::file("cannot write", &self.path))
    }

    /// The content that was written, which removes its file when nobody has it any more.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn finish(mut self) -> Result<FileContent> {
        let checksums = Checksums {
            sha256: std::mem::take(&mut self.sha256).finalize().into(),
            md5: std::mem::take(&mut self.md5).finalize().into(),
            crc32: std::mem::take(&mut self.crc32).finalize(),
        };
        self.file = None;
        let path = std::mem::take(&mut self.path);
        FileContent::own(path.clone(), Some(checksums)).map_err(Error::file("cannot read", &path))
    }

    /// Where it is written.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Spooled {
    fn drop(&mut self) {
        if self.path != PathBuf::new() {
            // What is left is removed when the world is opened for writing again.
            let _ = fs::remove_file(&self.path);
        }
    }
}
