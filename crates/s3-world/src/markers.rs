//! Where the pages of a listing continue.

use super::caller::text;
use crate::domain::Value;
use std::collections::BTreeSet;

/// The markers with which a server continued one listing.
///
/// A listing ends at a marker that was there before: the server repeats its pages and would be
/// asked forever.
pub(super) struct Markers<T>(BTreeSet<T>);

impl<T: Ord> Markers<T> {
    /// No markers: the listing begins.
    pub fn new() -> Self {
        Markers(BTreeSet::new())
    }

    /// Takes note of a marker. Returns whether it was not there before.
    pub fn is_new(&mut self, marker: T) -> bool {
        self.0.insert(marker)
    }
}

impl Markers<String> {
    /// The marker in a field of a page, if the listing continues.
    pub fn next<'p>(&mut self, page: &'p Value, field: &str) -> Option<&'p str> {
        next_marker(page, field).filter(|marker| self.is_new((*marker).to_owned()))
    }
}

/// The marker in a field of a page. Some servers end their last page with an empty one, and take one
/// that is given back for the beginning.
pub(super) fn next_marker<'p>(page: &'p Value, field: &str) -> Option<&'p str> {
    text(page, field).filter(|marker| !marker.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_ends_at_a_repeated_marker() {
        let page = |marker: &str| Value::Map(vec![("Next".into(), marker.into())]);
        let mut markers = Markers::new();
        let mut next = |page: &Value| markers.next(page, "Next").map(str::to_owned);
        assert_eq!(next(&page("a")).as_deref(), Some("a"));
        assert_eq!(next(&page("b")).as_deref(), Some("b"));
        assert_eq!(next(&page("a")), None);
        assert_eq!(next(&page("")), None);
        assert_eq!(next(&Value::Map(Vec::new())), None);
    }
}
