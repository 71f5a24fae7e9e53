//! Programs are valid Python.

use super::{Check, Checked, Found, Looked};
use crate::dataset::annotate::readable;
use crate::dataset::steps;
use crate::error::{Error, Result};
use async_trait::async_trait;
use tokio::task::JoinSet;

/// Every program is Python once its placeholders are filled in.
pub struct Python;

#[async_trait]
impl Check for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn rule(&self) -> &'static str {
        "every program is Python once its placeholders are filled in"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let mut tasks = JoinSet::new();
        for (index, dialogue) in checked.set.dialogues.iter().enumerate() {
            for step in steps(&dialogue.transcript) {
                let Some(program) = &step.record.program else {
                    continue;
                };
                let (turn, uid, code) = (step.turn, step.record.uid, readable(program));
                let sandbox = checked.replayer.sandbox().clone();
                tasks.spawn(async move { (index, turn, uid, sandbox.check(&code).await) });
            }
        }
        let mut wrong = Vec::new();
        while let Some(ended) = tasks.join_next().await {
            let (index, turn, uid, error) = ended.map_err(Error::lost)?;
            if let Some(error) = error? {
                wrong.push((index, turn, uid, error.message));
            }
        }
        // Tasks end in any order.
        wrong.sort();
        for (index, turn, uid, message) in wrong {
            if let Some(dialogue) = checked.set.dialogues.get(index) {
                let problem = format!("its program is not valid Python: {message}");
                found.on(checked.set, dialogue, turn, uid, problem);
            }
        }
        found.end()
    }
}
