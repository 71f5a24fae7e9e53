//! The calls of programs of a player: they read its cells, and ask a solver that knows nothing but
//! the given scores.

use serde_json::{Map, Value, json};

use super::solver::View;
use super::{Optimization, proposal};
use crate::illegal::Illegal;
use crate::programs::{self, Arguments};
use crate::solve::assign;

pub(super) fn of(game: &Optimization, seat: usize) -> Option<Box<dyn programs::Library>> {
    Some(Box::new(Cells(View::of(game, seat)?)))
}

/// The stubs of what it answers, and of the calls that note facts.
pub(super) fn stub(_: usize) -> &'static str {
    include_str!("../../data/programs/optimization.pyi")
}

struct Cells(View);

impl programs::Library for Cells {
    fn answer(&self, name: &str, given: &Value) -> Result<Value, Illegal> {
        match name {
            "scores" => Ok(self.scores()),
            "best" => self.best(&Arguments::of(name, given)),
            _ => Err(programs::unknown(name)),
        }
    }
}

impl Cells {
    /// The cells by reviewer and paper.
    fn scores(&self) -> Value {
        let View { names, seen } = &self.0;
        let row = |row: &Vec<Option<i64>>| -> Value {
            let cells = names
                .papers
                .iter()
                .cloned()
                .zip(row.iter().map(|cell| json!(cell)));
            Value::Object(cells.collect())
        };
        let rows = names.reviewers.iter().cloned().zip(seen.iter().map(row));
        Value::Object(rows.collect())
    }

    /// The best assignment by a table of the program's own.
    fn best(&self, arguments: &Arguments<'_>) -> Result<Value, Illegal> {
        const EXPECTED: &str = "a dict of reviewers, each with a dict of papers";
        let names = &self.0.names;
        let table = |value: &Value| -> Result<Map<String, Value>, Illegal> {
            let dict = value.as_object().cloned();
            dict.ok_or_else(|| arguments.wrong("scores", EXPECTED))
        };
        let mut cells = vec![vec![0; names.papers.len()]; names.reviewers.len()];
        for (reviewer, row) in table(arguments.value("scores", EXPECTED)?)? {
            let place = proposal::find_reviewer(names, &reviewer)?;
            for (paper, score) in table(&row)? {
                let column = proposal::find_paper(names, &paper)?;
                // In what `scores()` returns, `null` stands for a cell that the player does not see.
                if !score.is_null() {
                    cells[place][column] = arguments.thousandths(&score, "scores")?;
                }
            }
        }
        let found = assign(&cells);
        Ok(json!({
            "decision": Optimization::decision(&found.columns),
            "value": found.value as f64 / 1000.0,
        }))
    }
}
