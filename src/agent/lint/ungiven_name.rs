//! Names in calls that nobody gave. Small models copy names from the examples in their prompt
//! instead of asking for them.

use super::{Lint, Suspect};
use crate::dialogue::{Outcome, Turn};
use crate::domain::{Access, CallSite, Calls, Domain, Touch, Value};
use std::borrow::Cow;

pub(in crate::agent) const UNGIVEN_NAME: &str = "ungiven-name";

pub(super) struct UngivenName;

impl Lint for UngivenName {
    fn name(&self) -> &'static str {
        UNGIVEN_NAME
    }

    fn check(&self, suspect: &Suspect<'_>) -> Option<String> {
        let names = ungiven_names(&suspect.calls, suspect.domain, suspect.turns);
        let (parameter, name) = names.into_iter().next()?;
        let program = suspect.program;
        let last = program.placeholders().last().copied();
        let next = last.unwrap_or_default().saturating_add(1);
        // Small models follow this to the letter.
        Some(format!(
            "names {name:?}, which nobody gave. If the user has to say it, write \
             {parameter}=?{next} and status=\"drafting\""
        ))
    }
}

/// The names of places in calls that nobody gave, each with its parameter.
///
/// Each part of a path is looked up separately. File endings and numbers are not looked up,
/// because people say numbers as dates and counts.
fn ungiven_names(calls: &Calls, domain: &Domain, turns: &[Turn]) -> Vec<(String, String)> {
    let sites = calls.sites.iter();
    let mut names: Vec<_> = sites
        .flat_map(|site| names(site, domain, |touch| touch.place.segments().to_vec()))
        .collect();
    if !names.is_empty() {
        let given = Given::in_turns(turns);
        names.retain(|(_, name)| !name.split('/').all(|part| given.has(part)));
    }
    names
}

/// The names of containers in calls that occur neither in what the user said nor in a result.
pub(in crate::agent) fn ungiven_containers(
    calls: &Calls,
    domain: &Domain,
    turns: &[Turn],
) -> Vec<String> {
    containers_outside(calls, domain, |_| true, || Given::in_turns(turns))
}

/// The names of containers that calls write to and that the user never said. They may occur in
/// results, which anybody may have written: a file can say where to put something.
pub(in crate::agent) fn unsaid_containers(
    calls: &Calls,
    domain: &Domain,
    turns: &[Turn],
) -> Vec<String> {
    let writes = |touch: &Touch| touch.access != Access::Read;
    containers_outside(calls, domain, writes, || Given::by_user(turns))
}

/// The names of containers that calls touch in this way and that are not given. A name counts
/// as given if all its words are, because people say "the raw bucket, not the curated one".
fn containers_outside(
    calls: &Calls,
    domain: &Domain,
    is_meant: impl Fn(&Touch) -> bool,
    given: impl FnOnce() -> Given,
) -> Vec<String> {
    let sites = calls.sites.iter();
    let first = |touch: &Touch| match is_meant(touch) {
        true => touch.place.segments().get(..1).unwrap_or_default().to_vec(),
        false => Vec::new(),
    };
    let mut names: Vec<_> = sites
        .flat_map(|site| names(site, domain, first))
        .map(|(_, name)| name)
        .collect();
    if !names.is_empty() {
        let given = given();
        let words = |name: &str| {
            let words = name.split(|c: char| !c.is_alphanumeric());
            words.map(str::to_owned).collect::<Vec<_>>()
        };
        names.retain(|name| !given.has(name) && !words(name).iter().all(|word| given.has(word)));
    }
    names
}

/// The texts that a name may come from, in their order: the user's utterances, and the programs
/// and outcomes of all goals.
fn said_and_done(turns: &[Turn]) -> Vec<Cow<'_, str>> {
    let mut texts: Vec<Cow<'_, str>> = Vec::new();
    for turn in turns {
        texts.push(turn.user.as_str().into());
        for goal in &turn.goals {
            texts.extend(goal.program.as_ref().map(|it| it.code().into()));
            texts.extend(match &goal.outcome {
                Some(Outcome::Result(value)) => Some(value.to_string().into()),
                Some(Outcome::Error(error)) => Some(error.message.as_str().into()),
                None => None,
            });
        }
    }
    texts
}

/// Every text that a name may come from, reduced to letters and digits in lower case:
/// people say "zoology bucket", and name a thing after another with a word more.
struct Given(String);

impl Given {
    fn in_turns(turns: &[Turn]) -> Self {
        let mut given = Given(String::new());
        for text in said_and_done(turns) {
            given.add(&text);
        }
        given
    }

    fn by_user(turns: &[Turn]) -> Self {
        let mut given = Given(String::new());
        for turn in turns {
            given.add(&turn.user);
        }
        given
    }

    fn add(&mut self, text: &str) {
        self.0.extend(letters(text));
        // Keeps a name from being found across two texts.
        self.0.push(' ');
    }

    fn has(&self, part: &str) -> bool {
        let stem = part.rsplit_once('.').map_or(part, |(stem, _)| stem);
        let stem: String = letters(stem).collect();
        stem.chars().all(|c| c.is_ascii_digit()) || self.0.contains(&stem)
    }
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase)
}

/// The names among the texts of a call's keyword arguments that are such a part of a place,
/// each with its parameter.
fn names(
    site: &CallSite,
    domain: &Domain,
    part: impl Fn(&Touch) -> Vec<String>,
) -> Vec<(String, String)> {
    let texts = site.keywords.iter().flat_map(|keyword| {
        let texts = keyword.texts.iter();
        texts.map(|text| (keyword.name.clone(), text.clone()))
    });
    // A call has one value for each parameter, and each of its texts may be that value.
    let is_place = |(name, text): &(String, String)| {
        let others = site.keywords.iter().filter(|other| other.name != *name);
        let others = others.map(|other| {
            let text = other.texts.first().cloned().unwrap_or_default();
            (other.name.clone().into(), Value::Str(text))
        });
        let this = (name.clone().into(), Value::Str(text.clone()));
        let params = Value::Map(others.chain([this]).collect());
        let mut places =
            (domain.touches(&site.operation, &params).into_iter()).flat_map(|touch| part(&touch));
        !text.is_empty() && places.any(|place| place == *text)
    };
    texts.filter(is_place).collect()
}
