//! The rows that need no language model.

use super::{read, replay, rules};
use crate::cli::{Exit, terminal};
use crate::error::{Error, Result};
use decision_games::{Kinds, figures, rows};
use serde_json::json;
use std::path::PathBuf;

/// The values of one row of one game.
struct Row {
    game: String,
    name: &'static str,
    norms: Vec<f64>,
}

impl Row {
    fn perfect(&self) -> usize {
        self.norms.iter().filter(|norm| **norm >= 1.0).count()
    }
}

/// Prints the rows of all games of these files.
pub fn rows(paths: &[PathBuf], as_released: bool, as_json: bool) -> Result<Exit> {
    let files = replay::files(paths)?.unwrap_or_else(|| paths.to_vec());
    let (kinds, rules) = (Kinds::default(), rules(as_released));
    let mut table: Vec<Row> = Vec::new();
    for path in files {
        for recorded in read(&path)? {
            let found = rows::rows_by(&kinds, &recorded, rules).map_err(|error| {
                let (path, index) = (path.display(), recorded.index);
                Error::Usage(format!("{path}: game {index}: {error}"))
            })?;
            for row in found {
                add(&mut table, &recorded.game, row);
            }
        }
    }
    if as_json {
        let lines: Vec<_> = table
            .iter()
            .map(|row| {
                json!({
                    "game": row.game, "row": row.name, "count": row.norms.len(),
                    "mean": figures::mean(&row.norms).mean, "sem": figures::mean(&row.norms).error, "perfect": row.perfect(),
                })
            })
            .collect();
        terminal::print_json(&lines)?;
        return Ok(Exit::Done);
    }
    let mut game = "";
    for row in &table {
        if row.game != game {
            game = &row.game;
            let game = terminal::clean(game);
            terminal::print(format_args!("{game}\n"))?;
        }
        terminal::print(format_args!(
            "  {:<12} {:.4} ± {:.4}  {} of {} perfect\n",
            row.name,
            figures::mean(&row.norms).mean,
            figures::mean(&row.norms).error,
            row.perfect(),
            row.norms.len()
        ))?;
    }
    Ok(Exit::Done)
}

fn add(table: &mut Vec<Row>, game: &str, row: rows::Row) {
    match table
        .iter_mut()
        .find(|known| known.game == game && known.name == row.name)
    {
        Some(known) => known.norms.push(row.norm),
        None => table.push(Row {
            game: game.to_owned(),
            name: row.name,
            norms: vec![row.norm],
        }),
    }
}
