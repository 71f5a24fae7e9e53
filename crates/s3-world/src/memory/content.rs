//! The content of an object: in memory, in a file, or in another world.

use super::FileContent;
use crate::blocking;
use crate::domain::FileBody;
use crate::error::{Error, Result};
use bytes::Bytes;
use md5::Md5;
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

/// The content of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// In this store.
    Here(Blob),
    /// In a file of a world on disk, read on demand.
    InFile(Arc<FileContent>),
    /// In another world, and not loaded. Only overlays have such objects.
    Elsewhere(Arc<Elsewhere>),
    /// In a file of the user, and not read. Only drafts of plans have such objects.
    OfUser(Arc<FileBody>),
}

/// Bytes with their checksums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// The bytes.
    pub bytes: Bytes,
    /// Their checksums.
    pub checksums: Checksums,
}

/// The checksums of a content. They are computed only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checksums {
    /// The SHA-256, for the signature.
    pub sha256: [u8; 32],
    /// The MD5: the ETag.
    pub md5: [u8; 16],
    /// The CRC-32: the checksum that boto3 sends and asks for.
    pub crc32: u32,
}

/// The place of a content in another world, and the facts known without loading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// Its bucket there.
    pub bucket: String,
    /// Its key there.
    pub key: String,
    /// Its version, if the bucket has versions.
    pub version: Option<String>,
    /// The ETag with its quotes, from the other world.
    pub etag: String,
    /// The size in bytes.
    pub size: usize,
    /// The CRC-32 of the whole content, if the other world has it.
    pub crc32: Option<u32>,
    /// Whether only a listing has told of the object there, so that its attributes and tags are
    /// not known yet.
    pub is_brief: bool,
}

impl Content {
    /// The checksums, unless the content is in another world or a file of the user, or cannot be
    /// read. The first time, those of a file are computed: blocks while the disk works.
    pub fn checksums(&self) -> Option<&Checksums> {
        match self {
            Content::Here(blob) => Some(&blob.checksums),
            Content::InFile(file) => file.checksums().ok(),
            Content::Elsewhere(_) | Content::OfUser(_) => None,
        }
    }

    /// The checksums, if they are known without reading.
    pub fn known_checksums(&self) -> Option<&Checksums> {
        match self {
            Content::InFile(file) => file.known_checksums(),
            other => other.checksums(),
        }
    }

    /// The size in bytes, which is known without reading.
    pub fn size(&self) -> usize {
        match self {
            Content::Here(blob) => blob.bytes.len(),
            Content::InFile(file) => file.size,
            Content::Elsewhere(place) => place.size,
            Content::OfUser(file) => usize::try_from(file.size).unwrap_or(usize::MAX),
        }
    }

    /// The file, if the content is in one of a world on disk.
    pub fn file(&self) -> Option<&Arc<FileContent>> {
        match self {
            Content::InFile(file) => Some(file),
            _ => None,
        }
    }

    /// The bytes. If they are in a file, blocks while the disk works.
    ///
    /// # Errors
    /// The file cannot be read or has changed, or the content is in another world.
    pub fn read(&self) -> Result<Bytes> {
        match self {
            Content::Here(blob) => Ok(blob.bytes.clone()),
            Content::InFile(file) => file.read(),
            Content::OfUser(file) => (file.read)(),
            Content::Elsewhere(place) => Err(Error::world(format!(
                "the content of {}/{} is not loaded",
                place.bucket, place.key
            ))),
        }
    }

    /// Some of the bytes. Only these are read from a file.
    ///
    /// # Errors
    /// Those of [`Content::read`].
    pub fn read_range(&self, range: Range<usize>) -> Result<Bytes> {
        match self {
            Content::InFile(file) if range != (0..file.size) => file.read_range(range),
            content => {
                let bytes = content.read()?;
                match range.end <= bytes.len() {
                    true => Ok(bytes.slice(range)),
                    false => Err(Error::world(
                        "the object became shorter while it was read; read it again",
                    )),
                }
            }
        }
    }

    /// Some of the bytes, piece by piece, so that those in a file are never all in memory.
    ///
    /// # Errors
    /// Those of [`Content::read`].
    pub fn reader(&self, range: Range<usize>) -> Result<Box<dyn Read + Send>> {
        match self {
            Content::InFile(file) => file.reader(range),
            Content::OfUser(body) if body.reader.is_some() && range == (0..self.size()) => {
                match &body.reader {
                    Some(reader) => reader(),
                    None => Ok(Box::new(io::empty())),
                }
            }
            content => Ok(Box::new(io::Cursor::new(content.read_range(range)?))),
        }
    }

    /// [`Content::read_range`] without blocking other tasks while the disk works.
    ///
    /// # Errors
    /// Those of [`Content::read`].
    pub async fn load_range(&self, range: Range<usize>) -> Result<Bytes> {
        match self {
            Content::InFile(_) | Content::OfUser(_) => {
                let content = self.clone();
                blocking::waiting(move || content.read_range(range)).await?
            }
            here => here.read_range(range),
        }
    }

    /// [`Content::read`] without blocking other tasks while the disk works.
    ///
    /// # Errors
    /// Those of [`Content::read`].
    pub async fn load(&self) -> Result<Bytes> {
        self.load_range(0..self.size()).await
    }
}

impl Blob {
    /// Computes the checksums.
    pub fn new(bytes: Bytes) -> Self {
        Blob {
            checksums: Checksums::of(&bytes),
            bytes,
        }
    }
}

impl Checksums {
    /// The checksums of a content in memory.
    pub fn of(bytes: &[u8]) -> Self {
        Checksums {
            sha256: Checksums::sha256(bytes),
            md5: Md5::digest(bytes).into(),
            crc32: crc32fast::hash(bytes),
        }
    }

    /// The SHA-256 alone.
    pub fn sha256(bytes: &[u8]) -> [u8; 32] {
        Sha256::digest(bytes).into()
    }

    /// The SHA-256 alone of everything a reader yields.
    ///
    /// # Errors
    /// The reader's.
    pub fn sha256_of_reader(reader: impl Read) -> io::Result<[u8; 32]> {
        let mut sha256 = Sha256::new();
        in_pieces(reader, |part| sha256.update(part))?;
        Ok(sha256.finalize().into())
    }

    /// The checksums and the size of everything a reader yields, read in small pieces.
    ///
    /// # Errors
    /// The reader's.
    pub fn of_reader(reader: impl Read) -> io::Result<(Self, usize)> {
        let (mut sha256, mut md5) = (Sha256::new(), Md5::new());
        let (mut crc32, mut size) = (crc32fast::Hasher::new(), 0);
        in_pieces(reader, |part| {
            sha256.update(part);
            md5.update(part);
            crc32.update(part);
            size += part.len();
        })?;
        let checksums = Checksums {
            sha256: sha256.finalize().into(),
            md5: md5.finalize().into(),
            crc32: crc32.finalize(),
        };
        Ok((checksums, size))
    }

    /// The ETag, with the double quotes that are part of it.
    pub fn etag(&self) -> String {
        // Every key of a listing has one, so that the two allocations of `format!` would show.
        ["\"", const_hex::Buffer::<16>::new().format(&self.md5), "\""].concat()
    }
}

/// Passes on everything a reader yields, in small pieces.
///
/// # Errors
/// The reader's.
pub fn in_pieces(mut reader: impl Read, mut to: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => to(buffer.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
