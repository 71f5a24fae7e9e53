//! Runs the programs of a dialogue again: each final program in its turn, in a world whose
//! state is signed after it.

use crate::agent::{Layered, Layers, Sandbox, conduct};
use crate::dialogue::{Offer, Outcome, Stack, Transcript, Turn, Violation};
use crate::domain::{Domain, Signature, Signer, World};
use crate::error::Result;
use crate::exec::{Execution, Limits, Seed};
use crate::plan::{Draft, Effect, effects};
use std::sync::Arc;

/// Runs the programs of dialogues in a sandbox.
#[derive(Clone)]
pub struct Replayer {
    sandbox: Arc<dyn Sandbox>,
    pub(super) domain: Arc<Domain>,
    /// The limits of one program.
    pub limits: Limits,
    /// The time and the random seed that programs see.
    pub seed: Seed,
}

/// A replay in progress: the turns of one dialogue, one after the other, in one world.
pub struct DialogueReplay<'a> {
    replayer: &'a Replayer,
    world: Arc<dyn World>,
    /// The canonical state of the world, kept until a program writes.
    state: Option<Signer>,
    stack: Stack,
    turns: usize,
    offer: Offer,
}

/// The outcome of one turn.
#[derive(Debug)]
pub struct ReplayedTurn {
    /// The programs that ran, in order.
    pub done: Vec<Done>,
    /// The signature of the turn: over the state after it and all outcomes in it.
    pub signature: Signature,
}

/// The outcome of one program.
#[derive(Debug)]
pub struct Done {
    /// The goal.
    pub uid: u32,
    /// Outcome, calls, printed output, time. The outcome has no traceback, because dialogues
    /// record none.
    pub execution: Execution,
    /// The signature after it: over the state and the outcomes of the turn so far.
    pub signature: Signature,
}

impl Replayer {
    /// A replayer with the usual limits and seed.
    pub fn new(sandbox: Arc<dyn Sandbox>, domain: &Arc<Domain>) -> Self {
        Replayer {
            sandbox: conduct::around(domain, sandbox),
            domain: domain.clone(),
            limits: Limits::default(),
            seed: Seed::default(),
        }
    }

    /// The sandbox, which also does what the domain's conduct does after a program.
    pub fn sandbox(&self) -> &Arc<dyn Sandbox> {
        &self.sandbox
    }

    /// Starts a replay against a world, which is changed.
    pub fn start(&self, world: Arc<dyn World>) -> DialogueReplay<'_> {
        DialogueReplay {
            replayer: self,
            world,
            state: None,
            stack: Stack::default(),
            turns: 0,
            offer: Offer::default(),
        }
    }

    /// Replays all turns of a dialogue in `world`, which is changed. The inner `Err` is the
    /// first turn (from 0) that breaks the status rules, with the violations.
    ///
    /// # Errors
    /// The sandbox or the world failed.
    pub async fn replay(
        &self,
        transcript: &Transcript,
        world: Arc<dyn World>,
    ) -> Result<Result<Vec<ReplayedTurn>, (usize, Vec<Violation>)>> {
        let mut replay = self.start(world).offering(transcript.offer());
        let mut turns = Vec::with_capacity(transcript.turns.len());
        for (index, turn) in transcript.turns.iter().enumerate() {
            match replay.turn(turn).await? {
                Ok(done) => turns.push(done),
                Err(violations) => return Ok(Err((index, violations))),
            }
        }
        Ok(Ok(turns))
    }
}

impl DialogueReplay<'_> {
    /// The same replay with the operations that the turns of a dialogue offer. A program that
    /// calls others fails, as it does when it is predicted.
    #[must_use]
    pub fn offering(self, offer: Offer) -> Self {
        DialogueReplay { offer, ..self }
    }

    /// The world as programs of this turn find it.
    fn offered_world(&self) -> Layered {
        let layers = Layers::over(&self.world, &self.replayer.domain).witnessed();
        let layers = match self.offer.in_turn(self.turns) {
            Some(names) => layers.offering(names),
            None => layers,
        };
        layers.build()
    }

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

    /// Replays the next turn. Recorded outcomes are ignored. A turn that breaks the status
    /// rules changes nothing.
    ///
    /// # Errors
    /// The sandbox or the world failed.
    pub async fn turn(&mut self, turn: &Turn) -> Result<Result<ReplayedTurn, Vec<Violation>>> {
        let (stack, execute) = match self.stack.updated(&turn.updates()) {
            Ok(updated) => updated,
            Err(violations) => return Ok(Err(violations)),
        };
        self.stack = stack;
        self.turns += 1;
        let mut done: Vec<Done> = Vec::with_capacity(execute.len());
        for uid in execute {
            let Layered { world, witness, .. } = self.offered_world();
            let recorded = turn.goals.iter().find(|goal| goal.uid == uid);
            if let Some(outcome) = recorded.and_then(|goal| goal.outcome.as_ref()) {
                conduct::recall(&*world, outcome);
            }
            let mut execution = self.run(uid, &world).await?;
            execution.touched = witness.and_then(|witness| witness.touched());
            if let Outcome::Error(error) = &mut execution.outcome {
                error.traceback = None;
            }
            self.stack.attach(uid, execution.outcome.clone());
            let mut calls = execution.calls.iter();
            let keeps = world.slate().is_some();
            if keeps || calls.any(|call| self.replayer.domain.writes(&call.operation)) {
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
        Ok(Ok(ReplayedTurn { done, signature }))
    }

    /// The effects that the program of a goal has when it runs once more, in the world as it is
    /// now. They are only recorded: the world stays as it is. None where it cannot be copied.
    ///
    /// # Errors
    /// The sandbox or the world failed.
    pub async fn again(&self, uid: u32) -> Result<Vec<Effect>> {
        let Ok(draft) = Draft::of(&self.offered_world().world, &self.replayer.domain) else {
            return Ok(Vec::new());
        };
        let world: Arc<dyn World> = draft.clone();
        self.run(uid, &world).await?;
        Ok(effects(&draft.writes()))
    }

    /// Runs the program of a goal in a world.
    async fn run(&self, uid: u32, world: &Arc<dyn World>) -> Result<Execution> {
        let Replayer {
            sandbox,
            limits,
            seed,
            ..
        } = self.replayer;
        let code = self.stack.get(uid).map_or("", |goal| goal.program.code());
        let seed = seed.of_program(self.turns, uid);
        sandbox.run(code, world, limits, &seed).await
    }

    /// The signature of the state and these outcomes. The state is read again only after a
    /// write: on a server, that reads every object.
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
