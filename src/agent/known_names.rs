//! The names of containers that a program may use, for models that a grammar holds to them:
//! those that the user said, and those that programs returned.

use super::Agent;
use super::question::Question;
use crate::domain::{Domain, Value};
use crate::prompts::trained::Names;
use std::collections::BTreeSet;

/// The most names that a grammar has; the latest names are kept.
const MOST: usize = 150;
/// The most bytes of a name.
const LONGEST: usize = 100;
/// People say "the zoology bucket" for `zoology-bucket`: so many words may be one name.
const WORDS: usize = 3;

impl Agent {
    /// The names for the next answer; `None` if the settings do not want it, or the domain has
    /// no containers.
    pub(super) fn known_names(&self, question: &Question<'_>) -> Option<Names> {
        let parameters = match self.settings.known_names {
            true => container_parameters(&self.domain),
            false => Vec::new(),
        };
        if parameters.is_empty() {
            return None;
        }
        let mut known: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for text in question.texts().into_iter().rev() {
            for name in names_in(&text) {
                if known.len() < MOST && seen.insert(name.clone()) {
                    known.push(name);
                }
            }
        }
        Some(Names { parameters, known })
    }
}

/// The parameters whose text is the container of the place that a call touches.
fn container_parameters(domain: &Domain) -> Vec<String> {
    let mut found = BTreeSet::new();
    for operation in &domain.operations {
        let texts = operation.parameters.iter();
        let params = texts.map(|name| (name.clone(), Value::Str(format!("the-{name}"))));
        let params = Value::Map(params.collect());
        for touch in domain.touches(&operation.name, &params) {
            let container = touch.place.segments().first().cloned().unwrap_or_default();
            let name = container.strip_prefix("the-").unwrap_or_default();
            found.extend(operation.parameters.iter().filter(|it| ***it == *name));
        }
    }
    found.into_iter().map(ToString::to_string).collect()
}

/// The words of a text that can be names, and some that follow each other joined by hyphens.
fn names_in(text: &str) -> Vec<String> {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let words = text.split(|c| !is_of_name(c));
    let words: Vec<&str> = words
        .map(|word| word.trim_matches(['.', '-']))
        .filter(|word| !word.is_empty())
        .collect();
    let runs = (1..=WORDS).flat_map(|count| words.windows(count));
    let names = runs.map(|run| run.join("-"));
    names.filter(|name| name.len() <= LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_a_name_together() {
        let names = names_in("in the zoology bucket.");
        assert!(names.contains(&"zoology-bucket".to_owned()), "{names:?}");
    }
}
