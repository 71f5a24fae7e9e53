//! Errors are meant.

use super::{Check, Checked, Found, Looked};
use crate::dataset::{Accident, accidents, steps};
use crate::dialogue::Status;
use crate::domain::counted;
use crate::error::Result;
use async_trait::async_trait;

/// No program ends by accident: see [`accidents()`].
pub struct Accidents;

#[async_trait]
impl Check for Accidents {
    fn name(&self) -> &'static str {
        "accidents"
    }

    fn rule(&self) -> &'static str {
        "no program ends with an error of Python or at a limit unless it raises the error by \
         name or the dialogue accepts it"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let mut unrecorded = 0;
        for dialogue in &checked.set.dialogues {
            unrecorded += steps(&dialogue.transcript)
                .iter()
                .filter(|step| step.record.status == Status::Final && step.record.outcome.is_none())
                .count();
            for accident in accidents(&dialogue.transcript, &checked.set.domain) {
                let Accident {
                    turn,
                    uid,
                    error,
                    message,
                } = accident;
                let problem = format!(
                    "ends with {error} ({message}), which is recorded as the truth; mend the \
                     program, or write accepts=\"{error}\" into <conversation …>"
                );
                found.on(checked.set, dialogue, turn, uid, problem);
            }
        }
        found.skip((unrecorded > 0).then(|| {
            let programs = counted(unrecorded, "program");
            format!("did not look at {programs} without an outcome (see completeness)")
        }));
        found.end()
    }
}
