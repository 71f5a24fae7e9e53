//! A conversation, which every front end talks to.

use super::changes::Content;
use super::control::{Cancelled, TurnControl};
use super::event::Event;
use super::feed::{Events, Feed};
use super::look::broken;
use super::open_session::{OpenSession, Settle};
use super::overseer::FrontEndOverseer;
use super::session::{Start, StoredSession};
use super::view::{PlanAnswer, SessionView, TurnView, Undone};
use crate::agent::{Agent, Sandbox, Session, Settings};
use crate::dialogue::{Program, Status, Update};
use crate::domain::{self, Domain, Opened, counted};
use crate::error::{Error, Result};
use crate::journal::{AskedOnce, Journal, Journaled, PlanState};
use crate::llm::Model;
use crate::policy::{Policy, Raised, RaisedBy};
use crate::retrieval::ExamplePool;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The longest utterance, in bytes (32 KiB). A longer one would leave no room in a prompt.
pub const MAX_UTTERANCE: usize = 32 << 10;

/// The parts of a conversation.
pub struct ConversationParts<'a> {
    /// The session: a new one, or one that is continued.
    pub stored: &'a StoredSession,
    /// Its world, as the user named it.
    pub named: &'a str,
    /// The opened world.
    pub world: Opened,
    /// The model.
    pub model: Arc<dyn Model>,
    /// The sandbox that runs programs.
    pub sandbox: Arc<dyn Sandbox>,
    /// The domain of the world.
    pub domain: &'a Arc<Domain>,
    /// The examples of the prompts.
    pub pool: Arc<ExamplePool>,
    /// How the agent works, and what programs may do.
    pub settings: Settings,
    /// Whether the journal keeps whole prompts, and not only the answers.
    pub keep_prompts: bool,
}

/// One conversation of a user with an agent in a world, kept in a session of the
/// [`SessionStore`](crate::journal::SessionStore).
///
/// Every front end goes through it. The methods take `&self`: a front end that waits for
/// [`say`](Self::say) can answer a plan with [`decide`](Self::decide) or end the turn with
/// [`cancel`](Self::cancel) meanwhile, from another task or another thread. What happens is
/// told by [`Events`], and [`snapshot`](Self::snapshot) says how things are. A process may hold any
/// number of conversations. [`Setup`](super::Setup) opens one with the usual parts.
///
/// ```
/// # use async_trait::async_trait;
/// # use dialog2api::agent::{Sandbox, Settings};
/// # use dialog2api::dialogue::{Outcome, ProgramError};
/// # use dialog2api::domain::{Value, World};
/// # use dialog2api::domain::s3::{self, S3};
/// # use dialog2api::exec::{EndedBy, Execution, Limits, Seed};
/// # use dialog2api::journal::SessionStore;
/// # use dialog2api::llm::Script;
/// # use dialog2api::retrieval::ExamplePool;
/// # use std::sync::Arc;
/// use dialog2api::service::{
///     Conversation, ConversationParts, Event, PlanAnswer, StoredSession, TurnEnd,
/// };
/// # /// A box whose every program makes the bucket `attic`.
/// # struct MakesAttic;
/// # #[async_trait]
/// # impl Sandbox for MakesAttic {
/// #     async fn run(&self, _: &str, world: &Arc<dyn World>, _: &Limits, _: &Seed)
/// #         -> dialog2api::Result<Execution> {
/// #         let attic = Value::Map(vec![("Bucket".into(), "attic".into())]);
/// #         world.call("create_bucket", &attic).await?.unwrap();
/// #         Ok(Execution {
/// #             outcome: Outcome::Result(serde_json::Value::Null),
/// #             calls: [].into(),
/// #             output: String::new(),
/// #             elapsed: std::time::Duration::ZERO,
/// #             ended_by: EndedBy::Program,
/// #             unread: Vec::new(),
/// #             touched: None,
/// #         })
/// #     }
/// #     async fn check(&self, _: &str) -> dialog2api::Result<Option<ProgramError>> { Ok(None) }
/// # }
/// # #[tokio::main]
/// # async fn main() -> dialog2api::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let model = Arc::new(Script::new([
/// #     r#"<goal uid="1" status="final"><program>s3.create_bucket(Bucket="attic")</program></goal>"#,
/// #     "<turn>Agent: The attic is there.</turn>",
/// # ]));
/// # let sandbox = Arc::new(MakesAttic);
/// let stored = StoredSession::find(SessionStore::at(folder.path()), None)?;
/// let (conversation, mut events) = Conversation::open(ConversationParts {
///     stored: &stored,
///     named: "empty",
///     world: s3::open("empty")?,
///     model,
///     sandbox,
///     domain: &S3,
///     pool: Arc::new(ExamplePool::built_in(&S3)?),
///     settings: Settings::default(),
///     keep_prompts: false,
/// })
/// .await?;
///
/// // The plan is answered while the turn waits for it.
/// let answering = async {
///     while let Some(event) = events.recv().await {
///         if let Event::Plan(plan) = event {
///             assert_eq!(plan.totals.containers_created, 1);
///             conversation.decide(plan.plan, PlanAnswer::Apply).unwrap();
///             break;
///         }
///     }
/// };
/// let (turn, ()) = tokio::join!(conversation.say("make a bucket attic"), answering);
/// let TurnEnd::Replied(reply) = turn?.end else { unreachable!() };
/// assert_eq!(reply.text, "The attic is there.");
/// conversation.close()?;
/// # Ok(())
/// # }
/// ```
pub struct Conversation {
    pub(super) session: OpenSession,
    pub(super) model: String,
    state: Mutex<State>,
}

