//! Replays of a session: of its writes on a fresh world, or of its programs.

use super::contents::ContentStore;
use super::conversion::{executed_of, writes_of};
use super::entry::{Ending, Entry, ExecutionRecord, Origin};
use super::log::Line;
use super::recorder::Journal;
use super::state::SessionState;
use crate::agent::{Executed, Layers, ProgramTime, Sandbox, conduct};
use crate::dialogue::{Outcome, Stack};
use crate::domain::{self, Domain, World};
use crate::error::{Error, Result};
use crate::exec::{Limits, Seed};
use std::sync::Arc;

/// A program of a session, then and now.
#[derive(Debug, Clone)]
pub struct Rerun {
    /// In which turn.
    pub turn: usize,
    /// Its outcome in the session.
    pub was: Executed,
    /// Its outcome now. `None` if its plan was not applied completely: then only the writes
    /// of the session are made.
    pub now: Option<Executed>,
}

impl Rerun {
    /// The differences, in words.
    pub fn differences(&self) -> Vec<&'static str> {
        let Some(now) = &self.now else {
            return Vec::new();
        };
        let mut differences = Vec::new();
        let is_same = match (&self.was.execution.outcome, &now.execution.outcome) {
            (Outcome::Result(was), Outcome::Result(now)) => was == now,
            // Messages may hold details that differ between servers.
            (Outcome::Error(was), Outcome::Error(now)) => was.error == now.error,
            _ => false,
        };
        if !is_same {
            differences.push("the outcome");
        }
        if self.was.signature.is_some() && self.was.signature != now.signature {
            differences.push("the signature");
        }
        differences
    }
}

impl Journal {
    /// Repeats every write of the session, in order, in a world in the session's first state:
    /// an embedded world that ended with its process. Returns the number of writes.
    ///
    /// # Errors
    /// An error if the world refuses a write, which means that it started differently, or if
    /// a content is missing or damaged.
    pub async fn rebuild(&self, world: &dyn World) -> Result<usize> {
        let state = self.state();
        for ((plan, number), now) in state.steps.iter().zip(&state.step_times) {
            if let Some(now) = now {
                world.hold_time(*now);
            }
            make(&state, *plan, *number, self.contents(), world).await?;
        }
        Ok(state.steps.len())
    }
}

/// Adds the policy with this text to the layers of a world.
pub type Guarding<'a> = &'a (dyn Fn(&str, Layers) -> Result<Layers> + Sync);

/// The setting in which the programs of a session run again.
pub struct Replaying<'a> {
    /// A world in the session's first state. The replay changes it.
    pub world: Arc<dyn World>,
    /// Its domain.
    pub domain: &'a Arc<Domain>,
    /// Adds the policy with this text to the layers. Called only if a policy applied.
    pub guard: Guarding<'a>,
    /// The contents of the journal.
    pub contents: &'a ContentStore,
    /// The sandbox.
    pub sandbox: &'a dyn Sandbox,
    /// The limits of one program.
    pub limits: Limits,
    /// The seed of the randomness, and of the clock in turns that have no time in the journal.
    pub seed: Seed,
}

/// The state of a replay between two lines.
#[derive(Default)]
struct Way {
    state: SessionState,
    stack: Stack,
    /// Writes of plans whose end was not read yet.
    owed: Vec<(u64, usize)>,
    reruns: Vec<Rerun>,
}

