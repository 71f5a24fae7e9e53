//! The agent: it turns an utterance into programs, runs them and replies.
//!
//! [`Agent::turn`] is the whole turn: predict the programs, check them, execute them in
//! order, attach their outcomes, respond. The phases that help a model along are lists
//! ([`aids`]), and [`Settings::assist`] switches their members. Nothing that a model, a
//! program or a user does ends a dialogue: a turn that fails leaves the stack as it was and
//! gives the reason in one sentence.

mod ask;
mod assist;
pub mod conduct;
mod confirmation;
mod dry_run;
mod execute;
mod given;
mod host_errors;
mod layers;
mod lint;
mod normalize;
mod observe;
mod oversee;
mod plain_reply;
mod plain_yes;
mod predict;
mod proposal;
mod question;
mod rehearsal;
mod reply_check;
mod report;
mod respond;
mod restore;
mod session;
mod stepwise;
mod time;
mod unread;

pub use assist::{Aided, Assist, aids};
pub use conduct::{Asks, Conduct, Following, Prompting, Situation, TakenBack, Taught};
pub use dialog2api_core::exec::Sandbox;
pub use layers::{Layered, Layers, ProgramTime};
pub use observe::{Observer, TurnEvent, Unwatched};
pub use oversee::{Decided, DecidedBy, Decision, Known, Left, Overseer};
use predict::Prediction;
pub use proposal::Proposal;
pub use question::DEFAULT_BUDGET;
pub use report::{Exchange, Executed, Failure, TurnReport};
pub use restore::Past;
pub use session::{GREETING, Now, Session};
pub use stepwise::UNFINISHED;
pub use unread::WatchedListings;

use crate::domain::{Domain, World};
use crate::error::Result;
use crate::exec::{Limits, Seed};
use crate::llm::Model;
use crate::plan::Keeping;
use crate::policy::Policy;
use crate::prompts::{Form, PromptSetting, Prompts, Protocol};
use crate::retrieval::{ExamplePool, Selection};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Turns utterances into effects, with a model, a sandbox for programs, and a world.
///
/// ```no_run
/// # use std::sync::Arc;
/// # use dialog2api::{Result, domain::World, exec::Engine, llm::Model};
/// use dialog2api::agent::{Agent, Session, Settings, Unwatched};
/// use dialog2api::domain::s3::S3;
/// use dialog2api::retrieval::ExamplePool;
///
/// # async fn converse(model: Arc<dyn Model>, engine: Engine, world: Arc<dyn World>) -> Result<()> {
/// let pool = Arc::new(ExamplePool::built_in(&S3)?);
/// let agent = Agent::new(model, Arc::new(engine), world, &S3, pool, Settings::default())?;
/// let mut session = Session::new();
/// let report = agent.turn(&mut session, "which buckets are there?", &mut Unwatched).await;
/// println!("{}", report.reply);
/// # Ok(())
/// # }
/// ```
pub struct Agent {
    model: Arc<dyn Model>,
    sandbox: Arc<dyn Sandbox>,
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    pool: Arc<ExamplePool>,
    prompts: Arc<Prompts>,
    settings: Settings,
    overseer: Option<Arc<dyn Overseer>>,
    asking: Arc<conduct::RecordedAsks>,
}

/// How an [`Agent`] works.
///
/// ```
/// use dialog2api::agent::{Assist, Settings};
///
/// let settings = Settings {
///     budget: Some(8_000),
///     assist: Assist::all(),
///     ..Settings::default()
/// };
/// assert_eq!(settings.temperature, 0.0);
/// ```
#[derive(Debug, Clone)]
pub struct Settings {
    /// The parts of a prompt beside the turn: API document, examples, or both.
    pub prompt: PromptSetting,
    /// Which examples stand in a prompt, and how many.
    pub examples: Selection,
    /// The sampling temperature; 0 is greedy decoding.
    pub temperature: f32,
    /// The most tokens that are generated for the programs of a turn.
    pub program_tokens: u32,
    /// The most tokens that are generated for a response.
    pub response_tokens: u32,
    /// The most bytes of one outcome that a model is shown.
    pub shown_bytes: usize,
    /// The resources that one program may use.
    pub limits: Limits,
    /// How the model is asked.
    pub protocol: Arc<dyn Protocol>,
    /// The most that a prompt may take, in tokens (estimated at three bytes each). Old
    /// outcomes, then old programs, then examples, then old drafts are left out until it
    /// fits. By default it is what the model's context window leaves beside an answer
    /// ([`Model::window`]), or [`DEFAULT_BUDGET`] if that is not known.
    pub budget: Option<u32>,
    /// The seed of the clock and the randomness of programs. Its time is that of turns that
    /// have none: see [`Now`].
    pub seed: Seed,
    /// The seed of the model's sampling.
    pub sampling: u64,
    /// How much is kept of objects that a planned write destroys.
    pub keeping: Keeping,
    /// Whether the environment's signature is taken after every program and turn. It reads
    /// the whole state, which is slow on a remote server.
    pub sign: bool,
    /// The policy that programs are held to: the built-in one. `None` allows every call; it is
    /// written as [`Settings::unguarded`].
    pub policy: Option<Arc<Policy>>,
    /// The aids that are on: see [`aids`].
    pub assist: Assist,
    /// Whether a reply that is still in doubt when it was sent back once gives way to a plain
    /// account of what happened, and of what the rows have where the reply contradicts them.
    pub exact: bool,
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
            protocol: Form::default().protocol(),
            budget: None,
            seed: Seed::default(),
            sampling: 0,
            keeping: Keeping::default(),
            sign: true,
            policy: Some(Arc::default()),
            assist: Assist::default(),
            exact: false,
        }
    }
}

