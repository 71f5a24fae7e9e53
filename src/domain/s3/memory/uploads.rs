//! Multipart uploads in progress.

use super::content::Blob;
use super::extras::Extras;
use super::state::Attributes;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The uploads in progress, by key, and by when they began.
#[derive(Debug, Clone, Default)]
pub struct Uploads(BTreeMap<Id, Arc<Upload>>);

/// An upload's key, when it began, and its id: the order in which uploads are listed.
pub type Id = (Arc<str>, Timestamp, Arc<str>);

/// One upload in progress.
#[derive(Debug, Clone)]
pub struct Upload {
    /// The attributes of the object to be.
    pub attributes: Attributes,
    /// What it will have beside them.
    pub extras: Extras,
    /// The parts by their numbers.
    pub parts: BTreeMap<i64, Part>,
}

/// One part.
#[derive(Debug, Clone)]
pub struct Part {
    /// The content.
    pub blob: Blob,
    /// When it came.
    pub modified: Timestamp,
}

impl Uploads {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The upload of this key with this id.
    pub fn find(&self, key: &str, id: &str) -> Option<&Id> {
        let mut ids = self.0.keys();
        ids.find(|(of, _, known)| **of == *key && **known == *id)
    }

    /// An upload.
    pub fn get(&self, id: &Id) -> Option<&Arc<Upload>> {
        self.0.get(id)
    }

    /// An upload, to be changed.
    pub fn get_mut(&mut self, id: &Id) -> Option<&mut Arc<Upload>> {
        self.0.get_mut(id)
    }

    /// All uploads in the order of a listing.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, &Arc<Upload>)> {
        self.0.iter()
    }

    /// Begins an upload.
    pub fn begin(&mut self, id: Id, upload: Upload) {
        self.0.insert(id, Arc::new(upload));
    }

    /// Ends an upload, and forgets its parts.
    pub fn end(&mut self, id: &Id) {
        self.0.remove(id);
    }
}
