//! `dialog2api worksheet score`: what a run of `eval` fills in, asks, looks up and calls.

use super::{Exit, knowledge, playable, terminal};
use crate::dataset::rows::RowGoal;
use crate::error::{Error, Result};
use crate::eval::log::EvalMode;
use crate::eval::read::load;
use crate::eval::score::sheet::Sheet;
use crate::exec::Cache;
use crate::folder::{self, worksheets_settings};
use serde_json::Value as Json;
use std::path::Path;
use worksheets::dialogue::{Dialogue, Turn};
use worksheets::evaluate::{Mode, Report, dialogue};

/// Plays the truth and what was predicted, and compares them. Only dialogues that are finished
/// count.
pub(super) fn score(folder: &Path, run: &Path, as_json: bool) -> Result<Exit> {
    let Some(sheets) = playable(folder, as_json)? else {
        return Ok(Exit::Findings);
    };
    let (mut knowledge, settings) = (knowledge(folder, &sheets)?, worksheets_settings(folder)?);
    let log = load(run, true)?;
    let domain = folder::load(folder, &Cache::of_user()?)?;
    if log.run.domain != domain.name {
        return Err(Error::Usage(format!(
            "{} is a run about the domain {}, and not about {}",
            run.display(),
            log.run.domain,
            domain.name
        )));
    }
    let mode = match log.run.mode {
        EvalMode::EndToEnd => Mode::EndToEnd,
        EvalMode::TeacherForced => Mode::TeacherForced,
    };
    let wrong = |problem: String| Error::Content {
        path: run.to_owned(),
        problem,
    };
    let sheet = Sheet::new(&log.run, &log.turns, Some(&domain)).map_err(wrong)?;
    let passes = sheet.dialogues.iter();
    let passes = passes.flat_map(|runs| runs.passes.iter().map(|pass| (runs.uid, &pass.turns)));
    let mut scores = Vec::new();
    for (uid, turns) in passes {
        let gold = Dialogue {
            uid: uid.to_owned(),
            turns: turns.iter().map(|it| turn(&it.truth.programs)).collect(),
            ..Dialogue::default()
        };
        let predicted: Vec<Turn> = turns.iter().map(|it| turn(&it.programs)).collect();
        let scored = dialogue(&sheets, settings, &mut knowledge, &gold, &predicted, mode);
        scores.push(scored.map_err(wrong)?);
    }
    if scores.is_empty() {
        let run = run.display();
        return Err(Error::Usage(format!(
            "{run} has no finished dialogue yet: `dialog2api eval --resume` goes on with it"
        )));
    }
    let report = Report::of(&scores);
    match as_json {
        true => terminal::print_json(&report)?,
        false => terminal::print(terminal::clean(&report.text()))?,
    }
    Ok(Exit::Done)
}

/// The program of a turn, and what came of it. A turn that no program was written for does nothing.
fn turn(programs: &[RowGoal]) -> Turn {
    let last = programs.iter().rfind(|goal| goal.program.is_some());
    let program = last.and_then(|goal| goal.program.as_deref());
    let result = last.and_then(|goal| goal.result.as_deref());
    Turn {
        program: program.unwrap_or("pass").trim().to_owned(),
        result: result.and_then(|text| serde_json::from_str::<Json>(text).ok()),
        ..Turn::default()
    }
}
