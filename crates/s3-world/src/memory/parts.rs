//! The parts of an upload in progress.

use super::FileContent;
use super::content::{Blob, Checksums, Content, Elsewhere};
use super::copy;
use super::extras::Checksum;
use crate::domain::Refusal;
use bytes::Bytes;
use jiff::Timestamp;
use md5::{Digest, Md5};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// The bytes that a part counts beside its content, so that empty parts are not free. It takes
/// about as many.
pub(super) const PART_COST: usize = 256;

/// The parts of an upload by their numbers.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    by_number: BTreeMap<i64, Part>,
    /// The bytes of all contents together.
    size: usize,
    /// Those of them that are in another world.
    elsewhere: usize,
}

/// One part.
#[derive(Debug, Clone)]
pub struct Part {
    /// The content.
    pub blob: PartBlob,
    /// Its checksum, if the upload asked for one.
    pub checksum: Option<Checksum>,
    /// When it came.
    pub modified: Timestamp,
}

/// The content of a part, with its checksums.
#[derive(Debug, Clone)]
pub struct PartBlob {
    /// The bytes, or where they are.
    pub bytes: PartBytes,
    /// Their checksums.
    pub checksums: Checksums,
}

/// The bytes of a part.
#[derive(Debug, Clone)]
pub enum PartBytes {
    /// In this store.
    Here(Bytes),
    /// In a file of a world on disk, read on demand.
    InFile(Arc<FileContent>),
    /// A range of an object in another world, which is not loaded. Only overlays have such parts.
    Elsewhere(Arc<Elsewhere>, Range<usize>),
}

impl PartBytes {
    /// How many they are.
    pub fn len(&self) -> usize {
        match self {
            PartBytes::Here(bytes) => bytes.len(),
            PartBytes::InFile(file) => file.size,
            PartBytes::Elsewhere(_, range) => range.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The file, if they are in one.
    pub fn file(&self) -> Option<&Arc<FileContent>> {
        match self {
            PartBytes::Here(_) | PartBytes::Elsewhere(..) => None,
            PartBytes::InFile(file) => Some(file),
        }
    }
}

impl Part {
    /// A part that came at this time.
    ///
    /// # Errors
    /// The content cannot be read.
    pub fn new(
        content: Content,
        checksum: Option<Checksum>,
        modified: Timestamp,
    ) -> Result<Self, Refusal> {
        let checksums = *content.checksums().ok_or_else(copy::not_loaded)?;
        let bytes = match content {
            Content::InFile(file) => PartBytes::InFile(file),
            other => PartBytes::Here(other.read().map_err(|_| copy::not_loaded())?),
        };
        Ok(Part {
            blob: PartBlob { bytes, checksums },
            checksum,
            modified,
        })
    }

    /// A part that is a range of an object in another world. Nobody knows its checksums before
    /// it is copied there: others stand for them.
    pub fn elsewhere(place: &Elsewhere, range: Range<usize>, modified: Timestamp) -> Self {
        let stand_in = format!("{place:?} {range:?}");
        let checksums = Checksums {
            sha256: [0; 32],
            md5: Md5::digest(stand_in).into(),
            crc32: 0,
        };
        // What the object has beside its content is not copied into parts.
        let place = Elsewhere {
            is_brief: false,
            ..place.clone()
        };
        Part {
            blob: PartBlob {
                bytes: PartBytes::Elsewhere(Arc::new(place), range),
                checksums,
            },
            checksum: None,
            modified,
        }
    }

    /// Whether both are the same part, and not only parts with the same content.
    pub fn is(&self, other: &Part) -> bool {
        self.modified == other.modified && self.blob.checksums == other.blob.checksums
    }

    /// The content, as objects have it: that of the part, or of which it is a [range](Part::range).
    pub fn content(&self) -> Content {
        match &self.blob.bytes {
            PartBytes::Here(bytes) => Content::Here(Blob {
                bytes: bytes.clone(),
                checksums: self.blob.checksums,
            }),
            PartBytes::InFile(file) => Content::InFile(file.clone()),
            PartBytes::Elsewhere(place, _) => Content::Elsewhere(place.clone()),
        }
    }

    /// The bytes of [`Part::content`] that are the part's.
    pub fn range(&self) -> Range<usize> {
        match &self.blob.bytes {
            PartBytes::Elsewhere(_, range) => range.clone(),
            bytes => 0..bytes.len(),
        }
    }

    /// How many of its bytes this store has.
    pub(super) fn held(&self) -> usize {
        match &self.blob.bytes {
            PartBytes::Elsewhere(..) => 0,
            bytes => bytes.len(),
        }
    }

    /// Leaves the content to this file, which has it.
    pub fn move_to(&mut self, file: PathBuf) {
        let size = self.blob.bytes.len();
        let file = FileContent::new(file, self.blob.checksums, size, false);
        self.blob.bytes = PartBytes::InFile(Arc::new(file));
    }

    /// Its share of the limit on the parts of all uploads, in bytes.
    pub(super) fn cost(&self) -> usize {
        self.held() + PART_COST
    }
}

impl Parts {
    /// The bytes of all contents together.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many of the bytes this store has.
    pub(super) fn held(&self) -> usize {
        self.size - self.elsewhere
    }

    /// Their share of the limit on the parts of all uploads, in bytes.
    pub(super) fn cost(&self) -> usize {
        self.held() + PART_COST * self.by_number.len()
    }

    /// The part of this number.
    pub fn get(&self, number: i64) -> Option<&Part> {
        self.by_number.get(&number)
    }

    /// All parts with their numbers, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &Part)> {
        self.by_number.iter().map(|(number, part)| (*number, part))
    }

    /// All parts in their order.
    pub fn values(&self) -> impl Iterator<Item = &Part> {
        self.by_number.values()
    }

    /// The parts that come after this number.
    pub(super) fn after(&self, number: i64) -> impl Iterator<Item = (i64, &Part)> {
        let after = self.by_number.range(number.saturating_add(1)..);
        after.map(|(number, part)| (*number, part))
    }

    /// Adds a part, or replaces the one of the same number.
    pub fn insert(&mut self, number: i64, part: Part) {
        let elsewhere = |part: &Part| part.blob.bytes.len() - part.held();
        self.size += part.blob.bytes.len();
        self.elsewhere += elsewhere(&part);
        if let Some(replaced) = self.by_number.insert(number, part) {
            self.size -= replaced.blob.bytes.len();
            self.elsewhere -= elsewhere(&replaced);
        }
    }

    /// Leaves the content of a part to this file, which has it.
    pub(super) fn move_to(&mut self, number: i64, file: PathBuf) {
        if let Some(part) = self.by_number.get_mut(&number) {
            part.move_to(file);
        }
    }
}
