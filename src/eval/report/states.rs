//! Differences between the true world and the predicted one at the first wrong turn.
//!
//! A log has only signatures. Here the true and the predicted programs of a dialogue run
//! again, each in a copy of its initial world, and the domain puts the differences into
//! words. If that is not possible (the world is not the one of the log, or the programs give
//! another state), the report says so and guesses nothing.

use super::Report;
use crate::dataset::{self, DialogueReplay, Replayer};
use crate::dialogue::Turn;
use crate::domain::{self, Domain, World};
use crate::error::Result;
use crate::eval::log::{EvalMode, TurnLog};
use crate::eval::score::sheet::Sheet;
use crate::eval::score::turn::matches;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// A dialogue of a report: the place of its run, its uid, and the epoch.
pub type DialogueKey = (usize, String, u32);

/// The difference at the first wrong turn of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateDifference {
    /// The changes that lead from the true world to the predicted one, a line each. Empty if
    /// the states are the same.
    Lines(Vec<String>),
    /// Unknown: a sentence that says why.
    Unknown(String),
}

/// The sandbox and the worlds in which dialogues are run again.
pub struct ReportWorlds {
    /// Runs the programs, with the seed of each run.
    pub replayer: Replayer,
    /// The dataset's folder: descriptions of worlds stand in its folder `worlds`.
    pub dataset: PathBuf,
}

/// The differences of all dialogues with a wrong turn.
///
/// # Errors
/// The sandbox or a world failed.
pub async fn differences(
    report: &Report,
    worlds: &ReportWorlds,
) -> Result<BTreeMap<DialogueKey, StateDifference>> {
    let mut opened = HashMap::new();
    let mut found = BTreeMap::new();
    for (index, shown) in report.runs.iter().enumerate() {
        let Ok(sheet) = Sheet::new(&shown.log.run, &shown.log.turns, shown.domain.as_ref()) else {
            continue;
        };
        let mut replayer = worlds.replayer.clone();
        replayer.seed.random = shown.log.run.settings.seed;
        for runs in &sheet.dialogues {
            for pass in &runs.passes {
                let Some(wrong) = pass.turns.iter().position(|log| !matches(log)) else {
                    continue;
                };
                let name = pass
                    .turns
                    .first()
                    .and_then(|log| log.truth.world.as_deref());
                let initial = opened
                    .entry(sheet.domain.name.clone())
                    .or_insert_with(|| dataset::InitialWorlds::new(&sheet.domain));
                let world = initial.named(&worlds.dataset, name.unwrap_or_default());
                let difference = match world {
                    Err(problem) => StateDifference::Unknown(format!("the dialogue {problem}")),
                    Ok(world) => {
                        let turns = pass.turns.get(..=wrong).unwrap_or_default();
                        let mode = shown.log.run.mode;
                        of_pass(turns, mode, &replayer, &*world, &sheet.domain).await?
                    }
                };
                found.insert((index, runs.uid.to_owned(), pass.epoch), difference);
            }
        }
    }
    Ok(found)
}

/// The difference after these turns, of which the last is the first wrong one.
async fn of_pass(
    turns: &[&TurnLog],
    mode: EvalMode,
    replayer: &Replayer,
    world: &dyn World,
    domain: &Domain,
) -> Result<StateDifference> {
    let (Some((last, before)), Some(first)) = (turns.split_last(), turns.first()) else {
        return Ok(StateDifference::Lines(Vec::new()));
    };
    if last.state == last.truth_state {
        return Ok(StateDifference::Lines(Vec::new()));
    }
    let (Some(one), Some(other)) = (domain::separate(world), domain::separate(world)) else {
        let problem = "the world cannot be copied".to_owned();
        return Ok(StateDifference::Unknown(problem));
    };
    if let Some(initial) = &first.truth.initial_signature
        && *initial != domain::signature(&*one, []).await?.to_string()
    {
        let name = first.truth.world.as_deref().unwrap_or_default();
        return Ok(StateDifference::Unknown(format!(
            "the world {name:?} is another than the one that the dialogue was written for"
        )));
    }
    let is_forced = mode == EvalMode::TeacherForced;
    let truth = turns.iter().map(|log| of_truth(log));
    let mine = before.iter().map(|log| {
        if is_forced {
            of_truth(log)
        } else {
            of_prediction(log)
        }
    });
    let mine = mine.chain([of_prediction(last)]);
    let start = |world| replayer.start(world).offering(first.truth.offer());
    let (mut one, mut other) = (start(one), start(other));
    for (side, replay, turns, state) in [
        ("true", &mut one, truth.collect(), &last.truth_state),
        ("predicted", &mut other, mine.collect(), &last.state),
    ] {
        if let Some(problem) = run(side, replay, turns, state).await? {
            return Ok(StateDifference::Unknown(problem));
        }
    }
    let Some(contents) = &domain.contents else {
        let problem = "this domain does not say how worlds differ".to_owned();
        return Ok(StateDifference::Unknown(problem));
    };
    let lines = contents
        .difference(&**one.world(), &**other.world())
        .await?;
    Ok(StateDifference::Lines(lines))
}

/// Runs one side. Returns a sentence if it cannot run again or does not end in the logged
/// state. `Err` means that the sandbox or the world failed.
async fn run(
    side: &str,
    replay: &mut DialogueReplay<'_>,
    turns: Vec<std::result::Result<Turn, String>>,
    state: &str,
) -> Result<Option<String>> {
    for turn in turns {
        let turn = match turn {
            Ok(turn) => turn,
            Err(problem) => return Ok(Some(problem)),
        };
        if let Err(violations) = replay.turn(&turn).await? {
            let first = violations.first().map(ToString::to_string);
            return Ok(Some(format!(
                "the {side} programs cannot run again: {}",
                first.unwrap_or_default()
            )));
        }
    }
    let world: &Arc<dyn World> = replay.world();
    let is_same = domain::signature(&**world, []).await?.to_string() == state;
    Ok((!is_same).then(|| {
        format!("run again, the {side} programs gave another state than the one in the log")
    }))
}

fn of_truth(log: &TurnLog) -> std::result::Result<Turn, String> {
    turn(log, &log.truth.programs)
}

fn of_prediction(log: &TurnLog) -> std::result::Result<Turn, String> {
    turn(log, &log.programs)
}

fn turn(log: &TurnLog, goals: &[dataset::rows::RowGoal]) -> std::result::Result<Turn, String> {
    Ok(Turn {
        user: log.truth.utterance.clone(),
        goals: goals
            .iter()
            .map(|goal| goal.record())
            .collect::<Result<_, String>>()?,
        response: None,
    })
}
