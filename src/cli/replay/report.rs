//! A replayed dialogue as one line of JSON.

use super::play::{Played, PlayedTurn, play};
use super::{ReplaySetup, Tally, verify};
use crate::cli::terminal;
use crate::dataset::{Dialogue, Difference, Done};
use crate::dialogue::{Goal, GoalRecord, Outcome, Turn};
use crate::error::{Error, Result};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Replays all dialogues concurrently, and prints a line for each.
pub async fn all(
    setup: &Arc<ReplaySetup>,
    dialogues: Vec<Dialogue>,
    tally: &mut Tally,
) -> Result<()> {
    let work = |setup: Arc<ReplaySetup>, dialogue: Arc<Dialogue>| async move {
        let world = setup.world(&dialogue).await?;
        play(&setup.domain, &setup.replayer, &dialogue, world, ()).await
    };
    verify::each(setup, dialogues, work, |dialogue, came, bar| {
        let line = match &came {
            Ok(played) => {
                tally.count(played.programs, &played.differences);
                report(dialogue, played)
            }
            Err(error) => {
                tally.failed += 1;
                failure(dialogue, error)
            }
        };
        let line = terminal::clean_json(&line.to_string());
        bar.aside(|| terminal::print(format_args!("{line}\n")))
    })
    .await
}

/// A dialogue that could not be replayed has only an `error`.
fn failure(dialogue: &Dialogue, error: &Error) -> Json {
    json!({
        "path": dialogue.path.to_string_lossy(),
        "uid": dialogue.transcript.uid,
        "world": dialogue.world(),
        "matches": false,
        "error": error.to_string(),
    })
}

fn report(dialogue: &Dialogue, played: &Played) -> Json {
    let transcript = &dialogue.transcript;
    let turns = transcript.turns.iter().zip(&played.turns);
    json!({
        "path": dialogue.path.to_string_lossy(),
        "uid": transcript.uid,
        "goal": dialogue.goal(),
        "world": dialogue.world(),
        "matches": !played.differences.iter().any(Difference::counts),
        "programs": played.programs,
        "differences": texts(&played.differences),
        "signature": played.initial.to_string(),
        "recorded_signature": transcript.initial_signature,
        "turns": turns.map(|(turn, played)| report_turn(turn, played)).collect::<Vec<_>>(),
    })
}

fn report_turn(turn: &Turn, played: &PlayedTurn) -> Json {
    let goals = turn.goals.iter().zip(&played.goals);
    let goals = goals.map(|(record, goal)| {
        let mut done = played.replayed.done.iter();
        report_goal(record, goal, done.find(|done| done.uid == goal.uid))
    });
    json!({
        "user": turn.user,
        "goals": goals.collect::<Vec<_>>(),
        "changes": played.changes.iter().map(|change| &change.details).collect::<Vec<_>>(),
        "signature": played.replayed.signature.to_string(),
        "differences": texts(&played.differences),
        "response": turn.response,
    })
}

/// `now` is null if the turn did not run the goal, `recorded` if nothing is recorded.
fn report_goal(record: &GoalRecord, goal: &Goal, done: Option<&Done>) -> Json {
    let now = done.map(|done| {
        let mut seen = outcome(&done.execution.outcome);
        seen["signature"] = json!(done.signature.to_string());
        seen["calls"] = json!(done.execution.calls);
        seen["output"] = json!(done.execution.output);
        seen
    });
    let recorded = record.outcome.as_ref().map(|recorded| {
        let mut seen = outcome(recorded);
        seen["signature"] = json!(record.signature);
        seen
    });
    json!({
        "uid": goal.uid,
        "status": goal.status,
        "program": goal.program.code(),
        "now": now,
        "recorded": recorded,
    })
}

fn outcome(outcome: &Outcome) -> Json {
    match outcome {
        Outcome::Result(value) => json!({ "result": value, "error": null }),
        Outcome::Error(error) => json!({
            "result": null,
            "error": { "error": error.error, "message": error.message },
        }),
    }
}

fn texts(differences: &[Difference]) -> Vec<String> {
    differences.iter().map(Difference::to_string).collect()
}