/// The state that one turn, or one undo, at a time works with.
pub(super) struct State {
    pub agent: Agent,
    pub dialogue: Session,
    pub content: Content,
    /// Whether the user knows that the model's server cuts prompts.
    pub told_of_cut: bool,
}

impl Conversation {
    /// Opens a conversation: a new one, or one that goes on after the turns in the journal.
    /// Nothing is asked of the model and nothing is written to the world, except that a
    /// world in memory gets the writes of the session again.
    ///
    /// If an apply was cut off, [`cut_off`](Self::cut_off) returns it, and
    /// [`settle`](Self::settle) has to be called first. Then [`carry_on`](Self::carry_on)
    /// continues the interrupted turn.
    ///
    /// # Errors
    /// The world is not the session's (the sentence names both), another process writes the
    /// session, or its journal is damaged.
    pub async fn open(opening: ConversationParts<'_>) -> Result<(Conversation, Events)> {
        Self::open_telling(opening, Feed::new()).await
    }

    /// The same with the events of what comes before it.
    pub(super) async fn open_telling(
        opening: ConversationParts<'_>,
        feed: Arc<Feed>,
    ) -> Result<(Conversation, Events)> {
        let ConversationParts { stored, named, .. } = opening;
        let ConversationParts {
            world, settings, ..
        } = &opening;
        let initial = if settings.sign {
            Some(domain::signature(&*world.world, []).await?)
        } else {
            None
        };
        let policy = settings.policy.clone();
        let words = &opening.domain.words;
        let text = policy.as_ref().map(|it| it.spelled(words).to_string());
        let start = Start {
            world: named,
            model: opening.model.name(),
            policy: text.as_deref().unwrap_or_default(),
            signature: initial,
        };
        let journal = stored.open(world, &start, opening.domain).await?;
        let control = TurnControl::new(policy, feed);
        let keeping = settings.keeping;
        let model = opening.model.name().to_owned();
        let asked = AskedOnce::new(opening.model, journal.clone(), opening.keep_prompts);
        let agent = Agent::new(
            Arc::new(asked),
            opening.sandbox,
            opening.world.world.clone(),
            opening.domain,
            opening.pool,
            opening.settings,
        )?;
        let session = OpenSession {
            journal: journal.clone(),
            world: opening.world.world,
            domain: opening.domain.clone(),
            keeping,
            control: control.clone(),
        };
        let changed = session.resume_slate()?;
        session.look_into_doubts().await?;
        let dialogue = restored(&journal)?;
        let asking = FrontEndOverseer::new(control, journal.clone(), opening.domain.clone());
        let overseer = Journaled::new(journal, opening.domain.clone(), asking);
        let (content, hidden) = Content::first(&session.domain, &*session.world).await;
        let conversation = Conversation {
            model,
            state: Mutex::new(State {
                agent: agent.overseen_by(Arc::new(overseer)),
                dialogue,
                content,
                told_of_cut: false,
            }),
            session,
        };
        let session = conversation.snapshot()?.session;
        let opened = conversation.tell(Event::Opened(Box::new(SessionView { changed, ..session })));
        if let Some(why) = hidden {
            conversation.tell(Event::ChangesNotShown { why });
        }
        if let Some(cut_off) = conversation.cut_off() {
            conversation.tell(Event::CutOff(Box::new(cut_off)));
        }
        let events = conversation.events(opened - 1);
        Ok((conversation, events))
    }

