//! The names of what something was done with: *deleted a.txt and b.txt*.

use std::ops::Range;

use super::Text;
use super::plain::Noun;
use super::roles::{QUOTES, What, is_path};
use super::told::Told;
use crate::deed::{Deed, Voice};
use crate::lexicon::{Cue, List};
use crate::spans::What as Span;
use crate::text::Shape;

/// The words behind *from* among which stands what something was in.
const NEAR: usize = 4;

/// The longest ending of a name: `parquet`.
const ENDING: usize = 10;

/// Names that stand together.
pub(super) struct Together {
    /// Their tokens.
    pub names: Vec<Range<usize>>,
    /// The token behind them.
    pub end: usize,
}

impl Text<'_, '_> {
    /// The names of what a statement says that something was done with, and whether it was done with
    /// something in it: *I removed a.png from index.json*. `end` is where the next statement begins.
    pub(super) fn objects(
        &self,
        deed: Deed,
        told: &Told,
        word: &Range<usize>,
        end: usize,
    ) -> (Vec<Range<usize>>, bool) {
        let found = self.around(told, word, end).map(|range| self.named(&range));
        let mut ends: Vec<usize> = found.iter().map(|together| together.end).collect();
        ends.extend([told.verb.end, word.end]);
        let may_be_in_a_thing = matches!(deed, Deed::Made | Deed::Gone | Deed::Changed);
        if may_be_in_a_thing && ends.iter().any(|at| self.leads_into_a_thing(*at, end)) {
            return (Vec::new(), true);
        }
        let mut names = found.into_iter().map(|together| together.names);
        let names = names.find(|names| !names.is_empty());
        (names.unwrap_or_default(), false)
    }

    /// The tokens around a verb and its word, those first in which stands what it was done with.
    pub(super) fn around(&self, told: &Told, word: &Range<usize>, end: usize) -> [Range<usize>; 3] {
        let behind = word.end..end;
        let adverbs = (told.from..word.start).rev();
        let adverbs = adverbs.take_while(|at| self.is_adverb(*at)).count();
        let last = (word.start - adverbs).checked_sub(1);
        // "Deleted a.txt and saved": what stands between was deleted.
        let between = match last.is_some_and(|at| self.is_in(List::Conjunction, at)) {
            true => word.start..word.start,
            false => told.verb.end.max(told.from)..word.start,
        };
        let before = told.start..told.verb.start.min(word.start);
        match told.voice {
            Voice::Active => [behind, between, before],
            Voice::Passive | Voice::State => [before, between, behind],
        }
    }

    /// The bytes of tokens.
    pub(super) fn places_of(&self, names: &[Range<usize>]) -> Vec<Range<usize>> {
        let names = names.iter();
        names.map(|name| self.reading.bytes(name)).collect()
    }

    /// The names with which tokens begin, behind words that leave none out.
    pub(super) fn named(&self, range: &Range<usize>) -> Together {
        let mut names: Vec<Range<usize>> = Vec::new();
        let mut joined = None;
        let mut at = range.start;
        while at < range.end {
            if let Some((name, next)) = self.name_at(at, range.end) {
                names.extend(name);
                at = next;
                continue;
            }
            let joins = self.reading.low(at) == "," || self.is_in(List::Conjunction, at);
            if joins && !names.is_empty() {
                joined = joined.or(Some(names.len()));
            } else if !self.leads(at, names.is_empty()) {
                break;
            }
            at += 1;
        }
        if at < range.end && self.is_word(at) {
            // "a.txt's tags", and "I deleted a.txt and b.txt stays".
            if self.reading.low(at) == "'s" {
                names.clear();
            } else if !self.goes_on_at(at) {
                names.truncate(joined.unwrap_or(names.len()));
            }
        }
        Together { names, end: at }
    }

    /// Whether a token may stand between a verb and a name, or between two names.
    fn leads(&self, at: usize, is_first: bool) -> bool {
        let low = self.reading.low(at);
        match self.reading.tokens.get(at).map(|token| token.shape) {
            Some(Shape::Mark) => {
                low == "*" || QUOTES.contains(&low) || is_first && matches!(low, ":" | "(")
            }
            Some(Shape::Number) => is_first,
            Some(Shape::Word) => {
                let is_plain = is_first && self.is_in(List::Plain, at) && !self.goes_on_at(at);
                self.is_in(List::Article, at)
                    || self.is_in(List::Adverb, at)
                    || self.noun_at(at).is_some()
                    || self.reading.numbers.get(at).copied().flatten().is_some()
                    || is_plain && !self.is_in(List::Conjunction, at)
            }
            Some(Shape::Break) | None => false,
        }
    }

    /// Whether a word tells more of the names before it, as *from*.
    pub(super) fn goes_on_at(&self, at: usize) -> bool {
        let cues = [Cue::From, Cue::Into, Cue::As, Cue::Except];
        cues.iter().any(|cue| self.reading.at(*cue, at).is_some()) || self.is_in(List::Belongs, at)
    }

