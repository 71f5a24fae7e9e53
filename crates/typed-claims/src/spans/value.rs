//! Values by the lexicon, longest first.

use super::{Reader, Reading, What};
use crate::lexicon::{Cue, List};
use crate::text::Hit;

impl Reader<'_> {
    pub(super) fn values(&self, reading: &mut Reading<'_>, hits: &[Hit]) {
        let mut hits = hits.to_vec();
        hits.sort_by_key(|hit| (std::cmp::Reverse(hit.end - hit.start), hit.start));
        let mut taken: Vec<Hit> = Vec::new();
        for hit in hits {
            let overlaps = taken
                .iter()
                .any(|other| other.start < hit.end && hit.start < other.end);
            if !overlaps && reading.free(&(hit.start..hit.end)) {
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

    /// Whether a comparison, a nearness or a menu makes it no value.
    fn weakened(&self, reading: &Reading<'_>, hit: &Hit) -> bool {
        let degree = reading.hits(Cue::Degree).any(|cue| cue.end == hit.start);
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
            && reading
                .hits(Cue::Near)
                .any(|cue| cue.end == start || cue.end == hit.start);
        let menu = !place
            && reading.open.iter().any(|open| {
                // "British specials": the value is the first word of a property, which says so.
                open.tokens.start == hit.start && open.tokens.end > hit.end
            });
        degree || near || menu
    }

    /// Whether it is an end of a span: *from cheap to expensive*.
    fn in_span(&self, reading: &Reading<'_>, taken: &[Hit], hit: &Hit) -> bool {
        let joined = |first: &Hit, second: &Hit| {
            let same = self.slot(first) == self.slot(second) && first.end < second.start;
            same && reading
                .at(Cue::Span, first.end)
                .is_some_and(|cue| cue.end == second.start)
        };
        taken
            .iter()
            .any(|other| joined(hit, other) || joined(other, hit))
    }
}
