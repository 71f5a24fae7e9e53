//! What is recorded is what happens.

use super::{Check, Checked, Finding, Found};
use crate::dataset::Done;
use crate::dialogue::{GoalRecord, Outcome};
use crate::error::Result;
use async_trait::async_trait;

/// Every final program, run from the initial world, gives what is recorded.
pub struct Outcomes;

const ANNOTATE: &str = "look why, or `dialog2api dataset annotate --write` records it";

#[async_trait]
impl Check for Outcomes {
    fn name(&self) -> &'static str {
        "outcomes"
    }

    fn rule(&self) -> &'static str {
        "every final program, run in its turn from the initial world, gives the recorded result \
         or error and signature"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Vec<Finding>> {
        let mut found = Found::by(self);
        let set = checked.set;
        for (dialogue, run) in set.dialogues.iter().zip(checked.runs().await?) {
            let Some(run) = run else { continue };
            let conversation = &dialogue.conversation;
            if let Some(recorded) = &conversation.initial_signature
                && *recorded != run.initial.to_string()
            {
                let problem = format!(
                    "its initial signature is {recorded}, and its world's is {}; {ANNOTATE}",
                    run.initial
                );
                found.on(set, dialogue, None, None, problem);
            }
            // What breaks the status rules is found by another check.
            let Ok(turns) = &run.turns else { continue };
            for (index, (turn, replayed)) in conversation.turns.iter().zip(turns).enumerate() {
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

/// What is recorded otherwise than it happened. What is not recorded at all is found by
/// another check.
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
