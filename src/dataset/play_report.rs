//! A replayed dialogue as an object of JSON.

use super::play::{Played, PlayedTurn};
use super::{Dialogue, Difference, Done};
use crate::dialogue::{Goal, GoalRecord, Outcome, Turn};
use serde_json::{Value as Json, json};

impl Played {
    /// What came of a dialogue, as an object: path, uid, goal, world, matches, programs, differences,
    /// signature, recorded_signature, turns.
    pub fn report(&self, dialogue: &Dialogue) -> Json {
        let transcript = &dialogue.transcript;
        let turns = transcript.turns.iter().zip(&self.turns);
        json!({
            "path": dialogue.path.to_string_lossy(),
            "uid": transcript.uid,
            "goal": dialogue.goal(),
            "world": dialogue.world(),
            "matches": !self.differences.iter().any(Difference::counts),
            "programs": self.programs,
            "differences": texts(&self.differences),
            "signature": self.initial.to_string(),
            "recorded_signature": transcript.initial_signature,
            "turns": turns.map(|(turn, played)| report_turn(turn, played)).collect::<Vec<_>>(),
        })
    }
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
