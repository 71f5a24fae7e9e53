//! Multipart uploads in progress.

use super::content::Blob;
use super::extras::Extras;
use super::part_checksums::Wanted;
use super::state::Attributes;
use crate::domain::Value;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The uploads in progress, by key, and by when they began.
#[derive(Debug, Clone, Default)]
pub struct Uploads {
    open: BTreeMap<Id, Arc<Upload>>,
    /// The last ones that were completed, and the answers.
    completed: Vec<(Id, Value)>,
}

/// How many completed uploads are remembered.
const REMEMBERED: usize = 100;

/// An upload's key, when it began, and its id: the order in which uploads are listed.
pub type Id = (Arc<str>, Timestamp, Arc<str>);

/// One upload in progress.
#[derive(Debug, Clone)]
pub struct Upload {
    /// The attributes of the object to be.
    pub attributes: Attributes,
    /// The attributes that few objects have.
    pub extras: Extras,
    /// The checksum that it will have, if the uploader asked for one.
    pub checksum: Option<Wanted>,
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

impl Part {
    /// Whether both are the same part, and not only parts with the same content.
    pub fn is(&self, other: &Part) -> bool {
        self.modified == other.modified && self.blob.checksums == other.blob.checksums
    }
}

impl Uploads {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The upload of this key with this id.
    pub fn find(&self, key: &str, id: &str) -> Option<&Id> {
        let mut ids = self.open.keys();
        ids.find(|(of, _, known)| **of == *key && **known == *id)
    }

    /// An upload.
    pub fn get(&self, id: &Id) -> Option<&Arc<Upload>> {
        self.open.get(id)
    }

    /// An upload, to be changed.
    pub fn get_mut(&mut self, id: &Id) -> Option<&mut Arc<Upload>> {
        self.open.get_mut(id)
    }

    /// All uploads in the order of a listing.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, &Arc<Upload>)> {
        self.open.iter()
    }

    /// Begins an upload.
    pub fn begin(&mut self, id: Id, upload: Upload) {
        self.open.insert(id, Arc::new(upload));
    }

    /// Ends an upload, and forgets its parts.
    pub fn end(&mut self, id: &Id) {
        self.open.remove(id);
    }

    /// Ends an upload with this answer, which is also that of a repeated completion.
    pub fn complete(&mut self, id: &Id, answer: Value) {
        self.end(id);
        if self.completed.len() == REMEMBERED {
            self.completed.remove(0);
        }
        self.completed.push((id.clone(), answer));
    }

    /// The answer of an upload that was completed.
    pub fn completed(&self, key: &str, id: &str) -> Option<&Value> {
        let mut completed = self.completed.iter();
        let found = completed.find(|((of, _, known), _)| **of == *key && **known == *id);
        found.map(|(_, answer)| answer)
    }
}
