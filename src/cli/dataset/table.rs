//! The figures of a dataset beside those that it is meant to have.

use crate::cli::terminal::{BAD, BOLD, Styled, clean};
use crate::dataset::stats::{Complexity, Part, Statistics};
use crate::dataset::{Set, Target};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The widths of the columns: the name, and a figure.
const NAME: usize = 30;
const FIGURE: usize = 9;

/// The paper's Table 3: each figure for train, test and both, and its target.
pub fn figures(set: &Set, statistics: &Statistics) -> String {
    let targets = set
        .listed()
        .and_then(|catalogue| catalogue.targets.as_ref());
    let source = targets.map_or("", |targets| targets.source.as_str());
    let mut text = heading("", source);
    row(&mut text, "dialogues", statistics, |part| part.dialogues);
    if let Some(targets) = targets.filter(|targets| !targets.dialogues.is_empty()) {
        let counts: Vec<String> = (targets.dialogues.iter())
            .map(|(split, count)| format!("{split} {count}"))
            .collect();
        end(&mut text, &counts.join(", "), true);
    } else {
        end(&mut text, "", true);
    }
    row(
        &mut text,
        "goals they are written for",
        statistics,
        |part| part.written_for,
    );
    end(&mut text, "", true);
    type Figure = fn(&Part) -> f64;
    let means: [(&str, Figure, Option<Target>); 6] = [
        (
            "utterances a dialogue",
            Part::utterances_a_dialogue,
            targets.and_then(|targets| targets.utterances),
        ),
        (
            "goals a dialogue",
            Part::goals_a_dialogue,
            targets.and_then(|targets| targets.goals),
        ),
        (
            "lines of code a program",
            Part::lines_a_program,
            targets.and_then(|targets| targets.lines),
        ),
        (
            "APIs a program",
            Part::apis_a_program,
            targets.and_then(|targets| targets.apis),
        ),
        // With the programs that call nothing.
        (
            "lines, over all programs",
            Part::lines_a_program_of_all,
            None,
        ),
        ("APIs, over all programs", Part::apis_a_program_of_all, None),
    ];
    for (name, figure, target) in means {
        mean(&mut text, name, statistics, figure, target);
    }
    let _ = writeln!(text, "{}", Styled(BOLD, "APIs, per cent of call sites"));
    for name in names(statistics, targets.map(|targets| &targets.shares)) {
        let target = targets.and_then(|targets| targets.shares.get(&name).copied());
        mean(
            &mut text,
            &format!("  {name}"),
            statistics,
            |part| part.share(&name),
            target,
        );
    }
    text
}

/// How often each complexity occurs.
pub fn complexities(set: &Set, statistics: &Statistics) -> String {
    let targets = set
        .listed()
        .and_then(|catalogue| catalogue.targets.as_ref());
    let wanted = targets.is_some_and(|targets| !targets.complexities.is_empty());
    let last = if wanted { "each part" } else { "" };
    let mut text = heading("Conversational complexities", last);
    for kind in Complexity::ALL {
        let name = kind.name();
        let count = |part: &Part| part.complexity(name).unwrap_or(0);
        row(&mut text, name, statistics, count);
        match targets.and_then(|targets| targets.complexities.get(name)) {
            Some(least) => {
                let parts = [&statistics.train, &statistics.test];
                let is_met = parts.iter().all(|part| count(part) >= *least);
                end(&mut text, &format!("≥ {least}"), is_met);
            }
            None => end(&mut text, "", true),
        }
    }
    text
}

/// The operations: those with targets first, most frequent first.
fn names(
    statistics: &Statistics,
    targets: Option<&std::collections::BTreeMap<String, Target>>,
) -> Vec<String> {
    let wanted = |name: &String| targets.and_then(|targets| targets.get(name));
    let known = targets.into_iter().flat_map(|targets| targets.keys());
    let names: BTreeSet<&String> = known.chain(statistics.all.calls.keys()).collect();
    let mut names: Vec<String> = names.into_iter().cloned().collect();
    names.sort_by(|one, other| {
        let rank = |name| match wanted(name) {
            Some(target) => (1, target.value),
            None => (0, statistics.all.share(name)),
        };
        let ((a, x), (b, y)) = (rank(one), rank(other));
        b.cmp(&a).then(y.total_cmp(&x))
    });
    names
}

fn heading(title: &str, last: &str) -> String {
    let columns = format!(
        "{title:NAME$}{:>FIGURE$}{:>FIGURE$}{:>FIGURE$}",
        "train", "test", "all"
    );
    let line = format!("{columns}   {}", clean(last));
    format!("{}\n", Styled(BOLD, line.trim_end()))
}

fn row<T: std::fmt::Display>(
    text: &mut String,
    name: &str,
    statistics: &Statistics,
    figure: impl Fn(&Part) -> T,
) {
    let _ = write!(text, "{:NAME$}", clean(name));
    for part in [&statistics.train, &statistics.test, &statistics.all] {
        let _ = write!(text, "{:>FIGURE$}", figure(part).to_string());
    }
}

/// The last column: the target, in red where it is not met.
fn end(text: &mut String, target: &str, is_met: bool) {
    let target = clean(target);
    let _ = match (target.is_empty(), is_met) {
        (true, _) => writeln!(text),
        (false, true) => writeln!(text, "   {target}"),
        (false, false) => writeln!(text, "   {}", Styled(BAD, target)),
    };
}

fn mean(
    text: &mut String,
    name: &str,
    statistics: &Statistics,
    figure: impl Fn(&Part) -> f64,
    target: Option<Target>,
) {
    row(text, name, statistics, |part| {
        format!("{:.2}", figure(part))
    });
    match target {
        Some(target) => end(
            text,
            &format!("{} ± {}", target.value, target.within),
            target.is_met(figure(&statistics.all)),
        ),
        None => end(text, "", true),
    }
}
