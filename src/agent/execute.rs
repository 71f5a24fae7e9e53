//! Running final programs, in a box, against the world.

use super::observe::Watched;
use super::{Agent, Event, Executed, Failure, Observer, Plan, Session, TurnReport};
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::{self, Signature, World};
use crate::error::Result;
use crate::exec::{Engine, Execution, Limits, Seed};
use async_trait::async_trait;
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;

/// Where programs run: what an agent needs of an [`Engine`].
#[async_trait]
pub trait Sandbox: Send + Sync {
    /// Runs one program in a fresh instance against a world.
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
    ) -> Result<Execution>;

    /// Whether the text is Python at all: the syntax error, or nothing.
    async fn check(&self, program: &str) -> Result<Option<ProgramError>>;
}

#[async_trait]
impl Sandbox for Engine {
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
    ) -> Result<Execution> {
        Engine::run(self, program, world, limits, seed).await
    }

    async fn check(&self, program: &str) -> Result<Option<ProgramError>> {
        Engine::check(self, program).await
    }
}

impl Agent {
    /// Runs the program of one goal.
    pub(super) async fn execute(
        &self,
        session: &Session,
        plan: &Plan,
        uid: u32,
        report: &TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<Executed, Failure> {
        observer.event(Event::Started { uid });
        let code = (plan.stack.get(uid)).map_or("", |goal| goal.program.code());
        let seed = self.settings.seed.of_program(session.turns().len(), uid);
        let (seen, mut calls) = unbounded_channel();
        let world = Watched::around(self.world.clone(), seen);
        let mut running = self.sandbox.run(code, &world, &self.settings.limits, &seed);
        let execution = loop {
            tokio::select! {
                biased;
                Some(call) = calls.recv() => call.tell(observer),
                execution = &mut running => break execution,
            }
        };
        while let Ok(call) = calls.try_recv() {
            call.tell(observer);
        }
        let execution = execution.map_err(|error| Failure::Execution { uid, error })?;
        observer.event(Event::Executed {
            uid,
            execution: &execution,
        });
        let earlier = report.executed.iter().map(|done| &done.execution.outcome);
        let signature = self.signature(earlier.chain([&execution.outcome])).await;
        Ok(Executed {
            uid,
            execution,
            signature,
        })
    }

    /// Takes the signature after a turn: the last program's, or where none ran
    /// the state alone.
    pub(super) async fn sign(&self, report: &mut TurnReport) {
        report.signature = match report.executed.last() {
            Some(executed) => executed.signature,
            None => self.signature(std::iter::empty()).await,
        };
    }

    /// The signature, where it is wanted and the state can be read.
    async fn signature<'a>(
        &self,
        outcomes: impl Iterator<Item = &'a Outcome>,
    ) -> Option<Signature> {
        if !self.settings.sign {
            return None;
        }
        domain::signature(&*self.world, outcomes).await.ok()
    }
}
