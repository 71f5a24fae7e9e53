//! Checks that placeholders are numbered `?1`, `?2`, `?3` in order of first appearance.

use super::{Check, Checked, Found, Looked};
use crate::dataset::{GoalStep, filled, steps};
use crate::dialogue::{Program, Status};
use crate::domain::{Domain, call_sites};
use crate::error::Result;
use async_trait::async_trait;
use std::collections::{BTreeMap, BTreeSet};

/// Placeholders are numbered in order of first appearance, and keep their numbers.
///
/// The status rules forbid them in final programs.
pub struct Placeholders;

#[async_trait]
impl Check for Placeholders {
    fn name(&self) -> &'static str {
        "placeholders"
    }

    fn rule(&self) -> &'static str {
        "placeholders are numbered from ?1 in order of first appearance, keep their number \
         while others are filled in, and stand in no string or comment"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        for dialogue in &set.dialogues {
            for step in steps(&dialogue.transcript) {
                let Some(program) = &step.record.program else {
                    continue;
                };
                let problems = [
                    order(&step, program),
                    renumbered(&step, &set.domain),
                    in_text(program),
                ];
                for problem in problems.into_iter().flatten() {
                    found.on(set, dialogue, step.turn, step.record.uid, problem);
                }
            }
        }
        found.end()
    }
}

/// The numbers in order of first appearance.
fn appearance(program: &Program) -> Vec<u32> {
    let mut numbers = Vec::new();
    let _ = program.with_placeholders_replaced(|number| {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
        String::new()
    });
    numbers
}

fn shown(numbers: impl IntoIterator<Item = u32>) -> String {
    let names: Vec<String> = numbers.into_iter().map(|n| format!("?{n}")).collect();
    names.join(", ")
}

/// A first draft has ?1, ?2, … without a gap; a later one may have lost some.
fn order(step: &GoalStep<'_>, program: &Program) -> Option<String> {
    if step.record.status != Status::Drafting {
        return None;
    }
    let numbers = appearance(program);
    let expected: Vec<u32> = match step.before {
        None => (1..).take(numbers.len()).collect(),
        Some(_) => numbers
            .iter()
            .copied()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
    };
    (numbers != expected).then(|| {
        format!(
            "its placeholders appear as {}; number them {} in order of first appearance",
            shown(numbers),
            shown(expected)
        )
    })
}

/// A placeholder that is still open keeps its number.
fn renumbered(step: &GoalStep<'_>, domain: &Domain) -> Option<String> {
    let (before, after) = step.replaced()?;
    let moved = match filled(before, after) {
        Some(values) => values.into_iter().find_map(|(old, value)| {
            let number = value.strip_prefix('?')?.parse::<u32>().ok()?;
            (number != old).then_some((old, number))
        }),
        // Other code: what was asked for is known by the keyword that it stands for.
        None if !after.placeholders().is_subset(&before.placeholders()) => None,
        None => {
            let (old, new) = (asked(before, domain), asked(after, domain));
            new.into_iter().find_map(|(place, number)| {
                let old = *old.get(&place)?;
                (number != old).then_some((old, number))
            })
        }
    };
    moved.map(|(old, new)| {
        format!("what was ?{old} in the draft before is now ?{new}; keep the number ?{old}")
    })
}

/// The placeholders that are the whole value of a keyword, by operation, number of its call,
/// and keyword.
fn asked(program: &Program, domain: &Domain) -> BTreeMap<(String, usize, String), u32> {
    let mut calls: BTreeMap<String, usize> = BTreeMap::new();
    let mut asked = BTreeMap::new();
    for site in call_sites(program, domain) {
        let call = calls.entry(site.operation.clone()).or_default();
        *call += 1;
        for keyword in site.keywords {
            if let Some(Ok(number)) = keyword.code.strip_prefix('?').map(str::parse) {
                asked.insert((site.operation.clone(), *call, keyword.name), number);
            }
        }
    }
    asked
}

/// In a string or a comment, `?1` is text and no placeholder.
fn in_text(program: &Program) -> Option<String> {
    let count = |text: &str| {
        let marks = text.as_bytes().windows(2);
        marks
            .filter(|pair| matches!(pair, [b'?', b'1'..=b'9']))
            .count()
    };
    let all = count(program.code());
    (all > count(&program.without_text())).then(|| {
        "has a placeholder in a string or a comment, where it is text; take it out of the \
         quotes: Prefix=?1 instead of Prefix=\"?1\""
            .to_owned()
    })
}