    /// Says something to the agent, and waits until the turn ends. A plan that is proposed
    /// meanwhile waits for [`decide`](Self::decide).
    ///
    /// Mistakes of the model, a program or the world are part of the answer. Dropping the
    /// future interrupts the turn like a crash: it continues when the session is opened again.
    /// [`cancel`](Self::cancel) ends it properly.
    ///
    /// # Errors
    /// [`Error::usage`]: the text is too long ([`MAX_UTTERANCE`]) or empty, or an apply that
    /// was cut off is not settled yet. Else the journal could not be written.
    pub async fn say(&self, text: &str) -> Result<TurnView> {
        let text = text.trim();
        self.check(text)?;
        let mut state = self.state.lock().await;
        self.turn(&mut state, text, None).await
    }

    /// Runs a program that the model has no part in, as a turn of its own: `text` says in words
    /// what it is for. Its plan is shown, decided on, carried out and journaled as in
    /// [`say`](Self::say), and the reply is a plain account of what happened.
    ///
    /// # Errors
    /// Those of [`say`](Self::say).
    pub async fn run(&self, text: &str, program: &str) -> Result<TurnView> {
        let text = text.trim();
        self.check(text)?;
        let mut state = self.state.lock().await;
        let update = Update {
            uid: state.dialogue.stack().next_uid(),
            status: Status::Final,
            program: Some(Program::new(program)),
        };
        self.turn(&mut state, text, Some(&[update])).await
    }

    /// Refuses a turn that cannot begin.
    fn check(&self, text: &str) -> Result<()> {
        check_utterance(text)?;
        let counts = |known: &PlanState| (known.made.len(), known.planned.writes.len());
        match self.session.with_cut_off(counts) {
            Some((made, of)) => Err(Error::usage(format!(
                "an apply was cut off after {made} of {}: first finish it, or take it back",
                counted(of, "write")
            ))),
            None => Ok(()),
        }
    }

    /// Carries on the turn that was interrupted; `None` where none was.
    ///
    /// # Errors
    /// The journal could not be written.
    pub async fn carry_on(&self) -> Result<Option<TurnView>> {
        match self.session.journal.unfinished() {
            Some(turn) => {
                // No model was asked for programs that were given.
                let given = turn.updates.filter(|_| turn.asked.is_empty());
                let mut state = self.state.lock().await;
                let turn = self.turn(&mut state, &turn.user, given.as_deref()).await?;
                Ok(Some(turn))
            }
            None => Ok(None),
        }
    }

    async fn turn(
        &self,
        state: &mut State,
        text: &str,
        given: Option<&[Update]>,
    ) -> Result<TurnView> {
        let turn = super::turn::run(&self.session, state, text, given).await?;
        self.tell(Event::TurnEnded(Box::new(turn.clone())));
        Ok(turn)
    }

    /// Answers the plan that waits.
    ///
    /// # Errors
    /// No plan of this number waits.
    pub fn decide(&self, plan: u64, answer: PlanAnswer) -> Result<()> {
        self.session.decide(plan, answer)
    }

    /// Answers whether the program that waits goes on, whatever it costs; `id` is that of the
    /// question. A program that goes on begins again from its start.
    ///
    /// # Errors
    /// No program waits for the answer to this question.
    pub fn let_go_on(&self, id: u64, go_on: bool) -> Result<()> {
        self.session.let_go_on(id, go_on)
    }

