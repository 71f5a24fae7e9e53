//! Records what the programs of a dialogue do.

use super::{GoalStep, Replayer, steps};
use crate::dialogue::{Program, Status, Transcript};
use crate::domain::{self, World};
use crate::error::Result;
use std::fmt;
use std::sync::Arc;

/// Replaces a placeholder where Python parses a draft. A name is valid as an expression, as
/// a statement and as a target of an assignment.
const STAND_IN: &str = "missing_";

/// The annotated dialogue, or the rules that it breaks.
pub type Annotated = Result<Transcript, Vec<BrokenRule>>;

/// A rule that a dialogue breaks, so that it cannot be annotated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRule {
    /// The turn, from 1.
    pub turn: usize,
    /// The mistake.
    pub problem: String,
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}: {}", self.turn, self.problem)
    }
}

/// Runs the programs of a dialogue in `world`, which is changed. The dialogue that is
/// returned has the initial signature, and for every program that ran its result or error
/// and its signature. Outcomes that were recorded before are replaced.
///
/// # Errors
/// The sandbox or the world failed.
pub async fn annotate(
    transcript: &Transcript,
    replayer: &Replayer,
    world: Arc<dyn World>,
) -> Result<Annotated> {
    let mut broken = not_python(transcript, replayer).await?;
    let mut annotated = transcript.clone();
    let initial = domain::signature(&*world, []).await?;
    annotated.initial_signature = Some(initial.to_string());
    let turns = match replayer.replay(transcript, world).await? {
        Ok(turns) => turns,
        Err((turn, violations)) => {
            broken.extend(violations.iter().map(|violation| BrokenRule {
                turn: turn + 1,
                problem: violation.to_string(),
            }));
            Vec::new()
        }
    };
    if !broken.is_empty() {
        broken.sort_by_key(|broken| broken.turn);
        return Ok(Err(broken));
    }
    for (turn, replayed) in annotated.turns.iter_mut().zip(turns) {
        for goal in &mut turn.goals {
            goal.outcome = None;
            goal.signature = None;
        }
        for done in replayed.done {
            if let Some(goal) = turn.goals.iter_mut().find(|goal| goal.uid == done.uid) {
                goal.outcome = Some(done.execution.outcome);
                goal.signature = Some(done.signature.to_string());
            }
        }
    }
    Ok(Ok(annotated))
}

/// Drafts that are not Python even with their placeholders filled in. Final programs are not
/// checked: their syntax errors are outcomes.
async fn not_python(transcript: &Transcript, replayer: &Replayer) -> Result<Vec<BrokenRule>> {
    let mut broken = Vec::new();
    for GoalStep { turn, record, .. } in steps(transcript) {
        let draft = record
            .program
            .as_ref()
            .filter(|_| record.status != Status::Final);
        let Some(program) = draft else { continue };
        if let Some(error) = replayer.sandbox().check(&readable(program)).await? {
            let uid = record.uid;
            let problem = format!(
                "the draft of goal {uid} is no Python once its placeholders are filled in: {}",
                error.message
            );
            broken.push(BrokenRule { turn, problem });
        }
    }
    Ok(broken)
}

/// A program with a name in place of each placeholder.
pub(super) fn readable(program: &Program) -> String {
    program.with_placeholders_replaced(|number| format!("{STAND_IN}{number}"))
}
