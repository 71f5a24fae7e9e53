//! `dialog2api worksheet simulate`: a user without a model.

use super::{Exit, lines, sheets, terminal};
use crate::error::{Error, Result};
use crate::folder::worksheets_settings;
use std::path::Path;
use worksheets::{Problem, simulate};

/// Plays dialogues, and says what broke and what was not reached.
pub(super) fn simulate(path: &Path, count: u64, seed: u64) -> Result<Exit> {
    let sheets = sheets(path)?;
    let mut wrong = worksheets::check(&sheets);
    wrong.retain(Problem::is_error);
    if !wrong.is_empty() {
        let path = path.display();
        return Err(Error::Usage(format!(
            "{path} cannot be played:\n{}",
            lines(&wrong).trim_end()
        )));
    }
    let settings = worksheets_settings(path)?;
    if count == 1 {
        let played = simulate::dialogue(&sheets, settings, seed);
        terminal::print(terminal::clean(&played.text()))?;
    }
    let simulated = simulate::run(&sheets, settings, seed, count);
    terminal::print(terminal::clean(&simulated.text()))?;
    Ok(match simulated.broken.is_empty() {
        true => Exit::Done,
        false => Exit::Findings,
    })
}
