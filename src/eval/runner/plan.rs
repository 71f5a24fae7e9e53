//! What a run consists of, decided before anything is asked.

use super::truth::Truth;
use crate::dataset::{Dialogue, Replayer, Set, Split};
use crate::dialogue::Conversation;
use crate::domain;
use crate::error::{Error, Result};
use crate::eval::log::{self, DatasetId, Mode, Run, RunSettings, Shard};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is wanted of a run, beside the dataset.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Who speaks for the past.
    pub mode: Mode,
    /// How the model is asked.
    pub settings: RunSettings,
    /// Which part of the dataset; all of it where there is none.
    pub split: Option<Split>,
    /// How often every dialogue is run, from 1.
    pub epochs: u32,
    /// At most so many dialogues, the first in the order of their uids.
    pub limit: Option<usize>,
    /// Which part of these dialogues.
    pub shard: Option<Shard>,
}

/// A run before it begins: what is written into `run.json`, and the dialogues with their
/// truth, in the order of their uids.
pub struct Plan {
    /// Everything that the figures depend on.
    pub run: Run,
    /// The dialogues of this shard.
    pub truths: Vec<Arc<Truth>>,
}

impl Plan {
    /// Chooses the dialogues, and replays their truth.
    ///
    /// # Errors
    /// There is nothing to run, or a dialogue is not in order: then which, and why.
    pub async fn new(
        set: &Set,
        examples: &[Dialogue],
        model: &str,
        wanted: Wanted,
        replayer: &Replayer,
    ) -> Result<Plan> {
        if let Some((path, problem)) = set.unread.first() {
            return Err(Error::Content {
                path: path.clone(),
                problem: problem.clone(),
            });
        }
        let chosen = choose(set, &wanted)?;
        let dataset = DatasetId {
            split: wanted.split,
            dialogues: u32::try_from(chosen.len()).unwrap_or(u32::MAX),
            digest: digest(set, &chosen).await?,
            examples_digest: texts(examples.iter()).finalize().to_hex().to_string(),
        };
        let mut truths = Vec::new();
        for (place, dialogue) in (1..).zip(&chosen) {
            if wanted.shard.is_none_or(|shard| shard.has(place)) {
                truths.push(Arc::new(Truth::of(set, dialogue, replayer).await?));
            }
        }
        if truths.is_empty() {
            return Err(Error::Usage(format!(
                "this shard has no dialogue, since there are only {}; use fewer shards",
                chosen.len()
            )));
        }
        Ok(Plan {
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

    /// How many turns the run has, over all its dialogues and epochs.
    pub fn turns(&self) -> usize {
        let turns: usize = self.truths.iter().map(|truth| truth.turns.len()).sum();
        turns * self.run.epochs as usize
    }
}

/// The dialogues that examples are retrieved from: the training part of the dataset.
pub fn training(set: &Set) -> Vec<Dialogue> {
    let is_training = |dialogue: &&Dialogue| dialogue.split == Some(Split::Train);
    set.dialogues.iter().filter(is_training).cloned().collect()
}

/// What was said and done in dialogues.
pub fn conversations(dialogues: &[Dialogue]) -> Vec<Conversation> {
    let conversations = dialogues.iter().map(|dialogue| &dialogue.conversation);
    conversations.cloned().collect()
}

/// The dialogues of the whole run, in the order of their uids.
fn choose<'a>(set: &'a Set, wanted: &Wanted) -> Result<Vec<&'a Dialogue>> {
    let mut chosen: BTreeMap<&str, &Dialogue> = BTreeMap::new();
    for dialogue in &set.dialogues {
        if wanted.split.is_some() && dialogue.split != wanted.split {
            continue;
        }
        if let Some(other) = chosen.insert(&dialogue.conversation.uid, dialogue) {
            return Err(Error::Content {
                path: dialogue.path.clone(),
                problem: format!(
                    "{} has the uid {:?} too; rename one of them",
                    other.path.display(),
                    dialogue.conversation.uid
                ),
            });
        }
    }
    if chosen.is_empty() {
        return Err(Error::Content {
            path: set.folder.clone(),
            problem: match wanted.split {
                Some(split) => format!("has no dialogue in {split}/"),
                None => "has no dialogue".to_owned(),
            },
        });
    }
    let most = wanted.limit.unwrap_or(usize::MAX);
    Ok(chosen.into_values().take(most).collect())
}

/// A hash of the texts of these dialogues and of what their worlds are.
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
        // The state of a world, and its description for what is not in the state: the clock.
        let dialogue = dialogues.get(index);
        if let Some(Ok(world)) = dialogue.map(|dialogue| set.world(dialogue)) {
            feed(&mut hash, &domain::signature(&*world, []).await?.0);
        }
        let own = set.folder.join("worlds").join(format!("{name}.toml"));
        if let Ok(description) = std::fs::read(own) {
            feed(&mut hash, &description);
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

/// Lengths keep two texts from being taken for one.
fn feed(hash: &mut blake3::Hasher, bytes: &[u8]) {
    hash.update(&(bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
