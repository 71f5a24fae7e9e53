//! The parts of what is not whole yet, and what they hold.

use super::provenance::Contents;
use crate::domain::Place;
use std::collections::{HashMap, HashSet};

/// The parts, by name.
#[derive(Default)]
pub(super) struct Pieces<'a>(HashMap<&'a str, Slot<'a>>);

/// One part.
pub(super) struct Slot<'a> {
    /// The place that it was copied from.
    pub source: Option<&'a Place>,
    /// What that held.
    pub held: Contents<'a>,
    /// The range of it, if it is not all.
    pub range: Option<(u64, u64)>,
}

impl<'a> Pieces<'a> {
    /// Another part of the same name goes.
    pub fn put(&mut self, name: &'a str, slot: Slot<'a>) {
        self.0.insert(name, slot);
    }

    /// The places that the parts of these names were copied from.
    pub fn sources(&self, names: &HashSet<&str>) -> Contents<'a> {
        let of = self.0.iter().filter(|(name, _)| names.contains(*name));
        of.filter_map(|(_, slot)| slot.source).collect()
    }

    /// The contents that are in the parts of these names, or in all of them, as a whole.
    pub fn held(
        &self,
        names: Option<&HashSet<&str>>,
        size: impl Fn(&Place) -> u64,
    ) -> Contents<'a> {
        let of = self.0.iter();
        let of = of.filter(|(name, _)| names.is_none_or(|names| names.contains(*name)));
        let mut held = Contents::new();
        let mut ranges: HashMap<&Contents<'a>, Vec<(u64, u64)>> = HashMap::new();
        for (_, slot) in of {
            match slot.range {
                None => held.extend(&slot.held),
                Some(range) => ranges.entry(&slot.held).or_default().push(range),
            }
        }
        for (contents, ranges) in ranges {
            let all = contents.iter().map(|place| size(place)).sum();
            if is_covered(ranges, all) {
                held.extend(contents);
            }
        }
        held
    }
}

/// Whether ranges leave nothing out of so many bytes.
fn is_covered(mut ranges: Vec<(u64, u64)>, size: u64) -> bool {
    ranges.sort_unstable();
    let mut end = 0;
    for (from, to) in ranges {
        if from > end {
            return false;
        }
        end = end.max(to);
    }
    end >= size
}
