//! The ground truth of a dialogue, turn by turn, from running its programs in its world.

use crate::dataset::rows::{TurnRow, rows};
use crate::dataset::{Dialogue, Replayer, Set};
use crate::dialogue::{Offer, Transcript};
use crate::domain::{self, World};
use crate::error::{Error, Result};
use crate::retrieval::Excluded;
use std::sync::Arc;

/// A dialogue under test, with the initial state and the true outcome of each turn.
pub struct Truth {
    /// The dialogue's uid.
    pub uid: String,
    /// The recorded dialogue.
    pub transcript: Transcript,
    /// The examples that must not be in its prompts.
    pub excluded: Excluded,
    /// The operations that its turns offer.
    pub offer: Offer,
    /// Its turns.
    pub turns: Vec<TruthTurn>,
}

/// A turn of a [`Truth`].
pub struct TruthTurn {
    /// The turn as the dataset has it.
    pub row: TurnRow,
    /// The world before the turn. Fork it; never change it.
    pub before: Arc<dyn World>,
    /// The signature after the turn, 8 hex digits, also where nothing ran.
    pub signature: String,
    /// The signature of the state alone after the turn.
    pub state: String,
}

impl Truth {
    /// Replays a dialogue of a dataset.
    ///
    /// # Errors
    /// The dialogue breaks a rule, or its programs do not do what it records, so that a score
    /// would be meaningless. Or the sandbox or the world failed.
    pub async fn of(set: &Set, dialogue: &Dialogue, replayer: &Replayer) -> Result<Truth> {
        let wrong = |problem: String| Error::Content {
            path: dialogue.path.clone(),
            problem,
        };
        let rows = rows(&set.folder, std::slice::from_ref(dialogue))?;
        let transcript = &dialogue.transcript;
        let offer = transcript.offer();
        if let Some(unknown) = offer.names().find(|it| set.domain.operation(it).is_none()) {
            return Err(wrong(format!(
                "offers {unknown}, and the domain {} has no such operation",
                set.domain.name
            )));
        }
        let replay = replayer.start(set.world(dialogue)?);
        let mut replay = replay.offering(offer.clone());
        let mut turns = Vec::with_capacity(rows.len());
        for (row, turn) in rows.into_iter().zip(&transcript.turns) {
            let before = fork(&**replay.world())?;
            let replayed = replay.turn(turn).await?.map_err(|violations| {
                let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
                wrong(format!("turn {}: {}", row.turn, reasons.join("; ")))
            })?;
            let signature = replayed.signature.to_string();
            let ran = |uid: u32| replayed.done.iter().any(|done| done.uid == uid);
            if turn
                .goals
                .iter()
                .any(|goal| goal.outcome.is_none() && ran(goal.uid))
            {
                return Err(wrong(format!(
                    "turn {} does not say what came of its program; `dialog2api dataset annotate \
                     --write` writes it",
                    row.turn
                )));
            }
            if let Some(recorded) = row.signature.as_ref().filter(|known| **known != signature) {
                return Err(wrong(format!(
                    "turn {} has the signature {recorded}, and its programs give {signature} \
                     here; `dialog2api dataset check` says what differs, `dialog2api dataset \
                     annotate --write` writes what they do",
                    row.turn
                )));
            }
            let state = domain::signature(&**replay.world(), []).await?;
            turns.push(TruthTurn {
                row,
                before,
                signature,
                state: state.to_string(),
            });
        }
        Ok(Truth {
            uid: transcript.uid.clone(),
            transcript: transcript.clone(),
            excluded: Excluded {
                dialogue: transcript.uid.clone(),
                goal: dialogue.goal().map(str::to_owned),
                ..Excluded::default()
            },
            offer,
            turns,
        })
    }
}

/// A copy of a world.
pub(super) fn fork(world: &dyn World) -> Result<Arc<dyn World>> {
    domain::separate(world).ok_or_else(|| {
        Error::world(format!(
            "{} can not be copied, and every run of a dialogue needs a world of its own",
            world.describe()
        ))
    })
}
