//! The rows that need no language model.

use super::{read, replay};
use crate::cli::{Exit, terminal};
use crate::error::{Error, Result};
use decision_games::{Kinds, RowTable, Rules, rows};
use std::path::PathBuf;

/// Prints the rows of all games of these files.
pub fn rows(paths: &[PathBuf], rules: Rules, as_json: bool) -> Result<Exit> {
    let files = replay::files(paths)?.unwrap_or_else(|| paths.to_vec());
    let kinds = Kinds::default();
    let mut table = RowTable::default();
    for path in files {
        for recorded in read(&path)? {
            let found = rows::rows_by(&kinds, &recorded, rules).map_err(|error| {
                let (path, index) = (path.display(), recorded.index);
                Error::usage(format!("{path}: game {index}: {error}"))
            })?;
            table.add(&recorded.game, found);
        }
    }
    match as_json {
        true => terminal::print_json(&table.means())?,
        false => terminal::print(terminal::clean(&table.to_string()))?,
    }
    Ok(Exit::Done)
}
