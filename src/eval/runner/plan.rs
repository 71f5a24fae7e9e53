//! The plan of a run, made before any model is asked.

use super::truth::Truth;
use crate::dataset::{Dialogue, ExampleDialogues, Replayer, Set, Split};
use crate::domain;
use crate::error::{Error, Result};
use crate::eval::log::{self, DatasetId, EvalMode, Run, RunSettings, Shard};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The options of a run, except for the dataset.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Where the past of a turn comes from.
    pub mode: EvalMode,
    /// How the model is asked.
    pub settings: RunSettings,
    /// The part of the dataset; `None` for all of it.
    pub split: Option<Split>,
    /// The number of times that every dialogue is run, at least 1.
    pub epochs: u32,
    /// The largest number of dialogues: the first in the order of their uids.
    pub limit: Option<usize>,
    /// The part of these dialogues that is run here.
    pub shard: Option<Shard>,
}

/// A whole dataset, once, end to end.
impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            mode: EvalMode::EndToEnd,
            settings: RunSettings::default(),
            split: None,
            epochs: 1,
            limit: None,
            shard: None,
        }
    }
}

/// A run before it begins.
pub struct RunPlan {
    /// The content of `run.json`.
    pub run: Run,
    /// The dialogues of this shard with their truth, in the order of their uids.
    pub truths: Vec<Arc<Truth>>,
}

impl RunPlan {
    /// Chooses the dialogues, and replays their truth.
    ///
    /// # Errors
    /// There is nothing to run, or a dialogue is wrong: the error says which, and why.
    pub async fn new(
        set: &Set,
        examples: &ExampleDialogues,
        model: &str,
        wanted: RunOptions,
        replayer: &Replayer,
    ) -> Result<RunPlan> {
        if let Some((path, problem)) = set.unread.first() {
            return Err(Error::Content {
                path: path.clone(),
                problem: problem.clone(),
            });
        }
        let chosen = choose(set, &wanted)?;
        let dataset = DatasetId {
            name: set.name(),
            split: wanted.split,
            dialogues: u32::try_from(chosen.len()).unwrap_or(u32::MAX),
            digest: digest(set, &chosen).await?,
            examples: examples.name.clone(),
            examples_digest: texts(examples.dialogues.iter())
                .finalize()
                .to_hex()
                .to_string(),
        };
        let mut truths = Vec::new();
        for (place, dialogue) in (1..).zip(&chosen) {
            if wanted.shard.is_none_or(|shard| shard.has(place)) {
                truths.push(Arc::new(Truth::of(set, dialogue, replayer).await?));
            }
        }
        if truths.is_empty() {
            return Err(Error::usage(format!(
                "this shard has no dialogue, since there are only {}; use fewer shards",
                chosen.len()
            )));
        }
        Ok(RunPlan {
            run: Run {
                version: log::VERSION,
                dialog2api: env!("CARGO_PKG_VERSION").to_owned(),
                revision: option_env!("DIALOG2API_REVISION").map(str::to_owned),
                signature: log::SIGNATURE_VERSION,
                domain: set.domain.name.to_string(),
                model: model.to_owned(),
                mode: wanted.mode,
                dataset,
                settings: wanted.settings,
                epochs: wanted.epochs.max(1),
                shard: wanted.shard,
            },
            truths,
        })
    }

    /// The number of turns of the run, over all dialogues and epochs.
    pub fn turns(&self) -> usize {
        let turns: usize = self.truths.iter().map(|truth| truth.turns.len()).sum();
        turns * self.run.epochs as usize
    }
}

/// The dialogues of the whole run, in the order of their uids.
fn choose<'a>(set: &'a Set, wanted: &RunOptions) -> Result<Vec<&'a Dialogue>> {
    let mut chosen: BTreeMap<&str, &Dialogue> = BTreeMap::new();
    for dialogue in &set.dialogues {
        if wanted.split.is_some() && dialogue.split != wanted.split {
            continue;
        }
        if let Some(other) = chosen.insert(&dialogue.transcript.uid, dialogue) {
            return Err(Error::Content {
                path: dialogue.path.clone(),
                problem: format!(
                    "{} has the uid {:?} too; rename one of them",
                    other.path.display(),
                    dialogue.transcript.uid
                ),
            });
        }
    }
    if chosen.is_empty() {
        return Err(Error::Content {
            path: set.folder.clone(),
            problem: match wanted.split {
                Some(split) => format!(
                    "has no dialogue in {split}/; --split train or --split all takes others"
                ),
                None => "has no dialogue".to_owned(),
            },
        });
    }
    let most = wanted.limit.unwrap_or(usize::MAX);
    Ok(chosen.into_values().take(most).collect())
}

/// A hash of the texts of these dialogues and of their worlds.
async fn digest(set: &Set, dialogues: &[&Dialogue]) -> Result<String> {
    let mut hash = texts(dialogues.iter().copied());
    let worlds: BTreeSet<(&str, usize)> = (dialogues.iter().enumerate())
        .filter_map(|(index, dialogue)| Some((dialogue.world()?, index)))
        .collect();
    let mut last = None;
    for (name, index) in worlds {
        if last.replace(name) == Some(name) {
            continue;
        }
        feed(&mut hash, name.as_bytes());
        // The state of the world, and its description, which has more: the clock.
        let dialogue = dialogues.get(index);
        if let Some(Ok(world)) = dialogue.map(|dialogue| set.world(dialogue)) {
            feed(&mut hash, &domain::signature(&*world, []).await?.0);
        }
        let own = set.folder.join("worlds").join(format!("{name}.toml"));
        if let Ok(description) = std::fs::read_to_string(own) {
            // The filler text is in the state. Leaving the line out keeps the digests that
            // worlds had before they could choose a filler.
            let lines = description.split_inclusive('\n');
            let kept: String = lines
                .filter(|line| !line.starts_with("filler = "))
                .collect();
            feed(&mut hash, kept.as_bytes());
        }
    }
    Ok(hash.finalize().to_hex().to_string())
}

fn texts<'a>(dialogues: impl Iterator<Item = &'a Dialogue>) -> blake3::Hasher {
    let mut hash = blake3::Hasher::new();
    for dialogue in dialogues {
        feed(&mut hash, dialogue.text.as_bytes());
    }
    hash
}

/// Feeds the length too, so that the boundary between two texts matters.
fn feed(hash: &mut blake3::Hasher, bytes: &[u8]) {
    hash.update(&(bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
