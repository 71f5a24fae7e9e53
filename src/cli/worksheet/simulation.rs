//! `dialog2api worksheet simulate`: a user without a model.

use super::{Exit, playable, terminal};
use crate::error::Result;
use crate::folder::worksheets_settings;
use std::path::Path;
use worksheets::simulate;

/// Plays dialogues, and says what broke and what was not reached.
pub(super) fn simulate(path: &Path, count: u64, seed: u64) -> Result<Exit> {
    let Some(sheets) = playable(path, false)? else {
        return Ok(Exit::Findings);
    };
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
