//! Proposals of optimization, as text and as pairs.

use std::collections::HashSet;

use super::{Optimization, OptimizationWorld};
use crate::game::Decision;
use crate::illegal::{Code, Illegal};
use crate::names::{self, Miss};

/// Reads lines `Paper: Reviewer` in any order.
pub(super) fn read(world: &OptimizationWorld, text: &str) -> Result<Decision, Illegal> {
    let lines = lines(text);
    let mut pairs = Vec::new();
    for line in &lines {
        // Full titles have a colon of their own.
        let (paper, reviewer) = line.rsplit_once(':').ok_or_else(|| {
            Code::BadProposal.because(format!(
                "Write each line as \"Paper: Reviewer\", not {line:?}."
            ))
        })?;
        pairs.push((paper, reviewer));
    }
    let mut columns = vec![None; world.reviewers.len()];
    let mut named = Vec::new();
    for (paper, reviewer) in pairs {
        named.push((find_reviewer(world, reviewer)?, find_paper(world, paper)?));
    }
    let mut taken = HashSet::new();
    for (row, column) in named {
        if columns[row].replace(column).is_some() || !taken.insert(column) {
            return Err(Code::RepeatedName.because("Name each paper and each reviewer once."));
        }
    }
    let columns: Option<Vec<usize>> = columns.into_iter().collect();
    match columns {
        Some(columns) => Ok(Optimization::decision(&columns)),
        None => Err(Code::IncompleteProposal.because(format!(
            "Name all {} papers, each with its reviewer.",
            world.papers.len()
        ))),
    }
}

/// The lines that hold something, without the header, bullets and marks of HTML.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in text.split('\n').flat_map(|line| line.split("<br/>")) {
        let mut line = line.trim();
        while let Some(rest) = ["- ", "* ", "&emsp;"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
        {
            line = rest.trim_start();
        }
        let is_header = lines.is_empty() && line.eq_ignore_ascii_case("proposal:");
        if !line.is_empty() && !is_header {
            lines.push(line);
        }
    }
    lines
}

pub(super) fn find_paper(world: &OptimizationWorld, text: &str) -> Result<usize, Illegal> {
    let titles: Vec<&str> = world
        .papers
        .iter()
        .map(|paper| world.title(paper))
        .collect();
    // The full title is tried first: the short name is a part of it.
    let exact = names::find(&titles, text);
    exact
        .or_else(|_| names::find(&world.papers, text))
        .map_err(|miss| refuse(miss, Code::UnknownPaper, "paper", &world.papers, text))
}

/// A full name, or a first or last name that only one reviewer has.
pub(super) fn find_reviewer(world: &OptimizationWorld, text: &str) -> Result<usize, Illegal> {
    let wanted = text.trim().to_lowercase();
    let has = |name: &&String| {
        name.to_lowercase()
            .split_whitespace()
            .any(|part| part == wanted)
    };
    if world.reviewers.iter().filter(has).count() == 1
        && let Some(index) = world.reviewers.iter().position(|name| has(&name))
    {
        return Ok(index);
    }
    names::find(&world.reviewers, text).map_err(|miss| {
        refuse(
            miss,
            Code::UnknownReviewer,
            "reviewer",
            &world.reviewers,
            text,
        )
    })
}

fn refuse(miss: Miss, unknown: Code, what: &str, names: &[String], text: &str) -> Illegal {
    let text = text.trim();
    match miss {
        Miss::Ambiguous => Code::AmbiguousName.because(format!("{text:?} could be several names.")),
        Miss::Unknown => match names::nearest(names, text) {
            Some(name) => unknown.because(format!(
                "There is no {what} {text:?}. Did you mean {name:?}?"
            )),
            None => unknown.because(format!("There is no {what} {text:?}.")),
        },
    }
}

/// Checks pairs `[reviewer, paper]`, and puts them in the order of reviewers.
pub(super) fn check(world: &OptimizationWorld, decision: &Decision) -> Result<Decision, Illegal> {
    let wrong = || {
        Code::BadProposal
            .because("A proposal is a list of pairs [reviewer, paper] of numbers from 0.")
    };
    let n = world.reviewers.len();
    let mut columns = vec![None; n];
    let mut taken = HashSet::new();
    for pair in decision.as_array().ok_or_else(wrong)? {
        let [row, column] = pair.as_array().map(Vec::as_slice).ok_or_else(wrong)? else {
            return Err(wrong());
        };
        let (row, column) = (
            row.as_u64().ok_or_else(wrong)?,
            column.as_u64().ok_or_else(wrong)?,
        );
        if row >= n as u64 {
            return Err(Code::UnknownReviewer.because(format!("There is no reviewer {row}.")));
        }
        if column >= n as u64 {
            return Err(Code::UnknownPaper.because(format!("There is no paper {column}.")));
        }
        if columns[row as usize].replace(column as usize).is_some() || !taken.insert(column) {
            return Err(Code::RepeatedName.because("Name each paper and each reviewer once."));
        }
    }
    let columns: Option<Vec<usize>> = columns.into_iter().collect();
    let columns = columns
        .ok_or_else(|| Code::IncompleteProposal.because("Name every paper and reviewer."))?;
    Ok(Optimization::decision(&columns))
}

/// Reads a proposal as the released environment does.
///
/// It matches the words before the colon with the words of the full titles that are left, and
/// those behind it with the reviewers that are left. Both indices are places in lists that
/// shrink, and the two are swapped.
pub(super) fn read_scrambled(world: &OptimizationWorld, text: &str) -> Result<Decision, Illegal> {
    let mut papers: Vec<&str> = world
        .papers
        .iter()
        .map(|paper| world.title(paper))
        .collect();
    let mut reviewers: Vec<&str> = world.reviewers.iter().map(String::as_str).collect();
    let mut pairs = Vec::new();
    for line in lines(text) {
        let Some((paper, reviewer)) = line.split_once(':') else {
            return Err(Code::BadProposal.because("A line has no colon."));
        };
        let (paper, reviewer) = (overlap(&papers, paper), overlap(&reviewers, reviewer));
        let (Some(paper), Some(reviewer)) = (paper, reviewer) else {
            return Err(Code::IncompleteProposal.because("A name is left over."));
        };
        papers.remove(paper);
        reviewers.remove(reviewer);
        pairs.push(serde_json::json!([paper, reviewer]));
    }
    Ok(Decision::Array(pairs))
}

/// The first name that shares most words with the text.
fn overlap(names: &[&str], text: &str) -> Option<usize> {
    let words: HashSet<&str> = text.split_whitespace().collect();
    let shared = |name: &str| {
        name.split_whitespace()
            .filter(|word| words.contains(word))
            .count()
    };
    let best = names.iter().map(|name| shared(name)).max()?;
    names.iter().position(|name| shared(name) == best)
}
