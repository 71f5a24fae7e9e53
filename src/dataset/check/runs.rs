//! Every dialogue of a dataset run once, shared by the checks that look at it.

use super::Checked;
use crate::dataset::{Replayed, Replayer, Set};
use crate::dialogue::Violation;
use crate::domain::{self, Signature};
use crate::error::{Error, Result};
use tokio::sync::OnceCell;
use tokio::task::JoinSet;

/// What running one dialogue gave.
pub struct Run {
    /// The signature of the world before it.
    pub initial: Signature,
    /// What came of each turn; or the turn (from 0) that breaks the status rules.
    pub turns: Result<Vec<Replayed>, (usize, Vec<Violation>)>,
}

/// The runs with the usual seed, once somebody asked for them.
#[derive(Default)]
pub struct Runs(OnceCell<Vec<Option<Run>>>);

impl Checked<'_> {
    /// The runs of all dialogues, in their order; `None` where there is no world.
    pub(super) async fn runs(&self) -> Result<&[Option<Run>]> {
        let runs = (self.runs.0)
            .get_or_try_init(|| all(self.set, self.replayer))
            .await?;
        Ok(runs)
    }
}

/// Runs all dialogues, each in a task of its own.
pub async fn all(set: &Set, replayer: &Replayer) -> Result<Vec<Option<Run>>> {
    let mut tasks = JoinSet::new();
    for (index, dialogue) in set.dialogues.iter().enumerate() {
        let Ok(world) = set.world(dialogue) else {
            continue;
        };
        let (replayer, conversation) = (replayer.clone(), dialogue.conversation.clone());
        tasks.spawn(async move {
            let initial = domain::signature(&*world, []).await?;
            let turns = replayer.replay(&conversation, world).await?;
            Ok((index, Run { initial, turns }))
        });
    }
    let mut runs: Vec<Option<Run>> = set.dialogues.iter().map(|_| None).collect();
    while let Some(ended) = tasks.join_next().await {
        let (index, run) = ended.map_err(|error| Error::Sandbox(error.to_string()))??;
        if let Some(place) = runs.get_mut(index) {
            *place = Some(run);
        }
    }
    Ok(runs)
}