impl Settings {
    /// The usual settings without a policy: every call is allowed. For worlds that are lost
    /// afterwards, such as those of an evaluation.
    ///
    /// ```
    /// use dialog2api::agent::Settings;
    ///
    /// assert!(Settings::default().policy.is_some());
    /// assert!(Settings::unguarded().policy.is_none());
    /// ```
    pub fn unguarded() -> Settings {
        Settings {
            policy: None,
            ..Settings::default()
        }
    }
}

impl Agent {
    /// An agent for one world.
    ///
    /// # Errors
    /// A prompt template is broken.
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
            asking: conduct::RecordedAsks::of(&model, &settings),
            model,
            sandbox,
            world,
            domain: domain.clone(),
            pool,
            settings,
            overseer: None,
        })
    }

    /// The same agent with an overseer: programs run on a draft of the world first, and only
    /// writes that the overseer agrees to reach the world.
    #[must_use]
    pub fn overseen_by(self, overseer: Arc<dyn Overseer>) -> Agent {
        Agent {
            overseer: Some(overseer),
            ..self
        }
    }

    /// The same agent with these aids.
    #[must_use]
    pub fn assisted_by(mut self, assist: Assist) -> Agent {
        self.settings.assist = assist;
        self
    }

    /// The same agent with only these operations of its domain: its prompts and its lints know
    /// no others, and neither do its programs.
    #[must_use]
    pub fn offering(mut self, operations: &BTreeSet<&str>) -> Agent {
        self.domain = Arc::new(self.domain.offering(operations));
        self
    }

    /// The same agent with another model and world. Everything else is shared, so this is
    /// cheap.
    #[must_use]
    pub fn with(&self, model: Arc<dyn Model>, world: Arc<dyn World>, sampling: u64) -> Agent {
        Agent {
            asking: conduct::RecordedAsks::of(&model, &self.settings),
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

    /// Replaces the policy; it holds from the next program on.
    pub fn set_policy(&mut self, policy: Arc<Policy>) {
        self.settings.policy = Some(policy);
    }

    /// The domain that programs are written for.
    pub fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// The settings of this agent.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Carries out one turn of a dialogue: the user's utterance becomes programs, the final
    /// ones run, and the agent replies. Failures are part of the report.
    ///
    /// An overseer hears of each step before it has consequences. The session is up to date
    /// after every step, so dropping the future half-way (the user interrupts) loses no
    /// outcome.
    pub async fn turn(
        &self,
        session: &mut Session,
        user: &str,
        observer: &mut dyn Observer,
    ) -> TurnReport {
        let mut report = TurnReport::default();
        session.begin(user);
        self.asking.begin(self.today(session));
        if let Err(failure) = self.note_said(session, user).await {
            return self.give_up(session, report, failure).await;
        }

        // Predict, and check the prediction. Nothing runs before all of it is valid.
        let mut question = match self.question(session, observer) {
            Ok(question) => question,
            Err(failure) => return self.give_up(session, report, failure).await,
        };
        let prediction = self.predict(session, &mut question, &mut report, observer);
        let prediction = match prediction.await {
            Ok(prediction) => prediction,
            Err(failure) => return self.give_up(session, report, failure).await,
        };
        let prediction = self.confirmed(session, prediction, &mut report).await;
        let mut report = match self.carry_out(session, &prediction, report, observer).await {
            Ok(report) => report,
            Err(given_up) => return *given_up,
        };

        // Respond. If the model cannot, a plain reply tells the user what happened. A trained
        // model has learned no error of the host, and would say that all is done.
        let reply = match &self.domain.conduct {
            Some(conduct) => {
                let question = &mut question;
                self.word(conduct, session, question, &mut report, observer)
                    .await
            }
            None if !self.settings.protocol.is_instructed() && report.has_host_error() => {
                report.tell_plainly(session);
                return self.end(session, report).await;
            }
            None => {
                self.respond(session, &mut question, &mut report, observer)
                    .await
            }
        };
        match reply {
            Ok(_) if self.settings.exact && !report.unsupported.is_empty() => {
                let doubts = std::mem::take(&mut report.unsupported);
                self.tell_plainly(&mut report, session);
                report.tell_facts(&doubts);
            }
            Ok(reply) => report.reply = reply,
            Err(failure) => {
                self.tell_plainly(&mut report, session);
                report.failure = Some(failure);
            }
        }
        self.end(session, report).await
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
