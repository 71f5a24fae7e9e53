//! What a reply says was done, against what the programs of its turn did.

use super::names::stands_in;
use super::{Claim, ClaimKind, Verdict, overlap, typed};
use crate::dialogue::{Outcome, Turn};
use typed_claims::{Deed, Done, Knowledge, Voice};

/// The least and the most first characters that a word of the user must share with a deed.
const STEM: (usize, usize) = (4, 5);

/// What the programs of a turn did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doings {
    /// Something was created or changed.
    pub wrote: bool,
    /// Something was removed.
    pub removed: bool,
    /// Others were let in.
    pub shared: bool,
    /// What it was done with; none where that is not known.
    pub places: Option<Places>,
    /// Only a part was done: a plan was stopped, or the user said no to another one.
    pub partly: bool,
    /// Why what was asked for was not done.
    pub withheld: Option<Withheld>,
    /// A turn before may have changed something.
    pub earlier: bool,
    /// What was done is not known, so that nothing is judged.
    pub unknown: bool,
}

/// The paths of what writes touched, one a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// What was removed.
    pub removed: String,
    /// What was written, or has other settings now.
    pub written: String,
    /// What was copied.
    pub read: String,
}

impl Places {
    /// Whether something of this name was touched as a deed does it. A copy may be made of what was
    /// read before, of which nothing is known here.
    fn have(&self, deed: Deed, name: &str) -> bool {
        // A pattern stands for names that are not in the reply.
        if name.contains(['*', '?', '{', '‹', '…']) {
            return true;
        }
        let path = name.split_once("://").map_or(name, |(_, path)| path);
        let name = path.trim_start_matches('/');
        let is_in = |text: &String| stands_in(name, text);
        let is_written = || is_in(&self.written) || is_in(&self.read);
        match deed {
            Deed::Gone => is_in(&self.removed),
            Deed::Made => is_written(),
            Deed::Moved | Deed::Changed | Deed::Shared => is_in(&self.removed) || is_written(),
            Deed::Copied | Deed::Finished => true,
        }
    }
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
    /// Whether anything was done.
    pub fn any(&self) -> bool {
        self.wrote || self.removed || self.shared
    }

    /// Why a deed was not done; none if it may have been.
    fn against(&self, done: &Done, reply: &str) -> Option<String> {
        if self.partly && (done.whole || done.deed == Deed::Finished) {
            return Some("only a part of it was done".to_owned());
        }
        if !self.any() {
            let why = match self.withheld {
                Some(Withheld::Declined) => "the user said no, and nothing was changed",
                Some(Withheld::Failed) => "the program failed, and nothing was changed",
                None => "no program of this turn changed anything",
            };
            return Some(why.to_owned());
        }
        let (is_kind, how) = match done.deed {
            Deed::Gone => (self.removed, "removed"),
            Deed::Made => (self.wrote, "made"),
            // What was copied in a turn before may be removed now.
            Deed::Moved => (self.removed && (self.wrote || self.earlier), "moved"),
            Deed::Shared => (self.shared, "shared"),
            Deed::Copied | Deed::Changed | Deed::Finished => (true, "changed"),
        };
        if let Some(name) = self.missing(done, reply) {
            return Some(format!("no program of this turn {how} {name}"));
        }
        let is_named = self.places.is_some() && !done.names.is_empty();
        (!is_kind && (done.of_rows || is_named))
            .then(|| format!("no program of this turn {how} anything"))
    }

    /// The first name of a deed that it was not done with. Of several, some may be those of a turn
    /// before.
    fn missing<'r>(&self, done: &Done, reply: &'r str) -> Option<&'r str> {
        let places = self.places.as_ref()?;
        let names = done.names.iter();
        let names: Vec<&str> = names.filter_map(|name| reply.get(name.clone())).collect();
        let mut missing = names.iter().filter(|name| !places.have(done.deed, name));
        let first = missing.next().copied()?;
        let is_told =
            !self.earlier || done.voice == Voice::Active && missing.count() + 1 == names.len();
        is_told.then_some(first)
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
    let undone = done.filter_map(|done| Some((doings.against(&done, reply)?, done)));
    let undone = undone.filter(|(_, done)| {
        if doings.withheld.is_some() {
            return true;
        }
        let is_active = done.voice == Voice::Active;
        // A result may say that it was done, and the user may have asked whether it was.
        let word = reply.get(done.word.clone()).unwrap_or_default();
        let told_by_result = !is_active && (reports || results.contains(&word.to_lowercase()));
        let may_be_all = !(doings.partly && done.whole);
        let told_of_earlier =
            doings.earlier && may_be_all && (reports || asked.contains('?') || results.is_empty());
        // "An order is cancelled by its number" says how things are. "It was approved" may put a
        // result in other words, unless the user asked to approve it.
        let is_general = done.voice == Voice::State && results.is_empty()
            || matches!(done.deed, Deed::Changed | Deed::Shared)
                && !is_active
                && !results.is_empty()
                && !asks_for(asked, word);
        done.deed != Deed::Finished && !told_by_result && !told_of_earlier && !is_general
    });
    let undone: Vec<(String, Done)> = undone.collect();
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
        .filter(|(_, done)| !by_rows(done))
        .filter_map(|(why, done)| {
            Some(Claim {
                text: reply.get(done.range.clone())?.to_owned(),
                kind: ClaimKind::Deed,
                verdict: Verdict::False,
                about: None,
                why,
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

/// What the programs of the last turn returned, in lower case.
fn results(turns: &[Turn]) -> String {
    let goals = turns.last().into_iter().flat_map(|turn| &turn.goals);
    let results = goals.filter_map(|goal| match &goal.outcome {
        Some(Outcome::Result(result)) if !result.is_null() => Some(result.to_string()),
        _ => None,
    });
    results.collect::<Vec<_>>().join("\n").to_lowercase()
}