    /// Ends the turn, undo or apply under way. A turn ends at once, and the writes of its
    /// programs stay. An apply ends before its next write. Cancelling again ends it at once;
    /// then it is not known whether the current write was made, and the user is told so.
    pub fn cancel(&self) -> Cancelled {
        self.session.cancel()
    }

    /// Finishes or takes back the apply that was cut off. `None` where
    /// [`carry_on`](Self::carry_on) finishes it with its turn.
    ///
    /// # Errors
    /// The world could not be read, or the journal not be written.
    pub async fn settle(&self, settle: Settle) -> Result<Option<Undone>> {
        let mut state = self.state.lock().await;
        match self.session.settle(settle).await? {
            Some(undone) => Ok(Some(self.compared(&mut state, undone).await)),
            None => Ok(None),
        }
    }

    /// Takes back the writes of the last program, or of the plan with this number, if the user
    /// agrees to the plan that does it.
    ///
    /// # Errors
    /// The world could not be read, or the journal not be written.
    pub async fn undo(&self, plan: Option<u64>) -> Result<Undone> {
        let mut state = self.state.lock().await;
        state.dialogue.withdraw_proposal();
        let undone = self.session.undo(plan).await?;
        Ok(self.compared(&mut state, undone).await)
    }

    /// The same undo, with what it changed in the world.
    async fn compared(&self, state: &mut State, mut undone: Undone) -> Undone {
        if undone.made > 0 || undone.how == super::view::How::Partly {
            let OpenSession { world, control, .. } = &self.session;
            undone.changes = state.content.changes(&**world, control).await;
        }
        undone
    }

    /// Takes back the last turn, if it ran nothing. Returns its utterance.
    ///
    /// # Errors
    /// [`Error::usage`]: there is none, or it ran a program. Else the journal could not be
    /// written.
    pub async fn undo_draft(&self) -> Result<String> {
        let dialogue = &mut self.state.lock().await.dialogue;
        let turn = dialogue.turns().len();
        let Some(user) = dialogue.turns().last().map(|turn| turn.user.clone()) else {
            return Err(Error::usage(
                "there is nothing to take back: nothing was said yet",
            ));
        };
        if !dialogue.undo_draft() {
            return Err(Error::usage(
                "the last turn ran a program: /undo takes back what programs did",
            ));
        }
        self.session.journal.taken_back(turn)?;
        self.tell(Event::DraftUndone { user: user.clone() });
        Ok(user)
    }

    /// Changes the policy, as far as it allows its user to. Waits for the turn under way.
    ///
    /// # Errors
    /// [`Error::usage`]: there is no policy, or it does not allow the change. Else the
    /// journal could not be written.
    pub async fn change_policy(&self, change: &Raised) -> Result<Arc<Policy>> {
        let mut state = self.state.lock().await;
        let now = self.policy();
        let now = now.ok_or_else(|| Error::usage("there is no policy"))?;
        let changed = Arc::new(now.raised(change, RaisedBy::User).map_err(Error::usage)?);
        let policy = changed.spelled(&self.session.domain.words).to_string();
        self.session.journal.policy(&policy)?;
        self.session.control.set_policy(changed.clone());
        state.agent.set_policy(changed.clone());
        self.tell(Event::PolicyChanged { policy });
        Ok(changed)
    }

    /// Closes the session. It can be opened again.
    ///
    /// # Errors
    /// The journal could not be written.
    pub fn close(&self) -> Result<()> {
        self.session.close()
    }

    /// Tells an event, also one of a world that was opened before the conversation. Answers with
    /// its number.
    pub(crate) fn tell(&self, event: Event) -> u64 {
        self.session.control.tell(event)
    }
}

/// Refuses an utterance that is empty or too long.
fn check_utterance(text: &str) -> Result<()> {
    if text.is_empty() {
        return Err(Error::usage("nothing was said"));
    }
    if text.len() > MAX_UTTERANCE {
        return Err(Error::usage(format!(
            "this is longer than {MAX_UTTERANCE} bytes, the most of one utterance: say it in \
             parts, or put it into a file of the world and name that"
        )));
    }
    Ok(())
}

/// The dialogue as it was after its last whole turn.
fn restored(journal: &Journal) -> Result<Session> {
    let session = journal.with_state(|state| state.session());
    session.map_err(|violations| broken(journal, &violations))
}
