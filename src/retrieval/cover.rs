//! The fixed examples: a few that show every kind of turn, the same in every prompt.
//!
//! A model server that caches reads the constant start of a prompt once, so a dozen of these
//! cost a small local model less time than one example that changes. Not in the paper.

use super::state::Counts;
use super::{Example, Keywords};
use crate::dialogue::{Goal, Outcome, Status};
use std::collections::BTreeSet;

/// Picks `k` of these examples, so that as few as possible show as many kinds of
/// turn as possible: each pick adds the most that is new; of equals, the shortest.
/// They come in their own order.
pub(super) fn representative<'a>(
    mut examples: Vec<&'a Example>,
    keywords: &Keywords,
    k: usize,
) -> Vec<&'a Example> {
    let mut picked: Vec<(usize, &Example)> = Vec::new();
    let mut shown = BTreeSet::new();
    let order: Vec<&Example> = examples.clone();
    while picked.len() < k && !examples.is_empty() {
        let gain = |example: &Example| {
            let kinds = kinds(example, keywords);
            let length = length(example);
            (kinds.difference(&shown).count(), usize::MAX - length)
        };
        let mut best = 0;
        for index in 1..examples.len() {
            if gain(examples[index]) > gain(examples[best]) {
                best = index;
            }
        }
        let example = examples.remove(best);
        let kinds = kinds(example, keywords);
        if kinds.is_subset(&shown) {
            // Every kind is shown: begin a second round.
            shown.clear();
        }
        shown.extend(kinds);
        let place = order.iter().position(|other| std::ptr::eq(*other, example));
        picked.push((place.unwrap_or_default(), example));
    }
    picked.sort_by_key(|(place, _)| *place);
    picked.into_iter().map(|(_, example)| example).collect()
}

/// The kinds of turn that an example shows.
fn kinds(example: &Example, keywords: &Keywords) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    let touched = |goal: &Goal| example.updates.iter().any(|update| update.uid == goal.uid);
    for goal in example.after.goals().iter().filter(|goal| touched(goal)) {
        let words: Counts = keywords.of_goal(goal);
        let asks = !goal.program.placeholders().is_empty();
        let known = example.before.get(goal.uid).is_some();
        let status_alone = (example.updates.iter())
            .any(|update| update.uid == goal.uid && update.program.is_none());
        kinds.insert(format!("{} {known} {status_alone} {asks}", goal.status));
        kinds.extend(words.into_keys());
        kinds.extend(goal.outcome.as_ref().map(|outcome| match outcome {
            Outcome::Result(value) => format!("result {}", shape(value)),
            Outcome::Error(error) => format!("error {}", error.error),
        }));
    }
    kinds.insert(format!("{} goals", example.updates.len()));
    let waiting = |goal: &Goal| goal.status == Status::Drafting;
    let below = (example.before.goals().iter()).any(|goal| waiting(goal) && !touched(goal));
    kinds.insert(format!("left alone {below}"));
    kinds
}

fn shape(value: &serde_json::Value) -> &'static str {
    match value {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "truth",
        serde_json::Value::Number(_) => "number",
        serde_json::Value::String(_) => "text",
        serde_json::Value::Array(_) | serde_json::Value::Object(_) => "list",
    }
}

/// The approximate length of an example in a prompt, in bytes.
fn length(example: &Example) -> usize {
    let stack = example.before.goals().iter().map(|goal| &goal.program);
    let written = (example.updates.iter()).filter_map(|update| update.program.as_ref());
    let programs: usize = stack
        .chain(written)
        .map(|program| program.text().len() + 60)
        .sum();
    let reply = example.reply.as_deref().unwrap_or_default();
    programs + example.said.len() + example.user.len() + reply.len()
}
