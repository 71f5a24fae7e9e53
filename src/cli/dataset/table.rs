//! The figures of a dataset next to their targets.

use crate::cli::terminal::{BAD, BOLD, Styled, clean};
use crate::dataset::stats::{Complexity, PartFigures, Statistics};
use crate::dataset::{FigureTarget, Set};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The widths of the columns for names and figures.
const NAME: usize = 30;
const FIGURE: usize = 9;

/// The paper's Table 3: each figure for train, test and both, and its target.
pub fn figures(set: &Set, statistics: &Statistics) -> String {
    let targets = set
        .listed()
        .and_then(|catalogue| catalogue.targets.as_ref());
    let source = targets.map_or("", |targets| targets.source.as_str());
    let mut text = heading("", statistics, source);
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
    type Figure = fn(&PartFigures) -> f64;
    let means: [(&str, Figure, Option<FigureTarget>); 6] = [
        (
            "utterances a dialogue",
            PartFigures::utterances_a_dialogue,
            targets.and_then(|targets| targets.utterances),
        ),
        (
            "goals a dialogue",
            PartFigures::goals_a_dialogue,
            targets.and_then(|targets| targets.goals),
        ),
        (
            "lines of code a program",
            PartFigures::lines_a_program,
            targets.and_then(|targets| targets.lines),
        ),
        (
            "APIs a program",
            PartFigures::apis_a_program,
            targets.and_then(|targets| targets.apis),
        ),
        // Includes programs without calls.
        (
            "lines, over all programs",
            PartFigures::lines_a_program_of_all,
            None,
        ),
        (
            "APIs, over all programs",
            PartFigures::apis_a_program_of_all,
            None,
        ),
    ];
    for (name, figure, target) in means {
        mean(&mut text, name, statistics, figure, target);
    }
    let names = names(statistics, targets.map(|targets| &targets.shares));
    if !names.is_empty() {
        let _ = writeln!(text, "{}", Styled(BOLD, "APIs, per cent of call sites"));
    }
    for name in names {
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
    let mut text = heading("Conversational complexities", statistics, last);
    for kind in Complexity::ALL {
        let name = kind.name();
        let count = |part: &PartFigures| part.complexity(name).unwrap_or(0);
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
fn names(statistics: &Statistics, targets: Option<&BTreeMap<String, FigureTarget>>) -> Vec<String> {
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

/// The columns: the parts that have dialogues, and all parts together if there are
/// several.
fn columns(statistics: &Statistics) -> Vec<(&'static str, &PartFigures)> {
    let Statistics { train, test, all } = statistics;
    let mut columns = vec![("train", train), ("test", test)];
    columns.retain(|(_, part)| part.dialogues > 0);
    if columns
        .iter()
        .all(|(_, part)| part.dialogues < all.dialogues)
    {
        columns.push(("all", all));
    }
    columns
}

fn heading(title: &str, statistics: &Statistics, last: &str) -> String {
    let mut columns = format!("{title:NAME$}");
    for (name, _) in self::columns(statistics) {
        let _ = write!(columns, "{name:>FIGURE$}");
    }
    let line = format!("{columns}   {}", clean(last));
    format!("{}\n", Styled(BOLD, line.trim_end()))
}

fn row<T: std::fmt::Display>(
    text: &mut String,
    name: &str,
    statistics: &Statistics,
    figure: impl Fn(&PartFigures) -> T,
) {
    let _ = write!(text, "{:NAME$}", clean(name));
    for (_, part) in columns(statistics) {
        let _ = write!(text, "{:>FIGURE$}", figure(part).to_string());
    }
}

/// The last column: the target, in red if it is not met.
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
    figure: impl Fn(&PartFigures) -> f64,
    target: Option<FigureTarget>,
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
