//! What a reply says was done, against what the programs of its turn did.

use super::{Claim, Kind, Verdict, overlap, typed};
use crate::dialogue::{Outcome, Turn};
use typed_claims::{Deed, Done, Knowledge, Voice};

/// The least and the most first characters that a word of the user must share with a deed.
const STEM: (usize, usize) = (4, 5);

/// What the programs of a turn did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Doings {
    /// Something was created or changed.
    pub wrote: bool,
    /// Something was removed, or shared.
    pub removed: bool,
    /// Why what was asked for was not done.
    pub withheld: Option<Withheld>,
    /// A turn before may have changed something.
    pub earlier: bool,
    /// What was done is not known, so that nothing is judged.
    pub unknown: bool,
}

/// Why a program did not do what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Withheld {
    /// It failed.
    Failed,
    /// The user said no.
    Declined,
}

impl Doings {
    /// Whether a deed may have been done.
    fn has(&self, done: &Done) -> bool {
        match done.deed {
            Deed::Gone if done.of_rows => self.removed,
            Deed::Made if done.of_rows => self.wrote,
            _ => self.wrote || self.removed,
        }
    }
}

/// The deeds that a reply tells of and that no program of its turn did. `turns` are those so far,
/// the one that is replied to included.
pub(super) fn undone(
    reply: &str,
    known: &Knowledge,
    turns: &[Turn],
    doings: &Doings,
) -> Vec<Claim> {
    if doings.unknown {
        return Vec::new();
    }
    let asked = turns.last().map_or("", |turn| turn.user.as_str());
    let results = results(turns);
    let reports = known.names_deeds(asked);
    let done = known.done(reply).into_iter();
    let undone = done.filter(|done| !doings.has(done));
    let undone = undone.filter(|done| {
        if doings.withheld.is_some() {
            return true;
        }
        let is_active = done.voice == Voice::Active;
        // A result may say that it was done, and the user may have asked whether it was.
        let word = reply.get(done.word.clone()).unwrap_or_default();
        let told_by_result = !is_active && (reports || results.contains(&word.to_lowercase()));
        let told_of_earlier =
            doings.earlier && (reports || asked.contains('?') || results.is_empty());
        // "An order is cancelled by its number" says how things are. "It was approved" may put a
        // result in other words, unless the user asked to approve it.
        let is_general = done.voice == Voice::State && results.is_empty()
            || done.deed == Deed::Changed
                && !is_active
                && !results.is_empty()
                && !asks_for(asked, word);
        done.deed != Deed::Finished && !told_by_result && !told_of_earlier && !is_general
    });
    let undone: Vec<Done> = undone.collect();
    if undone.is_empty() {
        return Vec::new();
    }
    let judged = typed::judged(reply, known, turns);
    let by_rows = |done: &Done| {
        let is_marked = judged
            .doubts
            .iter()
            .any(|claim| overlap(&claim.range, &done.range));
        let is_so = judged
            .decided
            .iter()
            .any(|range| overlap(range, &done.range));
        // A row may have been there before. So after a no or a failure it proves no deed, and where
        // no turn has written, it never proves that the agent did something.
        let may_tell = doings.earlier || done.voice != Voice::Active;
        is_marked || is_so && may_tell && doings.withheld.is_none()
    };
    undone
        .into_iter()
        .filter(|done| !by_rows(done))
        .filter_map(|done| {
            Some(Claim {
                text: reply.get(done.range.clone())?.to_owned(),
                kind: Kind::Deed,
                verdict: Verdict::False,
                about: None,
                why: why(&done, doings).to_owned(),
                rule: None,
                rows: Vec::new(),
                range: done.range,
            })
        })
        .collect()
}

/// Whether the user asked for a deed: *update*, where it was *updated*.
fn asks_for(asked: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    let stem = word.strip_prefix("ge").unwrap_or(&word);
    let stem: Vec<char> = stem.chars().collect();
    let (least, most) = STEM;
    let length = stem.len().saturating_sub(2).min(most);
    let stem: String = stem.into_iter().take(length).collect();
    let asked = asked.to_lowercase();
    let mut said = asked.split(|c: char| !c.is_alphanumeric());
    length >= least && said.any(|said| said.starts_with(&stem) && !said.starts_with(&word))
}

fn why(done: &Done, doings: &Doings) -> &'static str {
    match (doings.withheld, done.deed) {
        _ if doings.wrote || doings.removed => match done.deed {
            Deed::Gone => "no program of this turn removed anything",
            _ => "no program of this turn made anything",
        },
        (Some(Withheld::Declined), _) => "the user said no, and nothing was changed",
        (Some(Withheld::Failed), _) => "the program failed, and nothing was changed",
        (None, _) => "no program of this turn changed anything",
    }
}

/// What the programs of the last turn returned, in lower case.
fn results(turns: &[Turn]) -> String {
    let goals = turns.last().into_iter().flat_map(|turn| &turn.goals);
    let results = goals.filter_map(|goal| match &goal.outcome {
        Some(Outcome::Result(result)) if !result.is_null() => Some(result.to_string()),
        _ => None,
    });
    results.collect::<Vec<_>>().join("\n").to_lowercase()
}
