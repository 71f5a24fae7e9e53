//! Recorded outcomes are those that programs give.

use super::{Check, Checked, Found, Looked, runs};
use crate::dataset::Done;
use crate::dialogue::{GoalRecord, Outcome};
use crate::error::Result;
use async_trait::async_trait;

/// Every final program, run from the initial world, gives its recorded outcome.
pub struct Outcomes;

const ANNOTATE: &str =
    "find out why, or run `dialog2api dataset annotate --write` to record the new outcome";

#[async_trait]
impl Check for Outcomes {
    fn name(&self) -> &'static str {
        "outcomes"
    }

    fn rule(&self) -> &'static str {
        "every final program, run in its turn from the initial world, gives the recorded result \
         or error and signature"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        let runs = checked.runs().await?;
        found.skip(runs::not_run(runs));
        for (dialogue, run) in set.dialogues.iter().zip(runs) {
            let Some(run) = run else { continue };
            let transcript = &dialogue.transcript;
            if let Some(recorded) = &transcript.initial_signature
                && *recorded != run.initial.to_string()
            {
                let problem = format!(
                    "its initial signature is {recorded}, and its world's is {}; {ANNOTATE}",
                    run.initial
                );
                found.on(set, dialogue, None, None, problem);
            }
            // The check of the status rules reports the others.
            let Ok(turns) = &run.turns else { continue };
            for (index, (turn, replayed)) in transcript.turns.iter().zip(turns).enumerate() {
                for done in &replayed.done {
                    let record = turn.goals.iter().find(|goal| goal.uid == done.uid);
                    let problems = record.map(|record| differences(record, done));
                    for problem in problems.unwrap_or_default() {
                        found.on(set, dialogue, index + 1, done.uid, problem);
                    }
                }
            }
        }
        found.end()
    }
}

/// The differences between a record and what happened. Another check reports what is not
/// recorded at all.
fn differences(record: &GoalRecord, done: &Done) -> Vec<String> {
    let happened = &done.execution.outcome;
    let mut problems = Vec::new();
    if let Some(recorded) = &record.outcome
        && recorded != happened
    {
        let (was, is) = (shown(recorded), shown(happened));
        problems.push(format!(
            "its outcome is {is}, recorded is {was}; {ANNOTATE}"
        ));
    }
    let signature = done.signature.to_string();
    if let Some(recorded) = &record.signature
        && *recorded != signature
    {
        problems.push(format!(
            "its signature is {signature}, recorded is {recorded}; {ANNOTATE}"
        ));
    }
    problems
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Result(value) => format!("the result {value}"),
        Outcome::Error(error) => format!("the error {} ({:?})", error.error, error.message),
    }
}
