//! Multipart uploads in progress.

use super::extras::Extras;
use super::part_checksums::Wanted;
use super::parts::{Part, Parts};
use super::state::Attributes;
use crate::domain::Value;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The uploads in progress, by key, and by when they began.
#[derive(Debug, Clone, Default)]
pub struct Uploads {
    open: BTreeMap<Id, Arc<Upload>>,
    /// The share of all parts of the limit on the parts of all uploads, in bytes.
    cost: usize,
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
    /// The parts that have come.
    pub parts: Parts,
}

impl Uploads {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// The share of all parts of the limit on the parts of all uploads, in bytes.
    pub(super) fn cost(&self) -> usize {
        self.cost
    }

    /// The upload of this key with this id.
    pub fn find(&self, key: &str, id: &str) -> Option<&Id> {
        let first: Id = (Arc::from(key), Timestamp::MIN, Arc::from(""));
        let ids = self.open.range(first..).map(|(id, _)| id);
        let mut of_key = ids.take_while(|(of, _, _)| **of == *key);
        of_key.find(|(_, _, known)| **known == *id)
    }

    /// An upload.
    pub fn get(&self, id: &Id) -> Option<&Arc<Upload>> {
        self.open.get(id)
    }

    /// All uploads in the order of a listing.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, &Arc<Upload>)> {
        self.open.iter()
    }

    /// Begins an upload, which may have parts already.
    pub fn begin(&mut self, id: Id, upload: Upload) {
        self.end(&id);
        self.cost += upload.parts.cost();
        self.open.insert(id, Arc::new(upload));
    }

    /// Adds a part to an upload, or replaces the one of the same number.
    pub fn keep(&mut self, id: &Id, number: i64, part: Part) {
        let Some(upload) = self.open.get_mut(id) else {
            return;
        };
        // A world on disk does not write a part that is the same, so the one in its file stays.
        if upload.parts.get(number).is_some_and(|it| it.is(&part)) {
            return;
        }
        let parts = &mut Arc::make_mut(upload).parts;
        self.cost -= parts.cost();
        parts.insert(number, part);
        self.cost += parts.cost();
    }

    /// Leaves the content of a part to this file, which has it.
    pub fn move_part(&mut self, id: &Id, number: i64, file: PathBuf) {
        if let Some(upload) = self.open.get_mut(id) {
            Arc::make_mut(upload).parts.move_to(number, file);
        }
    }

    /// Ends an upload, and forgets its parts.
    pub fn end(&mut self, id: &Id) {
        if let Some(ended) = self.open.remove(id) {
            self.cost -= ended.parts.cost();
        }
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
