//! Replays recorded games.

use super::read;
use crate::cli::terminal::{self, clean};
use crate::cli::{Exit, show as words};
use crate::domain::counted;
use crate::error::{Error, Result};
use decision_games::{Recorded, Replay, Rules};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The name of a file of games in a dataset.
const GAMES: &str = "games.jsonl";

/// The files of games among these paths; none if the paths are dialogues.
///
/// # Errors
/// Some paths are games, and some are not.
pub fn files(paths: &[PathBuf]) -> Result<Option<Vec<PathBuf>>> {
    let found: Vec<PathBuf> = paths.iter().filter_map(|path| file(path)).collect();
    match found.len() {
        0 => Ok(None),
        all if all == paths.len() => Ok(Some(found)),
        _ => Err(Error::Usage(
            "some of the paths are dialogues and some are games: replay them one after the other"
                .to_owned(),
        )),
    }
}

fn file(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.join(GAMES)).filter(|file| file.is_file());
    }
    let games = path
        .extension()
        .is_some_and(|extension| extension == "jsonl");
    games.then(|| path.to_owned())
}

/// Replays games in free order, and compares their final scores with the records.
pub fn replay(paths: &[PathBuf], as_json: bool, quiet: bool) -> Result<Exit> {
    let started = Instant::now();
    let (mut count, mut proposals, mut differ) = (0, 0, 0);
    for path in paths {
        for recorded in read(&file(path).unwrap_or_else(|| path.clone()))? {
            let outcome = replay_one(&recorded);
            count += 1;
            proposals += outcome.as_ref().map_or(0, |replay| replay.proposals.len());
            let differs = difference(&recorded, &outcome);
            differ += usize::from(differs.is_some());
            if as_json {
                print_json(&recorded, &outcome, differs.as_deref())?;
            } else if !quiet || differs.is_some() {
                print(&recorded, &outcome, differs.as_deref())?;
            }
        }
    }
    if !as_json {
        let verdict = match differ {
            0 => "all match".to_owned(),
            n => format!("{n} differ"),
        };
        let elapsed = words::elapsed(started.elapsed());
        terminal::print(format_args!(
            "{}, {}, {verdict}, {elapsed}\n",
            counted(count, "game"),
            counted(proposals, "full proposal")
        ))?;
    }
    Ok(if differ == 0 {
        Exit::Done
    } else {
        Exit::Findings
    })
}

fn replay_one(recorded: &Recorded) -> std::result::Result<Replay, String> {
    let game = recorded.open(Rules::default())?;
    recorded.replay(game).map_err(|illegal| illegal.to_string())
}

/// How a replay differs from its record.
///
/// Two recorded games were scored by a server that had another rule; they say so, and match if
/// that rule gives their record.
fn difference(
    recorded: &Recorded,
    outcome: &std::result::Result<Replay, String>,
) -> Option<String> {
    let replay = match outcome {
        Ok(replay) => replay,
        Err(error) => return Some(error.clone()),
    };
    let figures = recorded.recorded?;
    let Some(decision) = replay.decision else {
        return Some("nothing was accepted".to_owned());
    };
    if (decision.score, decision.best, decision.worst)
        == (figures.score, figures.best, figures.worst)
    {
        return None;
    }
    let legacy = Rules {
        legacy_categories: true,
        ..Rules::default()
    };
    let again = recorded.open(legacy).ok()?;
    let again = recorded.replay(again).ok()?.decision?;
    let as_recorded = again.score == figures.score;
    (!as_recorded).then(|| {
        format!(
            "scores {} of {} to {}, recorded {} of {} to {}",
            decision.score,
            decision.worst,
            decision.best,
            figures.score,
            figures.worst,
            figures.best
        )
    })
}

fn print(
    recorded: &Recorded,
    outcome: &std::result::Result<Replay, String>,
    differs: Option<&str>,
) -> Result<()> {
    let name = clean(&format!("{} {}", recorded.game, recorded.index)).to_string();
    let Ok(replay) = outcome else {
        let reason = differs.unwrap_or("cannot be replayed");
        return terminal::print(format_args!("{name}: {}\n", clean(reason)));
    };
    let norm = replay
        .decision
        .map_or_else(|| "-".to_owned(), |points| format!("{:.4}", points.norm()));
    let proposals = counted(replay.proposals.len(), "full proposal");
    let mut line = format!("{name}: {norm}, {proposals}");
    for (count, what) in [
        (replay.partial, "partial"),
        (replay.replaced, "replaced"),
        (replay.late_answers, "answered late"),
    ] {
        if count > 0 {
            line += &format!(", {count} {what}");
        }
    }
    match (differs, recorded.recorded, replay.decision) {
        (Some(reason), ..) => line += &format!("; {}", clean(reason)),
        (None, Some(figures), Some(decision)) if figures.score != decision.score => {
            line += &format!(
                "; recorded {:.4} by the rule of an older server",
                figures.norm
            );
        }
        _ => {}
    }
    terminal::print(format_args!("{line}\n"))
}

fn print_json(
    recorded: &Recorded,
    outcome: &std::result::Result<Replay, String>,
    differs: Option<&str>,
) -> Result<()> {
    let replay = outcome.as_ref().ok();
    let decision = replay.and_then(|replay| replay.decision);
    let line = json!({
        "game": recorded.game,
        "index": recorded.index,
        "matches": differs.is_none(),
        "difference": differs,
        "score": decision.map(|points| points.score),
        "best": decision.map(|points| points.best),
        "worst": decision.map(|points| points.worst),
        "norm": decision.map(|points| points.norm()),
        "proposals": replay.map(|replay| {
            replay.proposals.iter().map(|points| points.norm()).collect::<Vec<_>>()
        }),
        "partial": replay.map(|replay| replay.partial),
        "replaced": replay.map(|replay| replay.replaced),
        "late_answers": replay.map(|replay| replay.late_answers),
        "words": recorded.words(recorded.turns.len()),
    });
    terminal::print(format_args!("{line}\n"))
}
