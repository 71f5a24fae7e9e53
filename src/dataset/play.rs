//! Replays one dialogue, and records everything that its turns do.

use super::{Dialogue, Difference, ReplayedTurn, Replayer, compare, initial};
use crate::dialogue::{Goal, Turn};
use crate::domain::{Change, Domain, Signature, World};
use crate::error::Result;
use crate::exec::Execution;
use std::sync::Arc;

/// The result of replaying a dialogue.
pub struct Played {
    /// The signature of the world at the start.
    pub initial: Signature,
    /// How many programs ran.
    pub programs: usize,
    /// The differences from the record.
    pub differences: Vec<Difference>,
    /// The turns that were carried out.
    pub turns: Vec<PlayedTurn>,
}

/// The result of a turn.
pub struct PlayedTurn {
    /// The goals that the turn touched, in their state after it.
    pub goals: Vec<Goal>,
    /// The programs that ran, and the signature.
    pub replayed: ReplayedTurn,
    /// The changes that the programs made to the world.
    pub changes: Vec<Change>,
    /// The differences of this turn from the record.
    pub differences: Vec<Difference>,
}

/// Watches the replay of a dialogue.
pub trait Audience {
    /// It begins, in a world of this signature.
    ///
    /// # Errors
    /// The audience has left.
    fn begin(&mut self, dialogue: &Dialogue, initial: Signature) -> Result<()>;

    /// A turn has ended; `number` counts from 1.
    ///
    /// # Errors
    /// The audience has left.
    fn turn(
        &mut self,
        number: usize,
        turn: &Turn,
        played: &PlayedTurn,
    ) -> impl Future<Output = Result<()>> + Send;

    /// A turn cannot be carried out, so the dialogue ends.
    ///
    /// # Errors
    /// The audience has left.
    fn broken(&mut self, turn: &Turn, why: &Difference) -> Result<()>;
}

/// Nobody watches.
impl Audience for () {
    fn begin(&mut self, _: &Dialogue, _: Signature) -> Result<()> {
        Ok(())
    }
    async fn turn(&mut self, _: usize, _: &Turn, _: &PlayedTurn) -> Result<()> {
        Ok(())
    }
    fn broken(&mut self, _: &Turn, _: &Difference) -> Result<()> {
        Ok(())
    }
}

/// Replays a dialogue on its initial world, and finds the changes that every turn makes.
///
/// # Errors
/// The sandbox or the world failed, or the audience has left.
pub async fn play(
    domain: &Domain,
    replayer: &Replayer,
    dialogue: &Dialogue,
    world: Arc<dyn World>,
    mut audience: impl Audience,
) -> Result<Played> {
    let transcript = &dialogue.transcript;
    let mut replay = replayer.start(world).offering(transcript.offer());
    let (initial, other) = initial(transcript, &mut replay).await?;
    audience.begin(dialogue, initial)?;
    let contents = domain.contents()?;
    let mut content = contents.summary(&**replay.world()).await?;
    let mut played = Played {
        initial,
        programs: 0,
        differences: other.into_iter().collect(),
        turns: Vec::with_capacity(transcript.turns.len()),
    };
    for (number, turn) in (1..).zip(&transcript.turns) {
        let replayed = match replay.turn(turn).await? {
            Ok(replayed) => replayed,
            Err(violations) => {
                let why = Difference::Rules {
                    turn: number,
                    violations,
                };
                audience.broken(turn, &why)?;
                played.differences.push(why);
                break;
            }
        };
        let mut changes = Vec::new();
        if replayed
            .done
            .iter()
            .any(|done| wrote(domain, &done.execution))
        {
            let now = contents.summary(&**replay.world()).await?;
            changes = contents.changes(&content, &now)?;
            content = now;
        }
        let touched = turn.goals.iter();
        let goals = touched.filter_map(|goal| replay.stack().get(goal.uid).cloned());
        let done = PlayedTurn {
            goals: goals.collect(),
            differences: compare(number, turn, &replayed),
            changes,
            replayed,
        };
        audience.turn(number, turn, &done).await?;
        played.programs += done.replayed.done.len();
        played.differences.extend(done.differences.iter().cloned());
        played.turns.push(done);
    }
    Ok(played)
}

/// Whether a program called an operation that can change the world.
fn wrote(domain: &Domain, execution: &Execution) -> bool {
    let mut calls = execution.calls.iter();
    calls.any(|call| domain.writes(&call.operation))
}
