//! The content of an object: in memory, in a file, or in another world.

use super::FileContent;
use crate::blocking;
use crate::domain::FileBody;
use crate::error::{Error, Result};
use bytes::Bytes;
use md5::Md5;
use sha2::{Digest, Sha256};
use std::io::{self, Read};
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
}

impl Content {
    /// The checksums, unless the content is in another world or a file of the user.
    pub fn checksums(&self) -> Option<&Checksums> {
        match self {
            Content::Here(blob) => Some(&blob.checksums),
            Content::InFile(file) => Some(&file.checksums),
            Content::Elsewhere(_) | Content::OfUser(_) => None,
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
            Content::Elsewhere(place) => Err(Error::World(format!(
                "the content of {}/{} is not loaded",
                place.bucket, place.key
            ))),
        }
    }

    /// The bytes with their checksums, which are computed only if they are not known.
    ///
    /// # Errors
    /// Those of [`Content::read`].
    pub fn blob(&self) -> Result<Blob> {
        let bytes = self.read()?;
        Ok(match self.checksums() {
            Some(checksums) => Blob {
                bytes,
                checksums: *checksums,
            },
            None => Blob::new(bytes),
        })
    }

    /// [`Content::read`] without blocking other tasks while the disk works.
    ///
    /// # Errors
    /// Those of [`Content::read`].
    pub async fn load(&self) -> Result<Bytes> {
        match self {
            Content::InFile(file) => {
                let file = file.clone();
                blocking::waiting(move || file.read()).await?
            }
            Content::OfUser(file) => {
                let file = file.clone();
                blocking::waiting(move || (file.read)()).await?
            }
            here => here.read(),
        }
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

    /// The checksums and the size of everything a reader yields, read in small pieces.
    ///
    /// # Errors
    /// The reader's.
    pub fn of_reader(mut reader: impl Read) -> io::Result<(Self, usize)> {
        let (mut sha256, mut md5) = (Sha256::new(), Md5::new());
        let (mut crc32, mut size) = (crc32fast::Hasher::new(), 0);
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let part = buffer.get(..read).unwrap_or_default();
            sha256.update(part);
            md5.update(part);
            crc32.update(part);
            size += read;
        }
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