    /// The name at a token, if its spelling says that it is one, and the token behind it. A quoted
    /// text that may be anything is passed over.
    fn name_at(&self, at: usize, end: usize) -> Option<(Option<Range<usize>>, usize)> {
        if let Some((what, inner, next)) = self.quoted(at, &(at..end)) {
            let is_name = match &what {
                What::Rows(_) | What::Start(_) => true,
                What::New(name) => is_path(name),
                What::Other => false,
            };
            return Some((is_name.then_some(inner), next));
        }
        if let Some((_, tokens, next)) = self.bare(at) {
            return Some((Some(tokens), next));
        }
        let name = self.spelt(at, end)?;
        Some((Some(name.clone()), name.end))
    }

    /// A name with an ending or a folder that stands without quotes.
    pub(super) fn spelt(&self, at: usize, end: usize) -> Option<Range<usize>> {
        let tokens = &self.reading.tokens;
        let first = tokens.get(at).filter(|token| token.solid())?;
        let goes_on = |at: &usize| {
            let token = tokens.get(*at);
            token.is_some_and(|token| {
                let is_sign = matches!(token.low.as_str(), "." | "/" | "_" | "-" | "=" | "+");
                token.glued && (token.solid() || is_sign || self.is_scheme_before(*at))
            })
        };
        let run = (at + 1..end).take_while(goes_on).last();
        let mut stop = run.map_or(at + 1, |last| last + 1);
        while stop > at + 1 && matches!(self.reading.low(stop - 1), "." | "-" | "=" | "+") {
            stop -= 1;
        }
        let last = tokens.get(stop - 1)?;
        let name = self.text.get(first.range.start..last.range.end)?;
        let has_choice = (at..stop).any(|at| self.is_in(List::Conjunction, at));
        (is_spelt_so(name) && !has_choice).then_some(at..stop)
    }

    /// Whether the colon of `s3://` stands at a token. Addresses of the web are no names.
    pub(super) fn is_scheme_before(&self, at: usize) -> bool {
        let low = |at: usize| self.reading.low(at);
        low(at) == ":"
            && low(at + 1) == "/"
            && low(at + 2) == "/"
            && !self.reading.before(at).starts_with("http")
    }

    /// Whether *from* or *in* stands at a token, and behind it no row that holds others.
    fn leads_into_a_thing(&self, at: usize, end: usize) -> bool {
        let mut cues = [Cue::From, Cue::Into].into_iter();
        let hit = cues.find_map(|cue| self.reading.at(cue, at));
        // In Italian `a.txt` begins with such a word.
        let Some(hit) = hit.filter(|_| self.spelt(at, end).is_none()) else {
            return false;
        };
        let name = self.spelt(hit.end, end);
        let name = name.and_then(|name| self.text.get(self.reading.bytes(&name)));
        let address = name.and_then(|name| name.split_once("://"));
        // "from s3://zoo-archive/"
        if address.is_some_and(|(_, path)| !path.trim_end_matches('/').contains('/')) {
            return false;
        }
        let mut near = hit.end..end.min(hit.end + NEAR);
        !near.any(|at| {
            let span = self.reading.span_at(at);
            let holds = span.is_some_and(
                |span| matches!(&span.what, Span::Name(rows) if super::all_hold(self.reader, rows)),
            );
            // "zoo-archive" is a name of no file.
            let sign = self.reading.tokens.get(at + 1);
            let is_joined = sign.is_some_and(|sign| sign.glued && sign.is("-"));
            let is_holder = is_joined && self.spelt(at, end).is_none();
            holds || is_holder || self.noun_at(at) == Some(Noun::Holder)
        })
    }

    fn is_word(&self, at: usize) -> bool {
        let token = self.reading.tokens.get(at);
        token.is_some_and(|token| token.shape == Shape::Word)
    }

    pub(super) fn is_in(&self, list: List, at: usize) -> bool {
        let token = self.reading.tokens.get(at);
        token.is_some_and(|token| self.reader.has(list, token))
    }
}

/// Whether a word is a path, or has an ending as files have. `e.g` and `v1.2` have none, and
/// `read/write` is no path.
fn is_spelt_so(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let has_ending = ending.is_some_and(|ending| {
        ending.len() <= ENDING
            && ending.chars().all(char::is_alphanumeric)
            && ending.contains(char::is_alphabetic)
    });
    let is_short = name.split('.').all(|part| part.chars().count() == 1);
    let is_folder = name.ends_with('/') && name.trim_end_matches('/').len() > 1;
    let is_name = is_path(name) && (has_ending || name.matches('/').count() > 1) || is_folder;
    is_name && !is_short && !name.contains("..") && name.contains(char::is_alphabetic)
}
