//! Values by the lexicon, longest first.

use super::{Reader, Reading, What};
use crate::lexicon::{Cue, List};
use crate::text::Hit;

impl Reader<'_> {
    pub(super) fn values(&self, reading: &mut Reading<'_>, hits: &[Hit]) {
        let mut hits = hits.to_vec();
        hits.sort_by_key(|hit| (std::cmp::Reverse(hit.end - hit.start), hit.start));
        let mut taken: Vec<Hit> = Vec::new();
        let mut covered = vec![false; reading.tokens.len()];
        for hit in hits {
            let tokens = covered.get_mut(hit.start..hit.end).unwrap_or_default();
            if !tokens.contains(&true) && reading.free(&(hit.start..hit.end)) {
                tokens.fill(true);
                taken.push(hit);
            }
        }
        taken.sort_by_key(|hit| hit.start);
        let spans = |hit: &Hit| self.in_span(reading, &taken, hit);
        let kept = taken
            .iter()
            .filter(|hit| !self.weakened(reading, hit) && !spans(hit))
            .copied()
            .collect::<Vec<_>>();
        for hit in kept {
            reading.claim(What::Value(hit.tag), hit.start..hit.end);
        }
    }

    fn slot(&self, hit: &Hit) -> &str {
        self.lexicon
            .values
            .get(hit.tag)
            .map_or("", |(slot, _)| slot)
    }

    /// Whether a comparison, a nearness, a menu or a dish makes it no value.
    fn weakened(&self, reading: &Reading<'_>, hit: &Hit) -> bool {
        let degree = reading.ended(Cue::Degree, hit.start).is_some();
        let place = self
            .schema
            .slot(self.slot(hit))
            .is_some_and(|slot| slot.place);
        let mut start = hit.start;
        while start > 0
            && reading
                .tokens
                .get(start - 1)
                .is_some_and(|token| self.has(List::Article, token))
        {
            start -= 1;
        }
        let near = place
            && (reading.ended(Cue::Near, start).is_some()
                || reading.ended(Cue::Near, hit.start).is_some());
        // "British specials": the value is the first word of a property, which says so.
        let menu = !place
            && reading
                .open_in(&(hit.start..hit.start + 1))
                .iter()
                .any(|open| open.tokens.end > hit.end);
        let dish = || {
            let slot = self.schema.slot(self.slot(hit));
            slot.is_some_and(|slot| !slot.place && !slot.others)
                && self.in_dish(reading, &(hit.start..hit.end))
        };
        degree || near || menu || dish()
    }

    /// Whether it is an end of a span: *from cheap to expensive*.
    fn in_span(&self, reading: &Reading<'_>, taken: &[Hit], hit: &Hit) -> bool {
        let same = |other: &&Hit| self.slot(hit) == self.slot(other);
        let beginning = |start: usize| {
            let place = taken.partition_point(|other| other.start < start);
            taken.get(place).filter(|other| other.start == start)
        };
        let ending = |end: usize| {
            let place = taken.partition_point(|other| other.end < end);
            taken.get(place).filter(|other| other.end == end)
        };
        let next = reading.at(Cue::Span, hit.end);
        let mut before = reading
            .cues
            .ending(Cue::Span, &(hit.start..hit.start + 1))
            .iter();
        next.and_then(|cue| beginning(cue.end))
            .is_some_and(|other| same(&other))
            || before.any(|cue| ending(cue.start).is_some_and(|other| same(&other)))
    }
}
