//! Names in calls that nobody gave. Small models copy names from the examples of their
//! prompt where they should ask.

use super::{Lint, Suspect};
use crate::dialogue::{Outcome, Turn};
use crate::domain::{CallSite, Domain, Value};

pub(in crate::agent) const UNGIVEN_NAME: &str = "ungiven-name";

pub(super) struct UngivenName;

impl Lint for UngivenName {
    fn name(&self) -> &'static str {
        UNGIVEN_NAME
    }

    /// Looks for each part of a path by itself. Endings are not looked for, nor numbers,
    /// which people say as dates and counts.
    fn check(&self, suspect: &Suspect<'_>) -> Option<String> {
        let program = suspect.program;
        let sites = suspect.calls.sites.iter();
        let names: Vec<_> = sites.flat_map(|site| names(site, suspect.domain)).collect();
        if names.is_empty() {
            return None;
        }
        let given = Given::in_turns(suspect.turns);
        let is_given = |name: &str| name.split('/').all(|part| given.has(part));
        let (parameter, name) = names.into_iter().find(|(_, name)| !is_given(name))?;
        let last = program.placeholders().last().copied();
        let next = last.unwrap_or_default().saturating_add(1);
        // Small models follow this to the letter.
        Some(format!(
            "names {name:?}, which nobody gave. If the user has to say it, write \
             {parameter}=?{next} and status=\"drafting\""
        ))
    }
}

/// Every text that a name may come from, reduced to letters and digits in lower case:
/// people say "zoology bucket", and name a thing after another with a word more.
struct Given(String);

impl Given {
    /// The user's utterances, and the programs and outcomes of all goals.
    fn in_turns(turns: &[Turn]) -> Self {
        let mut given = Given(String::new());
        for turn in turns {
            given.add(&turn.user);
            for goal in &turn.goals {
                if let Some(program) = &goal.program {
                    given.add(program.code());
                }
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

/// The names of places among the texts of a call's keyword arguments, each with its
/// parameter.
fn names(site: &CallSite, domain: &Domain) -> Vec<(String, String)> {
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
        let mut places = (domain.touches(&site.operation, &params).into_iter())
            .flat_map(|touch| touch.place.segments().to_vec());
        !text.is_empty() && places.any(|place| place == *text)
    };
    texts.filter(is_place).collect()
}
