//! Things by their place in a text, so that a clause looks at its own alone.

use std::ops::Range;

use crate::lexicon::Cue;
use crate::text::Hit;

/// What is ordered by place; where `key` says it stands.
pub(crate) fn within<'a, T>(
    ordered: &'a [T],
    range: &Range<usize>,
    key: impl Fn(&T) -> usize,
) -> &'a [T] {
    let start = ordered.partition_point(|item| key(item) < range.start);
    let rest = ordered.get(start..).unwrap_or_default();
    let end = rest.partition_point(|item| key(item) < range.end);
    let found = rest.get(..end).unwrap_or_default();
    crate::steps::count(1 + found.len());
    found
}

/// The hits of tags, as those of cues, by their place.
#[derive(Debug, Default)]
pub(crate) struct Cues {
    by_start: Vec<Vec<Hit>>,
    by_end: Vec<Vec<Hit>>,
    /// The most tokens of a hit.
    longest: usize,
}

impl Cues {
    /// Of hits in order of their starts.
    pub fn new(hits: Vec<Hit>) -> Self {
        let mut cues = Cues::default();
        for hit in hits {
            if hit.tag >= cues.by_start.len() {
                cues.by_start.resize_with(hit.tag + 1, Vec::new);
            }
            if let Some(hits) = cues.by_start.get_mut(hit.tag) {
                hits.push(hit);
            }
            cues.longest = cues.longest.max(hit.end - hit.start);
        }
        cues.by_end = cues.by_start.clone();
        for hits in &mut cues.by_end {
            hits.sort_by_key(|hit| hit.end);
        }
        cues
    }

    /// Whether a hit of a tag begins within tokens.
    pub fn any(&self, tag: usize, range: &Range<usize>) -> bool {
        self.by_start.get(tag).is_some_and(|hits| {
            let next = hits.partition_point(|hit| hit.start < range.start);
            hits.get(next).is_some_and(|hit| hit.start < range.end)
        })
    }

    /// All hits of a cue.
    pub fn all(&self, cue: Cue) -> &[Hit] {
        let hits = self.by_start.get(cue as usize);
        hits.map(Vec::as_slice).unwrap_or_default()
    }

    /// The hits of a cue that begin within tokens.
    pub fn within(&self, cue: Cue, range: &Range<usize>) -> &[Hit] {
        within(self.all(cue), range, |hit| hit.start)
    }

    /// The hits of a cue that end before a token of the range.
    pub fn ending(&self, cue: Cue, range: &Range<usize>) -> &[Hit] {
        let hits = self.by_end.get(cue as usize);
        within(hits.map(Vec::as_slice).unwrap_or_default(), range, |hit| {
            hit.end
        })
    }

    /// The hits of a cue that have a token of the range.
    pub fn touching(&self, cue: Cue, range: &Range<usize>) -> impl Iterator<Item = Hit> + '_ {
        let from = range.start.saturating_sub(self.longest);
        let start = range.start;
        let hits = self.within(cue, &(from..range.end)).iter().copied();
        hits.filter(move |hit| hit.end > start)
    }
}
