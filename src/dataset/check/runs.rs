//! One run of every dialogue, shared by the checks that need it.

use super::{Checked, Found};
use crate::dataset::{Dialogue, ReplayedTurn, Replayer, Set};
use crate::dialogue::Violation;
use crate::domain::{self, Signature, counted};
use crate::error::{Error, Result};
use tokio::sync::OnceCell;
use tokio::task::JoinSet;

/// The run of one dialogue.
pub struct Run {
    /// The signature of the world before it.
    pub initial: Signature,
    /// The outcome of each turn, or the first turn (from 0) that breaks the status rules.
    pub turns: Result<Vec<ReplayedTurn>, (usize, Vec<Violation>)>,
}

/// The runs with the default seed, made when they are first needed.
#[derive(Default)]
pub struct Runs(OnceCell<Vec<Option<Run>>>);

impl Checked<'_> {
    /// The runs of all dialogues, in their order; `None` where the world cannot be opened.
    pub(super) async fn runs(&self) -> Result<&[Option<Run>]> {
        let runs = (self.runs.0)
            .get_or_try_init(|| all(self.set, self.replayer))
            .await?;
        Ok(runs)
    }
}

/// The dialogues that ran, where their writes can be planned; says which ones are not among them.
pub async fn with_plans<'c>(
    checked: &'c Checked<'_>,
    found: &mut Found,
) -> Result<Vec<&'c Dialogue>> {
    let set = checked.set;
    if set.domain.effects.planning.is_none() {
        found.skip(format!("writes of {} cannot be planned", set.domain.name));
        return Ok(Vec::new());
    }
    let runs = checked.runs().await?;
    found.skip(not_run(runs));
    let has_run = |run: &Option<Run>| run.as_ref().is_some_and(|run| run.turns.is_ok());
    let all = set.dialogues.iter().zip(runs);
    Ok(all
        .filter_map(|(dialogue, run)| has_run(run).then_some(dialogue))
        .collect())
}

/// Which dialogues did not run, and why; `None` where all ran.
pub fn not_run(runs: &[Option<Run>]) -> Option<String> {
    let all = runs.len();
    let count = |is: fn(&Option<Run>) -> bool| runs.iter().filter(|run| is(run)).count();
    let without_world = count(|run| run.is_none());
    let broken = count(|run| run.as_ref().is_some_and(|run| run.turns.is_err()));
    let reasons = [
        (without_world, "whose world cannot be opened (see identity)"),
        (broken, "that break a status rule (see status)"),
    ];
    let reasons: Vec<String> = reasons
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, which)| format!("{count} of {}, {which}", counted(all, "dialogue")))
        .collect();
    (!reasons.is_empty()).then(|| format!("did not run {}", reasons.join("; ")))
}

/// Runs all dialogues, each in a task of its own.
pub async fn all(set: &Set, replayer: &Replayer) -> Result<Vec<Option<Run>>> {
    let mut tasks = JoinSet::new();
    for (index, dialogue) in set.dialogues.iter().enumerate() {
        let Ok(world) = set.world(dialogue) else {
            continue;
        };
        let (replayer, transcript) = (replayer.clone(), dialogue.transcript.clone());
        tasks.spawn(async move {
            let initial = domain::signature(&*world, []).await?;
            let turns = replayer.replay(&transcript, world).await?;
            Ok((index, Run { initial, turns }))
        });
    }
    let mut runs: Vec<Option<Run>> = set.dialogues.iter().map(|_| None).collect();
    while let Some(ended) = tasks.join_next().await {
        let (index, run) = ended.map_err(Error::lost)??;
        if let Some(place) = runs.get_mut(index) {
            *place = Some(run);
        }
    }
    Ok(runs)
}
