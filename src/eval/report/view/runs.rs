//! The runs, and the table of all beside the paper.

use super::{partial, percent};
use crate::eval::baseline;
use crate::eval::log::{EvalMode, Run};
use crate::eval::report::paper::Column;
use crate::eval::report::table::number;
use crate::eval::report::{Report, Shown, paper};
use crate::eval::score::Score;
use crate::eval::score::metrics::Unit;
use serde::Serialize;
use std::collections::BTreeSet;

/// The similarities that compare utterances by their words.
const LEXICAL: [&str; 2] = ["tfidf", "bm25"];

/// How the runs were made: what they share, and what tells them apart.
#[derive(Debug, Serialize)]
pub struct Settings {
    /// Names with the value that all runs have.
    shared: Vec<(&'static str, String)>,
    /// Names of what is not the same in all runs.
    names: Vec<&'static str>,
    /// For each run its values of these.
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    label: String,
    values: Vec<String>,
}

/// How the runs were made.
pub fn settings(report: &Report) -> Settings {
    let all: Vec<Vec<(&'static str, String)>> = report
        .runs
        .iter()
        .map(|shown| facts(&shown.log.run))
        .collect();
    let first = all.first().cloned().unwrap_or_default();
    let is_shared = |name: &str, value: &String| {
        all.iter()
            .all(|facts| facts.iter().any(|(n, v)| *n == name && v == value))
    };
    let (shared, differing): (Vec<_>, Vec<_>) = first
        .into_iter()
        .partition(|(name, value)| is_shared(name, value));
    let names: Vec<&'static str> = differing.into_iter().map(|(name, _)| name).collect();
    let rows = report.runs.iter().zip(&all).map(|(shown, facts)| Row {
        label: shown.label.clone(),
        values: (names.iter())
            .map(|name| {
                let found = facts.iter().find(|(other, _)| other == name);
                found.map_or_else(String::new, |(_, value)| value.clone())
            })
            .collect(),
    });
    Settings {
        rows: rows.collect(),
        shared,
        names,
    }
}

/// All that is known of how a run was made, always the same names.
fn facts(run: &Run) -> Vec<(&'static str, String)> {
    let settings = &run.settings;
    let mode = match run.mode {
        EvalMode::EndToEnd => "end to end",
        EvalMode::TeacherForced => "teacher-forced",
    };
    let split = run
        .dataset
        .split
        .map_or_else(|| "all".to_owned(), |split| split.to_string());
    vec![
        ("model", run.model.clone()),
        ("setting", run.settings.asked()),
        ("mode", mode.to_owned()),
        ("K", settings.k.to_string()),
        ("α", settings.alpha.to_string()),
        ("similarity", settings.similarity.clone()),
        ("temperature", settings.temperature.to_string()),
        ("seed", settings.seed.to_string()),
        ("program tokens", settings.program_tokens.to_string()),
        ("response tokens", settings.response_tokens.to_string()),
        (
            "aids",
            (settings.assist.as_ref())
                .map_or_else(|| "usual (not recorded)".to_owned(), ToString::to_string),
        ),
        ("epochs", run.epochs.to_string()),
        ("domain", run.domain.clone()),
        ("split", split),
        ("dialogues", run.dataset.dialogues.to_string()),
        ("dataset", or_unknown(&run.dataset.name)),
        ("dataset digest", run.dataset.digest.clone()),
        ("examples", or_unknown(&run.dataset.examples)),
        ("examples digest", run.dataset.examples_digest.clone()),
        ("dialog2api", run.dialog2api.clone()),
        ("revision", or_unknown(&run.revision)),
        ("signature version", run.signature.to_string()),
        ("log version", run.version.to_string()),
    ]
}

fn or_unknown(name: &Option<String>) -> String {
    name.clone().unwrap_or_else(|| "unknown".to_owned())
}

/// The runs whose examples were found by words alone.
#[derive(Debug, Serialize)]
pub struct Lexical {
    labels: Vec<String>,
    /// Whether these are all that look for examples.
    all: bool,
    /// The similarities that found them.
    measures: BTreeSet<String>,
}

/// The runs whose examples were found by words alone, if there are any. The paper compares
/// sentence embeddings.
pub fn lexical(report: &Report) -> Option<Lexical> {
    let looks = |run: &Run| match run.model.as_str() {
        "nearest-example" => true,
        model => {
            let has_examples =
                run.settings.setting != 'a' && run.settings.form.protocol().is_instructed();
            has_examples && !baseline::NAMES.contains(&model)
        }
    };
    let by_words = |run: &Run| LEXICAL.contains(&run.settings.similarity.as_str());
    let runs = report.runs.iter().filter(|shown| looks(&shown.log.run));
    let (found, others): (Vec<&Shown>, Vec<&Shown>) =
        runs.partition(|shown| by_words(&shown.log.run));
    (!found.is_empty()).then(|| Lexical {
        labels: found.iter().map(|shown| shown.label.clone()).collect(),
        all: others.is_empty(),
        measures: (found.iter())
            .map(|shown| shown.log.run.settings.similarity.clone())
            .collect(),
    })
}

/// How much of a run there is, and what it cost.
#[derive(Debug, Serialize)]
pub struct Coverage {
    label: String,
    scored: usize,
    expected: u64,
    turns: usize,
    /// A sentence where something is missing.
    partial: Option<String>,
    /// The dialogues that did not end, a line each.
    cut_short: Vec<String>,
    /// The range of the EMR, had the unfinished dialogues ended.
    bounds: Option<String>,
    requests: u64,
    prompt_tokens: u64,
    completion_tokens: u64,
    /// By which prices, too; none where it is not known.
    cost: Option<String>,
    idle: Option<String>,
}

/// How much of a run there is.
pub fn coverage(shown: &Shown) -> Coverage {
    let score = &shown.score;
    let cut_short = score.coverage.cut_short.iter().map(|cut| {
        let (dialogue, epoch, turn, turns) = (&cut.dialogue, cut.epoch, cut.turn, cut.turns);
        format!(
            "{dialogue}, epoch {epoch}, turn {turn} of {turns}: {}",
            cut.message
        )
    });
    let tokens = &score.tokens.all;
    Coverage {
        label: shown.label.clone(),
        scored: score.coverage.scored,
        expected: score.coverage.expected,
        turns: score.coverage.turns,
        partial: partial(shown),
        cut_short: cut_short.collect(),
        bounds: score.bounds.map(|bounds| {
            let (low, high) = (percent(bounds.low), percent(bounds.high));
            format!("{low} to {high} %")
        }),
        requests: tokens.requests,
        prompt_tokens: tokens.usage.prompt_tokens,
        completion_tokens: tokens.usage.completion_tokens,
        cost: shown.cost.clone(),
        idle: score.nothing.turns.map(percent),
    }
}

/// The runs beside the paper's rows.
#[derive(Debug, Serialize)]
pub struct Table {
    /// The names of the columns, with the unit.
    columns: Vec<String>,
    runs: Vec<Line>,
    paper: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    model: String,
    setting: String,
    /// A caution for the reader.
    note: String,
    cells: Vec<Cell>,
}

#[derive(Debug, Default, Serialize)]
struct Cell {
    value: Option<String>,
    interval: Option<String>,
}

pub fn table(report: &Report) -> Table {
    let known = paper::columns(report);
    let paper = paper::rows(report).into_iter().map(|row| Line {
        model: row.model.to_owned(),
        setting: row.setting.to_string(),
        note: String::new(),
        cells: (known.iter())
            .map(|figure| {
                let value = row.figure(&figure.name);
                Cell {
                    value: value.map(|value| number(figure.unit, value)),
                    interval: None,
                }
            })
            .collect(),
    });
    Table {
        columns: (known.iter())
            .map(|figure| match figure.unit {
                Unit::Share => format!("{}, %", figure.title),
                Unit::Points => figure.title.clone(),
                Unit::Tokens => format!("{}, tokens", figure.title),
            })
            .collect(),
        paper: paper.collect(),
        runs: report
            .runs
            .iter()
            .map(|shown| line(shown, &known))
            .collect(),
    }
}

fn line(shown: &Shown, columns: &[Column]) -> Line {
    let run = &shown.log.run;
    let mut notes = Vec::new();
    if run.mode == EvalMode::TeacherForced {
        notes.push("teacher-forced".to_owned());
    }
    if run.epochs > 1 {
        notes.push(format!("{} epochs", run.epochs));
    }
    notes.extend(partial(shown));
    Line {
        model: run.model.clone(),
        setting: run.settings.asked(),
        note: notes.join(", "),
        cells: (columns.iter())
            .map(|column| cell(&shown.score, &column.name))
            .collect(),
    }
}

fn cell(score: &Score, name: &str) -> Cell {
    let Some(figure) = score.figure(name) else {
        return Cell::default();
    };
    let interval = figure.low.zip(figure.high).map(|(low, high)| {
        let (low, high) = (number(figure.unit, low), number(figure.unit, high));
        format!("{low} – {high}")
    });
    Cell {
        value: figure.value.map(|value| number(figure.unit, value)),
        interval,
    }
}
