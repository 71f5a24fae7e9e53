//! Rule 13: lists that leave something out.

use super::evidence::Evidence;
use super::{Claim, ClaimKind, Verdict};
use std::collections::HashSet;
use std::ops::Range;

/// The most names that a clause has.
const SHOWN: usize = 5;

/// The longest list, in names, that is compared with a reply.
const MOST: usize = 2000;

/// Words that present a list as complete.
const WHOLE: &[&str] = &[
    "all",
    "are",
    "contains",
    "following",
    "has",
    "have",
    "only",
    "these",
    "they",
];

/// Words that present it as a part, or say by what it was chosen.
const PART: &[&str] = &[
    "above",
    "after",
    "among",
    "before",
    "below",
    "between",
    "biggest",
    "contain",
    "copied",
    "created",
    "deleted",
    "earliest",
    "ending",
    "example",
    "examples",
    "few",
    "first",
    "include",
    "includes",
    "including",
    "largest",
    "last",
    "latest",
    "least",
    "longest",
    "matching",
    "more",
    "most",
    "moved",
    "named",
    "newer",
    "newest",
    "older",
    "oldest",
    "other",
    "others",
    "over",
    "part",
    "recent",
    "remaining",
    "renamed",
    "rest",
    "shortest",
    "since",
    "smallest",
    "some",
    "starting",
    "such",
    "top",
    "under",
    "until",
    "with",
    "without",
];

impl Evidence {
    /// The list of a reply that leaves out names of the result which it is taken from.
    pub(super) fn left_out(&self, reply: &str) -> Option<Claim> {
        let words = words(reply);
        let says = |known: &[&str]| known.iter().any(|word| words.contains(*word));
        if !says(WHOLE) || says(PART) || reply.contains("...") || reply.contains('…') {
            return None;
        }
        // The result with the fewest other names.
        let are_fields = |list: &[String]| list.iter().all(|name| self.quoted.contains(name));
        let lists = self.values.lists.iter();
        let lists = lists.filter(|list| list.len() <= MOST && !are_fields(list));
        let taken = lists.filter_map(|list| {
            let places = list.iter().map(|name| (name, place(name, reply)));
            let (here, missing): (Vec<_>, Vec<_>) = places.partition(|(_, at)| at.is_some());
            (here.len() > 1).then_some((here, missing))
        });
        let (here, missing) = taken.min_by_key(|(_, missing)| missing.len())?;
        if missing.is_empty() {
            return None;
        }
        let last = here.into_iter().filter_map(|(name, at)| Some((name, at?)));
        let (text, range) = last.max_by_key(|(_, at)| at.end)?;
        let more = match missing.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names: Vec<&str> = missing
            .iter()
            .take(SHOWN)
            .map(|(name, _)| name.as_str())
            .collect();
        Some(Claim {
            text: text.clone(),
            range,
            kind: ClaimKind::List,
            verdict: Verdict::Incomplete,
            about: None,
            rule: None,
            rows: Vec::new(),
            why: format!("the list leaves out {}{more}", names.join(", ")),
        })
    }
}

/// Where a name stands in a reply on its own.
fn place(name: &str, reply: &str) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || "/-_=".contains(c);
    let stands = |at: usize| {
        let (before, after) = (reply.get(..at)?, reply.get(at + name.len()..)?);
        let mut next = after.chars();
        let goes_on = match next.next() {
            // The end of a sentence, or of the name's first part.
            Some('.') => next.next().is_some_and(is_part),
            Some(c) => is_part(c),
            None => false,
        };
        let is_whole = !before.ends_with(is_part) && !before.ends_with('.') && !goes_on;
        is_whole.then_some(at..at + name.len())
    };
    let mut found = reply.match_indices(name).filter(|_| !name.is_empty());
    found.find_map(|(at, _)| stands(at))
}

fn words(reply: &str) -> HashSet<String> {
    let words = reply.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
