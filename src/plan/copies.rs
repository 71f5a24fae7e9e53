//! The copies that a plan makes of what it then deletes. The deletion can be taken back from them,
//! so that the content need not be kept.

use crate::domain::{Place, Planning, Write};
use std::collections::HashMap;

/// For deletions, by the number of the write and the place, where a copy of it stays.
pub(super) type Copies = HashMap<(usize, Place), Place>;

/// A place without its setting: the path to a thing.
type Path<'w> = &'w [String];

/// What is known of the writes so far.
#[derive(Default)]
struct Known<'w> {
    copies: Copies,
    /// The copy of each thing that was not changed since it was copied.
    made: HashMap<Path<'w>, &'w Place>,
    /// The things that were copied to each place, and the deletions that depend on it.
    sources: HashMap<Path<'w>, Vec<Path<'w>>>,
    deletions: HashMap<Path<'w>, Vec<(usize, Place)>>,
}

/// The copies that stay as they were made, of places that were not changed between the copy and
/// the deletion.
pub(super) fn of(planning: &dyn Planning, writes: &[Write]) -> Copies {
    let mut known = Known::default();
    for (number, write) in writes.iter().enumerate() {
        let changed = write.touched.iter().filter(|touched| touched.changed);
        for touched in changed.clone() {
            let is_deleted = touched.place.setting().is_none() && touched.after.is_none();
            known.changed(number, &touched.place, is_deleted);
        }
        let Some(source) = planning.source(&write.operation, &write.params) else {
            continue;
        };
        let mut used = write.touched.iter().filter(|touched| !touched.changed);
        let source = used.find(|touched| touched.place == source);
        let mut targets = changed.map(|touched| &touched.place);
        if let (Some(source), Some(target), None) = (source, targets.next(), targets.next()) {
            known.copied(source.place.segments(), target);
        }
    }
    known.copies
}

impl<'w> Known<'w> {
    fn copied(&mut self, source: Path<'w>, target: &'w Place) {
        self.made.insert(source, target);
        let sources = self.sources.entry(target.segments()).or_default();
        sources.push(source);
    }

    fn changed(&mut self, number: usize, place: &'w Place, is_deleted: bool) {
        let path = place.segments();
        if path.len() < 2 {
            // What becomes of the things in a container is not followed.
            let is_in = |it: &[String]| it.first().map(String::as_str) == Some(place.root());
            (self.copies).retain(|(_, it), copy| !is_in(it.segments()) && !is_in(copy.segments()));
            (self.made).retain(|it, copy| !is_in(it) && !is_in(copy.segments()));
            return;
        }
        // A copy that is changed no longer has what its source had.
        for source in self.sources.remove(path).unwrap_or_default() {
            if self
                .made
                .get(source)
                .is_some_and(|it| it.segments() == path)
            {
                self.made.remove(source);
            }
        }
        for deletion in self.deletions.remove(path).unwrap_or_default() {
            self.copies.remove(&deletion);
        }
        if let Some(copy) = self.made.remove(path)
            && is_deleted
        {
            let deletion = (number, place.clone());
            let deletions = self.deletions.entry(copy.segments()).or_default();
            deletions.push(deletion.clone());
            self.copies.insert(deletion, copy.clone());
        }
    }
}
