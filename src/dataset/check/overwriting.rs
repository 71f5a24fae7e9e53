//! Programs that overwrite something are confirmed by the user.

use super::destruction::{not_asked, unconfirmed};
use super::{Check, Checked, Found, Looked, runs};
use crate::dataset::{Done, GoalStep, Replayer, steps};
use crate::dialogue::{Status, Transcript};
use crate::domain::{Calls, Domain, World};
use crate::error::Result;
use crate::exec::CallRecord;
use crate::plan::{Draft, Effect, EffectKind, effects};
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::Arc;

/// A program that changes what was there was a complete draft in an earlier turn, so the user
/// could confirm it. Whether a write overwrites something depends on the world, so the
/// programs run on a draft of it.
pub struct Overwriting;

#[async_trait]
impl Check for Overwriting {
    fn name(&self) -> &'static str {
        "overwriting"
    }

    fn rule(&self) -> &'static str {
        "a program that overwrites something was drafted completely in an earlier turn, and is \
         run as it was confirmed"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        for dialogue in runs::with_plans(checked, &mut found).await? {
            let world = || set.world(dialogue);
            let unasked = unasked(checked.replayer, world, &dialogue.transcript).await?;
            for (turn, uid, problem) in unasked {
                found.on(set, dialogue, turn, uid, problem);
            }
        }
        found.end()
    }
}

/// The programs of a dialogue that overwrote something that the user was not asked about: turn
/// (from 1), goal, and a sentence. `world` opens the world that the dialogue starts from.
///
/// # Errors
/// The sandbox or the world failed.
pub(in crate::dataset) async fn unasked(
    replayer: &Replayer,
    world: impl FnOnce() -> Result<Arc<dyn World>>,
    transcript: &Transcript,
) -> Result<Vec<(usize, u32, String)>> {
    let steps = steps(transcript);
    let steps = steps.iter();
    let candidates: Vec<_> = steps
        .filter(|step| ran_unasked(step, &replayer.domain))
        .collect();
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let changes = changes(replayer, world()?, transcript).await?;
    let of_step = |step: &GoalStep<'_>| {
        let effects = changes.get(&(step.turn, step.record.uid))?;
        let destroyed = effects.iter().find(|effect| destroys(effect))?;
        let problem = not_asked(step, &shown(destroyed))?;
        Some((step.turn, step.record.uid, problem))
    };
    Ok(candidates.into_iter().filter_map(of_step).collect())
}

/// Whether the program of a step may write something, and the user was not asked about it.
/// Programs that the check of destructive calls reports are left out.
pub(super) fn ran_unasked(step: &GoalStep<'_>, domain: &Domain) -> bool {
    let may_write = |program| Calls::of(program, domain).may_write(domain);
    step.record.status == Status::Final
        && not_asked(step, "").is_some()
        && unconfirmed(step, domain).is_none()
        && step.program().is_some_and(may_write)
}

/// The number of writes that a program made.
fn writes(done: &Done, domain: &Domain) -> usize {
    let is_made = |call: &&CallRecord| call.error.is_none() && domain.writes(&call.operation);
    done.execution.calls.iter().filter(is_made).count()
}

/// The changes of each program of a dialogue, by its turn (from 1) and goal. None are known
/// where the state is one value: there every write changes something that was there, and only
/// the domain can say which of its operations need a confirmation.
pub(super) async fn changes(
    replayer: &Replayer,
    world: Arc<dyn World>,
    transcript: &Transcript,
) -> Result<HashMap<(usize, u32), Vec<Effect>>> {
    let (mut changes, domain) = (HashMap::new(), &replayer.domain);
    if world.state_value().is_some() {
        return Ok(changes);
    }
    // A world that cannot be copied has no draft.
    let Ok(draft) = Draft::of(&world, domain) else {
        return Ok(changes);
    };
    let replay = replayer.start(draft.clone());
    let mut replay = replay.offering(transcript.offer());
    let mut earlier = 0;
    for (index, turn) in transcript.turns.iter().enumerate() {
        let Ok(replayed) = replay.turn(turn).await? else {
            break;
        };
        let all = draft.writes();
        for done in &replayed.done {
            let end = earlier + writes(done, domain);
            let own = all.get(earlier..end).unwrap_or_default();
            changes.insert((index + 1, done.uid), effects(own));
            earlier = end;
        }
    }
    Ok(changes)
}

/// Whether something that was there is overwritten or deleted. Settings are left out: most of
/// them have a value from the start, and setting one need not be confirmed.
fn destroys(effect: &Effect) -> bool {
    effect.effect != EffectKind::Create && effect.place.setting().is_none()
}

fn shown(effect: &Effect) -> String {
    let does = match effect.effect {
        EffectKind::Delete => "deletes",
        EffectKind::Create | EffectKind::Overwrite => "overwrites",
    };
    format!("{does} {}", effect.place)
}
