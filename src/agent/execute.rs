//! Execution: running final programs in the sandbox, against the world.

use super::host_errors;
use super::layers::{Layers, ProgramTime};
use super::observe::Seen;
use super::oversee::{Overseen, ended};
use super::plain_yes::is_plain_yes;
use super::{
    Agent, Executed, Failure, Known, Now, Observer, Prediction, Session, TurnEvent, TurnReport,
};
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::{self, Costly, Signature, World};
use crate::error::Result;
use crate::exec::{Engine, Execution, Limits, Sandbox, Seed};
use crate::plan::Plan;
use crate::policy::AskAbove;
use async_trait::async_trait;
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;

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

/// A program that is about to run.
pub(super) struct Program<'a> {
    /// The turn, from 1.
    pub turn: usize,
    /// Its goal.
    pub uid: u32,
    pub code: &'a str,
    pub seed: Seed,
    /// Whether it has the time of the seed alone.
    pub is_timeless: bool,
    /// Whether the user's words of this turn are a plain yes.
    pub is_after_yes: bool,
    /// What was shown of its draft before these words.
    pub proposed: Option<Plan>,
}

impl Agent {
    /// Runs the program of one goal: on the world itself, or with an overseer on a draft
    /// first. The outcome is added to the report and to the session.
    pub(super) async fn execute(
        &self,
        session: &mut Session,
        prediction: &Prediction,
        uid: u32,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        observer.event(TurnEvent::Started { uid });
        let turn = session.turns().len();
        let program = Program {
            turn,
            uid,
            code: (prediction.stack.get(uid)).map_or("", |goal| goal.program.code()),
            seed: self.seed(session, uid),
            is_timeless: session.now() == Now::Unknown,
            is_after_yes: is_plain_yes(session.user()),
            proposed: session.take_proposal(uid),
        };
        let overseen = self.overseer.as_deref().map(|overseer| Overseen {
            agent: self,
            overseer,
            program: &program,
        });
        let known = match &overseen {
            Some(overseen) => overseen.overseer.earlier(turn, uid).await,
            None => Ok(Known::Nothing),
        };
        let failed = |error| Failure::Execution {
            uid,
            may_have_written: true,
            error,
        };
        let execution = match (&overseen, known.map_err(Failure::Record)?) {
            // It has the signature of the world as it was then.
            (_, Known::Executed(executed)) => {
                keep(session, prediction, executed, report, observer);
                return self.note_executed(turn, report).await;
            }
            (Some(overseen), Known::Begun { plan, earlier }) => overseen
                .finish(&plan, earlier, observer)
                .await
                .map_err(failed),
            (Some(_), Known::Ended { plan, touched, why }) => Ok(ended(&plan, touched, why)),
            (Some(overseen), Known::Nothing) => overseen.run(observer).await,
            (None, _) => (self.run(&program, &self.world, observer).await).map_err(failed),
        };
        let execution = execution?;
        report.exchanges.extend(self.asking.exchanges());
        let settled = self.settle(turn, execution).await;
        let execution = settled.map_err(Failure::Record)?;
        let executed = Executed {
            uid,
            execution,
            signature: None,
        };
        // The outcome is kept before the signature is read: on a server that takes long, and
        // the user may end the turn meanwhile.
        keep(session, prediction, executed, report, observer);
        let outcomes = report.executed.iter().map(|done| &done.execution.outcome);
        let signature = self.signature(outcomes).await;
        if let (Some(signature), Some(executed)) = (signature, report.executed.last_mut()) {
            executed.signature = Some(signature);
            session.sign(uid, signature);
        }
        self.note_executed(turn, report).await
    }

    /// Tells the overseer of the last program that ended.
    async fn note_executed(&self, turn: usize, report: &TurnReport) -> Result<(), Failure> {
        if let (Some(overseer), Some(executed)) = (&self.overseer, report.executed.last()) {
            let noted = overseer.executed(turn, executed).await;
            noted.map_err(Failure::Record)?;
        }
        Ok(())
    }

    /// Runs a program on a draft. The inner error says that it was stopped there, because it
    /// would cost more than `most`.
    pub(super) async fn run_within(
        &self,
        program: &Program<'_>,
        draft: &Arc<dyn World>,
        most: AskAbove,
        observer: &mut dyn Observer,
    ) -> Result<std::result::Result<Execution, Costly>> {
        let layers = self.layers(program, draft).within(most, true);
        let (ran, costly) = self.run_in(program, layers, observer).await;
        match costly {
            Some(costly) => Ok(Err(costly)),
            None => ran.map(Ok),
        }
    }

    /// Runs a program on a world, and reports its calls while it runs.
    pub(super) async fn run(
        &self,
        program: &Program<'_>,
        world: &Arc<dyn World>,
        observer: &mut dyn Observer,
    ) -> Result<Execution> {
        let layers = self.layers(program, world);
        self.run_in(program, layers, observer).await.0
    }

    /// The layers between a program and what it runs on.
    fn layers(&self, program: &Program<'_>, world: &Arc<dyn World>) -> Layers {
        let time = match program.is_timeless {
            true => ProgramTime::OfSeed,
            false => ProgramTime::OfWorld,
        };
        Layers::of_turn(world, &self.domain, self.settings.policy.clone()).timed(time)
    }

    /// Runs a program, and says at which cost it was stopped, if it was.
    async fn run_in(
        &self,
        program: &Program<'_>,
        layers: Layers,
        observer: &mut dyn Observer,
    ) -> (Result<Execution>, Option<Costly>) {
        let (seen, mut calls) = unbounded_channel();
        let layered = layers.told(seen).build();
        let limits = &self.settings.limits;
        let sandbox = self.conducted();
        let mut running = sandbox.run(program.code, &layered.world, limits, &program.seed);
        let mut hear = |call: Seen| call.tell(observer);
        let execution = loop {
            tokio::select! {
                biased;
                Some(call) = calls.recv() => hear(call),
                execution = &mut running => break execution,
            }
        };
        while let Ok(call) = calls.try_recv() {
            hear(call);
        }
        let costly = layered.allowance.and_then(|allowance| allowance.costly());
        let unread = layered
            .listings
            .map_or(Vec::new(), |listings| listings.unread());
        let touched = layered.witness.and_then(|witness| witness.touched());
        let execution = execution.map(|execution| Execution {
            unread,
            touched,
            ..host_errors::marked(execution)
        });
        (execution, costly)
    }

    /// The world behind a guard that enforces the policy, if there is one.
    pub(super) fn guarded(&self, world: Arc<dyn World>) -> Arc<dyn World> {
        let layers = Layers::over(&world, &self.domain);
        layers.held_to(self.settings.policy.clone()).build().world
    }

    /// Takes the signature after a turn: that of the last program, or of the state alone if
    /// none ran.
    pub(super) async fn sign(&self, report: &mut TurnReport) {
        report.signature = match report.executed.last() {
            Some(executed) => executed.signature,
            None => self.signature(std::iter::empty()).await,
        };
    }

    /// The signature, if it is wanted and the state can be read.
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

/// Adds the outcome of a program to the report and to the session, and tells the observer.
fn keep(
    session: &mut Session,
    prediction: &Prediction,
    executed: Executed,
    report: &mut TurnReport,
    observer: &mut dyn Observer,
) {
    observer.event(TurnEvent::Executed {
        uid: executed.uid,
        execution: &executed.execution,
    });
    report.executed.push(executed);
    session.settle(prediction, &report.executed);
}
