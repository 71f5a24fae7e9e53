//! Figures of readers and players without a model.

use super::{read, replay};
use crate::cli::{Exit, terminal};
use crate::error::{Error, Result};
use decision_games::measure::Rows as MeasuredRows;
use decision_games::{Manner, Rules};
use serde_json::json;
use std::path::PathBuf;

/// Prints forced proposals at all cuts, and whole games with fixed parties.
pub fn figures(paths: &[PathBuf], split: Option<u32>, rules: Rules, as_json: bool) -> Result<Exit> {
    let files = replay::files(paths)?.unwrap_or_else(|| paths.to_vec());
    let mut rows = MeasuredRows {
        rules,
        ..MeasuredRows::default()
    };
    for path in files {
        for recorded in read(&path)? {
            if split.is_some_and(|split| recorded.index % 3 != split) {
                continue;
            }
            let measured = rows.forced(&recorded).and_then(|()| {
                Manner::ALL
                    .iter()
                    .try_for_each(|(name, manner)| rows.played(&recorded, name, *manner))
            });
            measured.map_err(|error| {
                let (path, index) = (path.display(), recorded.index);
                Error::usage(format!("{path}: game {index}: {error}"))
            })?;
        }
    }
    if as_json {
        let all = rows.all.iter();
        let lines: Vec<_> = all
            .map(|((game, way), row)| json!({ "game": game, "way": way, "figures": row.summary() }))
            .collect();
        terminal::print_json(&lines)?;
    } else {
        terminal::print(terminal::clean(&rows.to_string()))?;
    }
    Ok(Exit::Done)
}