impl Replaying<'_> {
    /// Runs the programs of these lines again.
    ///
    /// # Errors
    /// The sandbox or the world failed, or the lines are not of one session.
    pub async fn run(&self, lines: &[Line]) -> Result<Vec<Rerun>> {
        let mut way = Way::default();
        for line in lines {
            let wrong = |problem: String| Error::usage(format!("line {}: {problem}", line.number));
            way.state.take(line.at, line.entry.clone()).map_err(wrong)?;
            match &line.entry {
                Entry::Said { .. } => self.settle(&mut way).await?,
                Entry::Predicted { .. } => {
                    let broken = || wrong("the programs break the status rules".to_owned());
                    way.stack = predicted(&way.state).ok_or_else(broken)?;
                }
                Entry::Done { plan, number, .. } => {
                    let known = way.state.plan(*plan).map(|known| known.planned.origin);
                    if let Some(Origin::Undo { .. }) = known {
                        self.settle(&mut way).await?;
                    }
                    way.owed.push((*plan, *number));
                    if let Some(Origin::Undo { .. }) = known {
                        self.settle(&mut way).await?;
                    }
                }
                Entry::Executed(ran) => self.executed(ran, &mut way).await?,
                // After an undo, whose writes are made by now.
                Entry::Kept { kept, .. } if way.state.unfinished.is_none() => {
                    if let Some(slate) = self.world.slate() {
                        slate.keep(kept.clone());
                    }
                }
                _ => {}
            }
        }
        self.settle(&mut way).await?;
        Ok(way.reruns)
    }

    /// Replays a program that ended: runs it again, or repeats only the writes that were made
    /// if its plan was not carried out completely.
    async fn executed(&self, ran: &ExecutionRecord, way: &mut Way) -> Result<()> {
        let plan = way.state.plan_of(ran.turn, ran.uid);
        let plan_is_there = plan.is_some();
        let is_whole = plan.is_some_and(|known| matches!(known.end, Some((Ending::Whole, _))));
        if is_whole {
            let id = plan.map(|known| known.planned.id);
            way.owed.retain(|(plan, _)| Some(*plan) != id);
        }
        self.settle(way).await?;
        let was = executed_of(ran);
        let now = match (plan_is_there, is_whole) {
            (true, true) => Some(self.again(ran, way, &self.world).await?),
            (true, false) => None,
            // It only read, or it failed and so changed nothing.
            (false, _) => {
                let aside = self.world.fork().ok_or_else(|| {
                    let world = self.world.describe();
                    Error::usage(format!(
                        "{world} cannot be copied, so no session is replayed there"
                    ))
                })?;
                Some(self.again(ran, way, &aside).await?)
            }
        };
        // A plan that was declined left other notes than its program does when it runs again.
        if let (Some((kept, _)), Some(slate)) = (&way.state.kept, self.world.slate()) {
            slate.keep(kept.clone());
        }
        way.reruns.push(Rerun {
            turn: ran.turn,
            was,
            now,
        });
        Ok(())
    }

    async fn again(
        &self,
        ran: &ExecutionRecord,
        way: &Way,
        in_world: &Arc<dyn World>,
    ) -> Result<Executed> {
        let code = way
            .stack
            .get(ran.uid)
            .map_or("", |goal| goal.program.code());
        let seed = Seed {
            now: way.state.now.unwrap_or(self.seed.now),
            ..self.seed
        };
        let seed = seed.of_program(ran.turn, ran.uid);
        let time = match way.state.now {
            Some(now) => {
                in_world.hold_time(now);
                ProgramTime::OfWorld
            }
            None => ProgramTime::OfSeed,
        };
        let layers = Layers::over(in_world, self.domain).timed(time);
        let layers = match way.state.policy.as_str() {
            "" => layers,
            policy => (self.guard)(policy, layers)?,
        };
        let world = layers.build().world;
        conduct::recall(&*world, &Outcome::from(&ran.outcome));
        let running = self.sandbox.run(code, &world, &self.limits, &seed);
        let execution = running.await?;
        let mut signature = None;
        if ran.signature.is_some() {
            let earlier = way.reruns.iter().filter(|rerun| rerun.turn == ran.turn);
            let earlier = earlier.map(|rerun| {
                let done = rerun.now.as_ref().unwrap_or(&rerun.was);
                &done.execution.outcome
            });
            let outcomes = earlier.chain([&execution.outcome]);
            // Of a program that ran aside only what its conduct keeps counts.
            if let (Some(aside), Some(slate)) = (in_world.slate(), self.world.slate()) {
                slate.keep((*aside.kept()).clone());
            }
            signature = Some(domain::signature(&*self.world, outcomes).await?);
        }
        Ok(Executed {
            uid: ran.uid,
            execution,
            signature,
        })
    }

    /// Makes the writes of plans that did not end.
    async fn settle(&self, way: &mut Way) -> Result<()> {
        if let Some(now) = way.state.now {
            self.world.hold_time(now);
        }
        for (plan, number) in std::mem::take(&mut way.owed) {
            make(&way.state, plan, number, self.contents, &*self.world).await?;
        }
        Ok(())
    }
}

/// The stack with the programs of the turn under way.
fn predicted(state: &SessionState) -> Option<Stack> {
    let updates = state.unfinished.as_ref()?.updates.as_ref()?;
    let session = state.session().ok()?;
    Some(session.stack().updated(updates).ok()?.0)
}

/// Makes one write of a plan.
async fn make(
    state: &SessionState,
    plan: u64,
    number: usize,
    contents: &ContentStore,
    world: &dyn World,
) -> Result<()> {
    let known = state.plan(plan).map(|known| &known.planned.writes);
    let written = known.and_then(|writes| writes.get(number..=number));
    for write in writes_of(written.unwrap_or_default(), contents)? {
        if let Err(refusal) = world.repeat(&write.operation, &write.params).await? {
            return Err(Error::world(format!(
                "the session made a write ({}) that {} refuses with {}: it is not the world \
                 that the session started from",
                write.operation,
                world.describe(),
                refusal.code
            )));
        }
    }
    Ok(())
}
