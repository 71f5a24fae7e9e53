//! Destructive programs are confirmed by the user.

use super::{Check, Checked, Found, Looked};
use crate::dataset::{GoalStep, steps};
use crate::dialogue::Status;
use crate::domain::{Calls, Domain};
use crate::error::Result;
use async_trait::async_trait;

/// A destructive program was a complete draft in an earlier turn, so the user could confirm it.
pub struct Destruction;

#[async_trait]
impl Check for Destruction {
    fn name(&self) -> &'static str {
        "destruction"
    }

    fn rule(&self) -> &'static str {
        "a program that destroys was drafted completely in an earlier turn, and is run as it \
         was confirmed"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        for dialogue in &set.dialogues {
            for step in steps(&dialogue.transcript) {
                if let Some(problem) = unconfirmed(&step, &set.domain) {
                    found.on(set, dialogue, step.turn, step.record.uid, problem);
                }
            }
        }
        found.end()
    }
}

/// The problem of a program that calls a destructive operation, or may call one, unasked.
pub(super) fn unconfirmed(step: &GoalStep<'_>, domain: &Domain) -> Option<String> {
    let program = step.program()?;
    if step.record.status != Status::Final {
        return None;
    }
    let calls = Calls::of(program, domain);
    let mut sites = calls.sites.iter();
    let Some(destroys) = sites.find(|site| domain.destroys(&site.operation)) else {
        let hidden = calls.unresolved?;
        return Some(format!(
            "{} in line {}, which may hide a destructive call; call the operation by its name",
            hidden.reason, hidden.line
        ));
    };
    not_asked(step, &format!("calls {}", destroys.operation))
}

/// Why the user was not asked about a program before it ran; `None` if they were. `does` is
/// what they had to be asked about: `calls delete_object`.
pub(super) fn not_asked(step: &GoalStep<'_>, does: &str) -> Option<String> {
    let program = step.program()?;
    let draft = (step.before)
        .filter(|before| before.status == Status::Drafting && before.turn < step.turn)
        .and_then(|before| before.program);
    let Some(draft) = draft else {
        return Some(format!(
            "{does} without a draft in an earlier turn; draft it, and let the agent \
             ask for confirmation"
        ));
    };
    if !draft.placeholders().is_empty() {
        return Some(format!(
            "{does}, and the draft before it was not complete; draft it with all \
             values, and let the agent ask for confirmation"
        ));
    }
    (draft.code() != program.code()).then(|| {
        format!(
            "{does} with other code than was confirmed; write status=\"final\" without a \
             program, or draft the new code and ask again"
        )
    })
}
