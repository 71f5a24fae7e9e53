//! Names in calls that nobody gave. Small models fill in what the examples of their prompt
//! name where they should ask.

use crate::dialogue::{Outcome, Program, Turn};
use crate::domain::{CallSite, Domain, Value, call_sites};

/// All that names may come from, as letters and digits in lower case: people say "zoology
/// bucket", and give a thing the name of another with a word more.
pub(super) struct Given(String);

impl Given {
    /// What the user has said, and what programs had as names and as outcomes.
    pub(super) fn in_turns(turns: &[Turn]) -> Self {
        let mut given = Given(String::new());
        for turn in turns {
            given.add(&turn.user);
            for goal in &turn.goals {
                goal.program
                    .iter()
                    .for_each(|program| given.add(program.code()));
                match &goal.outcome {
                    Some(Outcome::Result(value)) => given.add(&value.to_string()),
                    Some(Outcome::Error(error)) => given.add(&error.message),
                    None => {}
                }
            }
        }
        given
    }

    fn add(&mut self, text: &str) {
        self.0.extend(letters(text));
        // No name goes over from one text to the next.
        self.0.push(' ');
    }

    /// The first name that a program calls its API with and that was not given, as a clause
    /// after "the program". Each part of a path is looked for; its ending is not, and neither
    /// are numbers, which people say as dates and counts.
    pub(super) fn lacks(&self, program: &Program, domain: &Domain) -> Option<String> {
        let sites = call_sites(program, domain);
        let mut names = sites.iter().flat_map(|site| names(site, domain));
        let given = |name: &str| name.split('/').all(|part| self.has(part));
        let (parameter, name) = names.find(|(_, name)| !given(name))?;
        let last = program.placeholders().last().copied();
        let next = last.unwrap_or_default().saturating_add(1);
        // Small models do what stands there word for word.
        Some(format!(
            "names {name:?}, which nobody gave. If the user has to say it, write \
             {parameter}=?{next} and status=\"drafting\""
        ))
    }

    fn has(&self, part: &str) -> bool {
        let stem = part.rsplit_once('.').map_or(part, |(stem, _)| stem);
        let stem: String = letters(stem).collect();
        stem.chars().all(|c| c.is_ascii_digit()) || self.0.contains(&stem)
    }
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    let text = text.chars().filter(|c| c.is_alphanumeric());
    text.flat_map(char::to_lowercase)
}

/// The names that a call has as literals, or as variables that are given literals, each
/// with its parameter.
fn names(site: &CallSite, domain: &Domain) -> Vec<(String, String)> {
    let keywords = site.keywords.iter();
    let texts = keywords.flat_map(|keyword| {
        let texts = keyword.texts.iter();
        texts.map(|text| (keyword.name.clone(), text.clone()))
    });
    // A call has one value for each parameter, and each of its texts may be it.
    let places = |(name, text): &(String, String)| {
        let others = site.keywords.iter().filter(|other| other.name != *name);
        let others = others.map(|other| {
            let text = other.texts.first().cloned().unwrap_or_default();
            (other.name.clone().into(), Value::Str(text))
        });
        let this = (name.clone().into(), Value::Str(text.clone()));
        let params = Value::Map(others.chain([this]).collect());
        let touched = domain.touches(&site.operation, &params).into_iter();
        let places = touched.map(|touch| touch.place);
        let mut names = places
            .flat_map(|place| [Some(place.container), place.name])
            .flatten();
        !text.is_empty() && names.any(|named| named == *text)
    };
    texts.filter(places).collect()
}
