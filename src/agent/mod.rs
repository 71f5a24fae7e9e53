//! The loop of a turn: predict, check, execute in order, attach outcomes, respond.
//!
//! [`Agent::turn`] holds its control flow. Nothing that a model, a program or a
//! user does ends a dialogue: a turn that fails leaves the stack as it was and
//! says why in one sentence.

mod ask;
mod doubt;
mod execute;
mod invented;
mod meant;
mod misuse;
mod needless;
mod observe;
mod oversee;
mod own_word;
mod predict;
mod question;
mod report;
mod respond;
mod restore;
mod session;
mod wording;

pub use execute::Sandbox;
pub use observe::{Event, Observer, Unwatched};
pub use oversee::{Decision, Known, Overseer};
use predict::Prediction;
pub use question::DEFAULT_BUDGET;
pub use report::{Exchange, Executed, Failure, TurnReport};
pub use restore::Past;
pub use session::{GREETING, Session};

use crate::domain::{Domain, World};
use crate::error::Result;
use crate::exec::{Limits, Seed};
use crate::llm::Model;
use crate::plan::Keeping;
use crate::policy::Policy;
use crate::prompts::{Form, PromptSetting, Prompts};
use crate::retrieval::{ExamplePool, Selection};
use std::sync::Arc;

/// What turns utterances into effects: a model, a box for programs, and a world.
pub struct Agent {
    model: Arc<dyn Model>,
    sandbox: Arc<dyn Sandbox>,
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    pool: Arc<ExamplePool>,
    prompts: Arc<Prompts>,
    settings: Settings,
    overseer: Option<Arc<dyn Overseer>>,
}

/// How an [`Agent`] works.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// What a prompt has beside the turn.
    pub prompt: PromptSetting,
    /// The examples in a prompt.
    pub examples: Selection,
    /// 0 is greedy decoding.
    pub temperature: f32,
    /// The most that is generated for the programs of a turn, in tokens.
    pub program_tokens: u32,
    /// The most that is generated for a response, in tokens.
    pub response_tokens: u32,
    /// The most that a model is shown of one outcome, in bytes.
    pub shown_bytes: usize,
    /// What one program may use.
    pub limits: Limits,
    /// In which form the model is asked.
    pub form: Form,
    /// The most that a prompt may take, in tokens (estimated at three bytes each). Old
    /// outcomes, then old programs, then examples are left out until it fits. By default it
    /// is what the model's context window leaves beside an answer
    /// ([`Model::window`]), or [`DEFAULT_BUDGET`] if that is not known.
    pub budget: Option<u32>,
    /// Whether the model is held to the grammar of the exchange format. Its server has to
    /// take one: see [`Request::grammar`](crate::llm::Request::grammar).
    pub grammar: bool,
    /// Where the clock and the randomness of programs start from.
    pub seed: Seed,
    /// Where the sampling of the model starts from.
    pub sampling: u64,
    /// What is kept of what a planned write destroys.
    pub keeping: Keeping,
    /// Whether the environment's signature is taken after every program and
    /// turn. It reads the whole state, which is dear on a remote server.
    pub sign: bool,
    /// What programs may do; without one whatever the world lets them.
    pub policy: Option<Arc<Policy>>,
    /// Whether what a reply states is looked up ([`crate::claims`]): one that states what
    /// nothing supports is asked for once more, and what is left of that is in
    /// [`TurnReport::unsupported`]. So are the names in programs: of one that nobody gave
    /// the model hears once. A person is helped by it; what is measured of a model is what it
    /// says first.
    pub validate: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            prompt: PromptSetting::default(),
            examples: Selection::default(),
            temperature: 0.0,
            program_tokens: 1024,
            response_tokens: 1024,
            shown_bytes: 4000,
            limits: Limits::default(),
            form: Form::default(),
            budget: None,
            grammar: false,
            seed: Seed::default(),
            sampling: 0,
            keeping: Keeping::default(),
            sign: true,
            policy: None,
            validate: false,
        }
    }
}

