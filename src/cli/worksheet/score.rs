//! `dialog2api worksheet score`: what a run of `eval` fills in, asks, looks up and calls.

use super::grounded::Judge;
use super::{Exit, knowledge, playable, terminal};
use crate::dataset::rows::RowGoal;
use crate::error::{Error, Result};
use crate::eval::log::EvalMode;
use crate::eval::read::load;
use crate::eval::score::sheet::{Pass, Sheet};
use crate::eval::score::{Bootstrap, interval};
use crate::exec::Cache;
use crate::folder::{self, worksheets_settings};
use serde_json::Value as Json;
use std::path::Path;
use worksheets::Turned;
use worksheets::dialogue::{Dialogue, Turn};
use worksheets::evaluate::{self, Mode, Report, dialogue_with};

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
        return Err(Error::usage(format!(
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
    let judge = Judge::new(folder, &sheets, &domain)?;
    let passes = sheet.dialogues.iter().enumerate();
    let passes = passes.flat_map(|(at, runs)| runs.passes.iter().map(move |it| (at, runs.uid, it)));
    let (mut scores, mut parts) = (Vec::new(), Vec::new());
    for (at, uid, Pass { turns, .. }) in passes {
        let gold = Dialogue {
            uid: uid.to_owned(),
            turns: turns.iter().map(|it| turn(&it.truth.programs)).collect(),
            ..Dialogue::default()
        };
        let predicted: Vec<Turn> = turns.iter().map(|it| turn(&it.programs)).collect();
        let mut is_grounded =
            |at: usize, turned: &Turned| judge.is_grounded(turns.get(..=at)?, turned);
        let scored = dialogue_with(
            &sheets,
            settings,
            &mut knowledge,
            &gold,
            &predicted,
            mode,
            &mut is_grounded,
        );
        let scored = scored.map_err(wrong)?;
        parts.resize(at + 1, Vec::new());
        add(&mut parts[at], evaluate::parts(&scored));
        scores.push(scored);
    }
    if scores.is_empty() {
        let run = run.display();
        return Err(Error::usage(format!(
            "{run} has no finished dialogue yet: `dialog2api eval --resume` goes on with it"
        )));
    }
    let report = Report::of(&scores).with_intervals(intervals(&parts));
    match as_json {
        true => terminal::print_json(&report)?,
        false => terminal::print(terminal::clean(&report.text()))?,
    }
    Ok(Exit::Done)
}

/// Adds what one more pass of a dialogue gives to each figure.
#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn add(sums: &mut Vec<(f64, f64)>, parts: Vec<(u64, u64)>) {
    sums.resize(parts.len(), (0.0, 0.0));
    for (sum, (part, whole)) in sums.iter_mut().zip(parts) {
        sum.0 += part as f64;
        sum.1 += whole as f64;
    }
}

/// The interval of each figure, from what each dialogue gives to it.
fn intervals(dialogues: &[Vec<(f64, f64)>]) -> Vec<Option<(f64, f64)>> {
    let figures = dialogues.first().map_or(0, Vec::len);
    let mut samples = vec![Vec::new(); figures];
    Bootstrap::default().each(dialogues.len(), |times| {
        for (figure, samples) in samples.iter_mut().enumerate() {
            let parts = dialogues.iter().filter_map(|parts| parts.get(figure));
            let sum = parts.zip(times).fold((0.0, 0.0), |sum, (part, times)| {
                (sum.0 + times * part.0, sum.1 + times * part.1)
            });
            if sum.1 > 0.0 {
                samples.push(sum.0 / sum.1);
            }
        }
    });
    samples.into_iter().map(interval).collect()
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
