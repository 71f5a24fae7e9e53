//! Heat maps: tables with a column for each run and a colour for each number.

use super::whole_percent;
use crate::domain::counted;
use crate::eval::report::Report;
use crate::eval::score::{ErrorClass, Tally};
use serde::Serialize;

/// A table with a share in each cell.
#[derive(Debug, Serialize)]
pub struct Heat {
    rows: Vec<Row>,
    /// A line below without colour; empty where there is none.
    last: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    /// How many there are to count, where it is the same in all runs.
    count: Option<String>,
    cells: Vec<Option<Cell>>,
}

#[derive(Debug, Serialize)]
struct Cell {
    /// The number.
    text: String,
    /// The quantity that the number counts.
    of: String,
    /// How strong the colour is, 0 to 1.
    heat: String,
}

impl Cell {
    fn new(text: String, of: String, heat: f64) -> Self {
        let heat = format!("{:.3}", heat.clamp(0.0, 1.0));
        Cell { text, of, heat }
    }

    /// A share of turns.
    fn share(tally: &Tally) -> Option<Self> {
        let share = tally.turn_match()?;
        let of = format!("{} of {}", tally.matched, counted(tally.turns, "turn"));
        Some(Cell::new(whole_percent(share), of, share))
    }
}

/// Turn match by the operations that a turn truly runs, the most frequent first.
pub fn operations(report: &Report) -> Heat {
    let title = |operation: &Option<String>| {
        let none = || "no call (conversation)".to_owned();
        operation.clone().unwrap_or_else(none)
    };
    let all = report.runs.iter().map(|shown| {
        let rows = shown.score.by_api.iter();
        rows.map(|row| (title(&row.operation), row.tally)).collect()
    });
    tallies(all.collect())
}

/// Turn match by the conversational complexity of a turn, the most frequent first.
pub fn complexities(report: &Report) -> Heat {
    let all = report.runs.iter().map(|shown| {
        let rows = shown.score.by_complexity.iter();
        rows.filter(|row| row.tally.turns > 0)
            .map(|row| (row.complexity.name().to_owned(), row.tally))
            .collect()
    });
    tallies(all.collect())
}

fn tallies(all: Vec<Vec<(String, Tally)>>) -> Heat {
    let mut names: Vec<(&String, usize)> = Vec::new();
    for (name, tally) in all.iter().flatten() {
        match names.iter_mut().find(|(other, _)| *other == name) {
            Some((_, most)) => *most = tally.turns.max(*most),
            None => names.push((name, tally.turns)),
        }
    }
    names.sort_by(|(one, few), (other, many)| many.cmp(few).then(one.cmp(other)));
    let rows = names.into_iter().map(|(name, _)| {
        let of_run = |run: &Vec<(String, Tally)>| {
            let found = run.iter().find(|(other, _)| other == name);
            found.map(|(_, tally)| *tally)
        };
        let found: Vec<Option<Tally>> = all.iter().map(of_run).collect();
        let mut counts: Vec<usize> = found.iter().flatten().map(|tally| tally.turns).collect();
        counts.dedup();
        Row {
            name: name.clone(),
            count: match counts.as_slice() {
                [one] => Some(one.to_string()),
                _ => None,
            },
            cells: (found.iter())
                .map(|tally| tally.as_ref().and_then(Cell::share))
                .collect(),
        }
    });
    Heat {
        rows: rows.collect(),
        last: Vec::new(),
    }
}

/// The first mistake of each dialogue that has one, and below how
/// many have none.
pub fn errors(report: &Report) -> Heat {
    let rows = ErrorClass::ALL.iter().map(|class| Row {
        name: class.title().to_owned(),
        count: None,
        cells: (report.runs.iter())
            .map(|shown| {
                let errors = &shown.score.errors;
                let first = errors.first.get(class).copied().unwrap_or(0);
                let all = errors.all.get(class).copied().unwrap_or(0);
                let wrong: usize = errors.first.values().sum();
                let heat = first as f64 / wrong.max(1) as f64;
                let wrong = counted(wrong, "dialogue");
                let all = counted(all, "turn");
                let of = format!("first in {first} of {wrong}, {all} in all");
                Some(Cell::new(first.to_string(), of, heat))
            })
            .collect(),
    });
    let right = report.runs.iter().map(|shown| {
        let dialogues = shown.score.dialogues.iter();
        let right = dialogues.filter(|dialogue| dialogue.kept == dialogue.turns);
        right.count().to_string()
    });
    Heat {
        rows: rows.collect(),
        last: right.collect(),
    }
}
