//! What the programs of a dialogue really do: each final program runs in its turn,
//! against a world, and the environment is signed.

use crate::agent::Sandbox;
use crate::dialogue::{Conversation, Outcome, Stack, Turn, Violation};
use crate::domain::{Signature, Signer, World};
use crate::error::Result;
use crate::exec::{Execution, Limits, Seed};
use std::sync::Arc;

/// Runs the programs of dialogues in a box.
#[derive(Clone)]
pub struct Replayer {
    /// The box.
    pub sandbox: Arc<dyn Sandbox>,
    /// What one program may use.
    pub limits: Limits,
    /// Where clock and randomness start.
    pub seed: Seed,
}

/// A replay under way: a dialogue's turns, one after the other, against one world.
pub struct Replay<'a> {
    replayer: &'a Replayer,
    world: Arc<dyn World>,
    /// The canonical state of the world, until a program calls it.
    state: Option<Signer>,
    stack: Stack,
    turns: usize,
}

/// What came of one turn.
#[derive(Debug)]
pub struct Replayed {
    /// The programs that ran, in order.
    pub done: Vec<Done>,
    /// The signature of the turn: of the state after it, and of all its outcomes.
    pub signature: Signature,
}

/// What came of one program.
#[derive(Debug)]
pub struct Done {
    /// The goal.
    pub uid: u32,
    /// Outcome, calls, printed output, time. The outcome has no traceback: a dialogue
    /// keeps none.
    pub execution: Execution,
    /// The signature right after it: of the state, and of the outcomes of the turn so far.
    pub signature: Signature,
}

impl Replayer {
    /// A replayer with the usual limits and seed.
    pub fn new(sandbox: Arc<dyn Sandbox>) -> Self {
        Replayer {
            sandbox,
            limits: Limits::default(),
            seed: Seed::default(),
        }
    }

    /// Starts a replay against a world, which is changed.
    pub fn start(&self, world: Arc<dyn World>) -> Replay<'_> {
        Replay {
            replayer: self,
            world,
            state: None,
            stack: Stack::default(),
            turns: 0,
        }
    }

    /// All turns of a dialogue against a world, which is changed. `Err` inside has the
    /// turn (from 0) whose updates break the status rules, and why.
    ///
    /// # Errors
    /// The sandbox or the world failed.
    pub async fn replay(
        &self,
        conversation: &Conversation,
        world: Arc<dyn World>,
    ) -> Result<Result<Vec<Replayed>, (usize, Vec<Violation>)>> {
        let mut replay = self.start(world);
        let mut turns = Vec::with_capacity(conversation.turns.len());
        for (index, turn) in conversation.turns.iter().enumerate() {
            match replay.turn(turn).await? {
                Ok(done) => turns.push(done),
                Err(violations) => return Ok(Err((index, violations))),
            }
        }
        Ok(Ok(turns))
    }
}

impl Replay<'_> {
    /// The world as it is now.
    pub fn world(&self) -> &Arc<dyn World> {
        &self.world
    }

    /// The stack as it is now, with the outcomes of this replay.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// The signature of the world as it is now, without any outcome.
    ///
    /// # Errors
    /// The world cannot be read.
    pub async fn signature(&mut self) -> Result<Signature> {
        self.sign([]).await
    }

    /// Carries out the next turn: its updates as they are recorded, whatever their
    /// outcome was then. Updates that break the status rules change nothing.
    ///
    /// # Errors
    /// The sandbox or the world failed.
    pub async fn turn(&mut self, turn: &Turn) -> Result<Result<Replayed, Vec<Violation>>> {
        let (stack, execute) = match self.stack.updated(&turn.updates()) {
            Ok(updated) => updated,
            Err(violations) => return Ok(Err(violations)),
        };
        self.stack = stack;
        self.turns += 1;
        let mut done: Vec<Done> = Vec::with_capacity(execute.len());
        for uid in execute {
            let code = self.stack.get(uid).map_or("", |goal| goal.program.code());
            let Replayer {
                sandbox,
                limits,
                seed,
            } = self.replayer;
            let seed = seed.of_program(self.turns, uid);
            let mut execution = sandbox.run(code, &self.world, limits, &seed).await?;
            if let Outcome::Error(error) = &mut execution.outcome {
                error.traceback = None;
            }
            self.stack.attach(uid, execution.outcome.clone());
            let mut calls = execution.calls.iter();
            if calls.any(|call| self.world.writes(&call.operation)) {
                self.state = None;
            }
            let earlier = done.iter().map(|done| &done.execution.outcome);
            let signature = self.sign(earlier.chain([&execution.outcome])).await?;
            done.push(Done {
                uid,
                execution,
                signature,
            });
        }
        let signature = match done.last() {
            Some(last) => last.signature,
            None => self.signature().await?,
        };
        Ok(Ok(Replayed { done, signature }))
    }

    /// The signature now, with these outcomes. What cannot have changed is not read
    /// again: on a server that is every object.
    async fn sign(&mut self, outcomes: impl IntoIterator<Item = &Outcome>) -> Result<Signature> {
        let state = match self.state.take() {
            Some(state) => state,
            None => {
                let mut signer = Signer::new();
                self.world.state(&mut signer).await?;
                signer
            }
        };
        let mut signer = self.state.insert(state).clone();
        for outcome in outcomes {
            signer.outcome(outcome);
        }
        Ok(signer.signature())
    }
}
