//! Contents that calls make of others: of the parts of an upload, or of a range of an object.

use super::content::{Blob, Content, Elsewhere};
use super::parts::Part;
use super::spool::Spool;
use super::{Store, completion, multipart};
use crate::domain::Value;
use crate::error::{Error, Result};
use crate::params::Params;
use bytes::Bytes;
use std::ops::Range;
use std::sync::Arc;

/// The pieces of a new content, in order. They share their bytes with the store, so the store
/// need not be locked while they are read and joined.
#[derive(Clone)]
pub struct Pieces(Vec<Piece>);

#[derive(Clone)]
struct Piece {
    content: Content,
    /// The bytes that are taken.
    range: Range<usize>,
}

impl Pieces {
    /// Whether an operation makes a content of others.
    pub fn are_of(operation: &str) -> bool {
        matches!(operation, "complete_multipart_upload" | "upload_part_copy")
    }

    /// The pieces that a call joins. `None` if it joins none or is certain to be refused.
    pub fn of_call(store: &Store, operation: &str, params: &Value) -> Option<Self> {
        let params = Params::new(params).ok()?;
        match operation {
            "complete_multipart_upload" => completion::pieces(store, params).ok(),
            "upload_part_copy" => multipart::pieces(store, params).ok(),
            _ => None,
        }
    }

    /// Parts, one after another.
    pub fn of_parts(parts: &[&Part]) -> Self {
        let pieces = parts.iter().map(|part| Piece {
            content: part.content(),
            range: part.range(),
        });
        Pieces(pieces.collect())
    }

    pub fn of_range(content: Content, range: Range<usize>) -> Self {
        Pieces(vec![Piece { content, range }])
    }

    /// The size of the content that they make.
    pub fn size(&self) -> usize {
        self.0.iter().map(|piece| piece.range.len()).sum()
    }

    /// Whether both make the same content.
    pub fn make_same(&self, other: &Pieces) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && pairs.all(|(one, other)| one.is_same(other))
    }

    /// The object in another world whose whole content they make.
    fn whole_elsewhere(&self) -> Option<Arc<Elsewhere>> {
        let mut end = 0;
        let mut whole: Option<&Arc<Elsewhere>> = None;
        for piece in &self.0 {
            let Content::Elsewhere(place) = &piece.content else {
                return None;
            };
            if piece.range.start != end || whole.is_some_and(|whole| whole != place) {
                return None;
            }
            (end, whole) = (piece.range.end, Some(place));
        }
        whole.filter(|place| place.size == end).cloned()
    }

    /// The ranges of objects in another world that have to be loaded, by the numbers of their
    /// pieces. None where they make one object that can stay there.
    pub fn to_load(&self) -> Vec<(usize, Arc<Elsewhere>, Range<usize>)> {
        if self.whole_elsewhere().is_some() {
            return Vec::new();
        }
        let pieces = self.0.iter().enumerate();
        let elsewhere = pieces.filter_map(|(number, piece)| match &piece.content {
            Content::Elsewhere(place) => Some((number, place.clone(), piece.range.clone())),
            _ => None,
        });
        elsewhere.collect()
    }

    /// The same pieces, where one was loaded.
    #[must_use]
    pub fn loaded(mut self, number: usize, bytes: Bytes) -> Self {
        if let Some(piece) = self.0.get_mut(number) {
            piece.range = 0..bytes.len();
            piece.content = Content::Here(Blob::new(bytes));
        }
        self
    }

    /// The content that they make, in a file of `spool` if it is large. Blocks while the disk
    /// works.
    ///
    /// # Errors
    /// Those of [`Content::read`], or the file cannot be written.
    pub fn content(&self, spool: Option<&Spool>) -> Result<Content> {
        if let Some(place) = self.whole_elsewhere() {
            return Ok(Content::Elsewhere(place));
        }
        if let [only] = self.0.as_slice()
            && only.range == (0..only.content.size())
            && (spool.is_some() || matches!(only.content, Content::Here(_)))
        {
            return Ok(only.content.clone());
        }
        if let Some(spool) = spool
            && self.size() > LARGE
        {
            let pieces = self.0.iter();
            let readers = pieces.map(|piece| piece.content.reader(piece.range.clone()));
            let file = spool.keep(readers)?;
            return Ok(Content::InFile(Arc::new(file)));
        }
        if self.size() > MOST {
            return Err(Error::world(format!(
                "{} bytes are too many to be joined in memory",
                self.size()
            )));
        }
        // A range is copied: as a view, a few bytes would keep the whole content in memory.
        let mut joined = Vec::with_capacity(self.size());
        for piece in &self.0 {
            joined.extend_from_slice(&piece.content.read_range(piece.range.clone())?);
        }
        Ok(Content::Here(Blob::new(joined.into())))
    }
}

/// The most bytes that are joined in memory where there is a folder for more.
const LARGE: usize = 8 << 20;

/// The most bytes that are joined in memory at all.
const MOST: usize = 1 << 30;

impl Piece {
    fn is_same(&self, other: &Piece) -> bool {
        let has_same_content = match (self.content.checksums(), other.content.checksums()) {
            (Some(one), Some(other)) => one == other,
            (None, None) => self.content == other.content,
            _ => false,
        };
        has_same_content && self.range == other.range
    }
}
