//! What a program makes may be there already.

use super::overwriting::ran_unasked;
use super::{Check, Checked, Found, Looked, runs};
use crate::dataset::{Replayer, steps};
use crate::dialogue::Transcript;
use crate::domain::World;
use crate::error::Result;
use crate::plan::{Effect, EffectKind};
use async_trait::async_trait;
use std::sync::Arc;

/// A program that makes something new does not overwrite what is there. In the dialogue's world
/// nothing is there; once the program has run, there is.
pub struct RunAgain;

#[async_trait]
impl Check for RunAgain {
    fn name(&self) -> &'static str {
        "run again"
    }

    fn rule(&self) -> &'static str {
        "a program that the user was not asked about overwrites nothing when it runs once more"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        for dialogue in runs::with_plans(checked, &mut found).await? {
            let world = || set.world(dialogue);
            let overwritten = overwritten(checked.replayer, world, &dialogue.transcript).await?;
            for (turn, uid, problem) in overwritten {
                found.on(set, dialogue, turn, uid, problem);
            }
        }
        found.end()
    }
}

/// The programs of a dialogue that overwrite something when they run once more, without a
/// question to the user: turn (from 1), goal, and a sentence.
async fn overwritten(
    replayer: &Replayer,
    world: impl FnOnce() -> Result<Arc<dyn World>>,
    transcript: &Transcript,
) -> Result<Vec<(usize, u32, String)>> {
    let steps = steps(transcript);
    let unasked: Vec<(usize, u32)> = (steps.iter())
        .filter(|step| ran_unasked(step, &replayer.domain))
        .map(|step| (step.turn, step.record.uid))
        .collect();
    let mut found = Vec::new();
    let Some((last, _)) = unasked.last() else {
        return Ok(found);
    };
    let world = world()?;
    // There every write changes something that was there.
    if world.state_value().is_some() {
        return Ok(found);
    }
    let mut replay = replayer.start(world).offering(transcript.offer());
    for (index, turn) in transcript.turns.iter().enumerate().take(*last) {
        if replay.turn(turn).await?.is_err() {
            break;
        }
        for (_, uid) in unasked.iter().filter(|(turn, _)| *turn == index + 1) {
            let effects = replay.again(*uid).await?;
            let overwrites = |effect: &&Effect| {
                effect.effect == EffectKind::Overwrite && effect.place.setting().is_none()
            };
            if let Some(effect) = effects.iter().find(overwrites) {
                let problem = format!(
                    "overwrites {} if it is there already, as it is when the program runs once \
                     more; refuse that in the call, or look first",
                    effect.place
                );
                found.push((index + 1, *uid, problem));
            }
        }
    }
    Ok(found)
}
