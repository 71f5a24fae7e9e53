//! Replays recorded games.

use super::read;
use crate::cli::terminal::{self, clean};
use crate::cli::{Exit, show as words};
use crate::domain::counted;
use crate::error::{Error, Result};
use decision_games::{Match, Recorded, Replay, Rules};
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
        _ => Err(Error::usage(
            "some of the paths are dialogues and some are games: replay them one after the other",
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

/// Replays games in free order, and compares the figures of proposals and decisions with the records.
pub fn replay(paths: &[PathBuf], rules: Rules, as_json: bool, quiet: bool) -> Result<Exit> {
    let started = Instant::now();
    let (mut count, mut proposals, mut differ, mut bare) = (0, 0, 0, 0);
    for path in paths {
        let path = file(path).unwrap_or_else(|| path.clone());
        let games = read(&path)?;
        if games.is_empty() {
            let problem = "has no games".to_owned();
            return Err(Error::Content { path, problem });
        }
        for recorded in games {
            bare += usize::from(recorded.recorded.is_none() && recorded.proposals.is_empty());
            let outcome = recorded.compare(rules);
            count += 1;
            let found = outcome.as_ref();
            proposals += found.map_or(0, |(replay, _)| replay.proposals.len());
            let differs = difference(&outcome).is_some();
            differ += usize::from(differs);
            if as_json {
                print_json(&recorded, &outcome)?;
            } else if !quiet || differs {
                print(&recorded, &outcome)?;
            }
        }
    }
    if !as_json {
        let mut verdict = match differ {
            0 if bare == count => "nothing to compare with".to_owned(),
            0 => "all match".to_owned(),
            n => format!("{n} differ"),
        };
        if bare > 0 && bare < count {
            verdict += &format!(", {bare} without figures");
        }
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

/// What a game's replay found, and how it compares; or why it cannot be replayed.
type Outcome = std::result::Result<(Replay, Match), String>;

/// How a game differs from its record.
fn difference(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Ok((_, Match::Differs(difference))) => Some(difference),
        Ok(_) => None,
        Err(error) => Some(error),
    }
}

fn print(recorded: &Recorded, outcome: &Outcome) -> Result<()> {
    let name = clean(&format!("{} {}", recorded.game, recorded.index)).to_string();
    let (replay, compared) = match outcome {
        Ok(found) => found,
        Err(reason) => return terminal::print(format_args!("{name}: {}\n", clean(reason))),
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
    match compared {
        Match::Same => {}
        Match::Differs(reason) => line += &format!("; {}", clean(reason)),
        Match::Older => {
            let final_score = replay.decision.map(|points| points.score);
            let figures = recorded.recorded.as_ref();
            let other = figures.filter(|figures| Some(figures.score) != final_score);
            let what = other.map_or("a proposal is recorded".to_owned(), |figures| {
                format!("recorded {:.4}", figures.norm)
            });
            line += &format!("; {what} by the rule of an older server");
        }
    }
    terminal::print(format_args!("{line}\n"))
}

fn print_json(recorded: &Recorded, outcome: &Outcome) -> Result<()> {
    let replay = outcome.as_ref().ok().map(|(replay, _)| replay);
    let differs = difference(outcome);
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
        "recorded": recorded.recorded,
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