impl Agent {
    /// An agent for one world. Fails only when a prompt template is broken.
    pub fn new(
        model: Arc<dyn Model>,
        sandbox: Arc<dyn Sandbox>,
        world: Arc<dyn World>,
        domain: &Arc<Domain>,
        pool: Arc<ExamplePool>,
        settings: Settings,
    ) -> Result<Self> {
        Ok(Agent {
            prompts: Arc::new(Prompts::built_in(domain)?),
            model,
            sandbox,
            world,
            domain: domain.clone(),
            pool,
            settings,
            overseer: None,
        })
    }

    /// The same agent, whose programs run on a draft of the world first, and write to the
    /// world only what someone agrees to.
    #[must_use]
    pub fn overseen_by(self, overseer: Arc<dyn Overseer>) -> Agent {
        Agent {
            overseer: Some(overseer),
            ..self
        }
    }

    /// An agent that works as this one, with another model, in another world. Costs next
    /// to nothing.
    #[must_use]
    pub fn with(&self, model: Arc<dyn Model>, world: Arc<dyn World>, sampling: u64) -> Agent {
        Agent {
            model,
            world,
            sandbox: self.sandbox.clone(),
            domain: self.domain.clone(),
            pool: self.pool.clone(),
            prompts: self.prompts.clone(),
            overseer: self.overseer.clone(),
            settings: Settings {
                sampling,
                ..self.settings.clone()
            },
        }
    }

    /// The world that programs act on.
    pub fn world(&self) -> &Arc<dyn World> {
        &self.world
    }

    /// Holds programs to another policy from now on.
    pub fn set_policy(&mut self, policy: Arc<Policy>) {
        self.settings.policy = Some(policy);
    }

    /// How the agent works.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Carries out one turn of a dialogue: the user's utterance becomes
    /// programs, the final ones run, and the agent answers.
    ///
    /// Where someone oversees the agent, every step is written down before the next.
    ///
    /// The session is up to date after every step, so dropping the future
    /// half-way (the user interrupts) loses no outcome.
    pub async fn turn(
        &self,
        session: &mut Session,
        user: &str,
        observer: &mut dyn Observer,
    ) -> TurnReport {
        let mut report = TurnReport::default();
        session.begin(user);
        if let Err(failure) = self.note_said(session, user).await {
            return self.give_up(session, report, failure).await;
        }

        // Predict, and check the prediction. Nothing has happened until it is whole.
        let mut question = match self.question(session, observer) {
            Ok(question) => question,
            Err(failure) => return self.give_up(session, report, failure).await,
        };
        let prediction = self.predict(session, &mut question, &mut report, observer);
        let prediction = match prediction.await {
            Ok(prediction) => prediction,
            Err(failure) => return self.give_up(session, report, failure).await,
        };
        report.updates.clone_from(&prediction.updates);
        if let Err(failure) = self.note_predicted(session, &prediction).await {
            return self.give_up(session, report, failure).await;
        }
        observer.event(Event::Predicted(&prediction.stack));
        session.settle(&prediction, &[]);

        // Execute in the order given; every outcome is attached as it comes.
        for uid in &prediction.execute {
            match self
                .execute(session, &prediction, *uid, &report, observer)
                .await
            {
                Ok(executed) => report.executed.push(executed),
                Err(failure) => return self.give_up(session, report, failure).await,
            }
            session.settle(&prediction, &report.executed);
        }
        self.sign(&mut report).await;

        // Respond. What happened is said even if the model can not say it.
        let reply = self.respond(session, &mut question, &mut report, observer);
        match reply.await {
            Ok(reply) => report.reply = reply,
            Err(failure) => report.fall_back(session, failure),
        }
        session.finish(&report);
        self.note_replied(session, report).await
    }

    /// Ends a turn that could not be carried out.
    async fn give_up(
        &self,
        session: &mut Session,
        mut report: TurnReport,
        failure: Failure,
    ) -> TurnReport {
        self.sign(&mut report).await;
        let report = session.give_up(report, failure);
        self.note_replied(session, report).await
    }
}
