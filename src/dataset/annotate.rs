//! Fills in what the programs of a dialogue do.

use super::{Replayer, Step, steps};
use crate::dialogue::{Conversation, Program, Status};
use crate::domain::{self, World};
use crate::error::Result;
use std::fmt;
use std::sync::Arc;

/// The name that stands for a placeholder where Python is to read the code: a name can
/// stand for an expression, for a statement and for what is assigned to.
const STAND_IN: &str = "missing_";

/// What came of annotating a dialogue.
pub type Annotated = Result<Conversation, Vec<Broken>>;

/// A rule that a dialogue breaks, so that it cannot be annotated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The turn, from 1.
    pub turn: usize,
    /// The sentence.
    pub problem: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}: {}", self.turn, self.problem)
    }
}

/// Runs a dialogue against a world, which is changed, and gives the dialogue with the
/// result or the error, the signature of every program that ran, and the initial
/// signature. What was recorded before is not looked at.
///
/// # Errors
/// The sandbox or the world failed.
pub async fn annotate(
    conversation: &Conversation,
    replayer: &Replayer,
    world: Arc<dyn World>,
) -> Result<Annotated> {
    let mut broken = not_python(conversation, replayer).await?;
    let mut annotated = conversation.clone();
    let initial = domain::signature(&*world, []).await?;
    annotated.initial_signature = Some(initial.to_string());
    let turns = match replayer.replay(conversation, world).await? {
        Ok(turns) => turns,
        Err((turn, violations)) => {
            broken.extend(violations.iter().map(|violation| Broken {
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

/// The code that is no Python: a draft once its placeholders are filled in. What a final
/// program raises, a syntax error too, is its outcome.
async fn not_python(conversation: &Conversation, replayer: &Replayer) -> Result<Vec<Broken>> {
    let mut broken = Vec::new();
    for Step { turn, record, .. } in steps(conversation) {
        let draft = record
            .program
            .as_ref()
            .filter(|_| record.status != Status::Final);
        let Some(program) = draft else { continue };
        if let Some(error) = replayer.sandbox.check(&readable(program)).await? {
            let uid = record.uid;
            let problem = format!(
                "the draft of goal {uid} is no Python once its placeholders are filled in: {}",
                error.message
            );
            broken.push(Broken { turn, problem });
        }
    }
    Ok(broken)
}

/// A program with names in the place of its placeholders.
pub(super) fn readable(program: &Program) -> String {
    program.with_placeholders_replaced(|number| format!("{STAND_IN}{number}"))
}
