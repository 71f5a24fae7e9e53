//! Conversations with a scripted model in a small world that can be made to hang.

use crate::plan::lab::{content, world};
use crate::support::calls::Calls;
use async_trait::async_trait;
use dialog2api::agent::{Assist, Settings};
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Answer as WorldAnswer, Layer, Onward, Opened, Value, World, WorldKind};
use dialog2api::journal::{SessionState, SessionStore};
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::policy::Policy;
use dialog2api::prompts::PromptSetting;
use dialog2api::retrieval::ExamplePool;
use dialog2api::service::{
    Conversation, ConversationParts, Event, Events, PlanAnswer, StoredSession, TurnEnd, TurnView,
};
use dialog2api::{Error, Result};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};
use tempfile::TempDir;
use tokio::sync::Notify;

/// A user's sessions, and one world in which they all are.
pub struct Lab {
    folder: TempDir,
    pub world: Arc<Troubled>,
    pub assist: Assist,
}

/// An open conversation. `HANG` as an answer of the model never comes, and one with `READ 1000`
/// before it is of a model that read so many tokens.
pub struct Talk {
    pub conversation: Arc<Conversation>,
    pub events: Events,
}

impl Lab {
    pub fn new() -> Lab {
        Lab::on(aside(world))
    }

    /// The same, in another world.
    pub fn on(world: Arc<dyn World>) -> Lab {
        Lab {
            assist: Assist::default(),
            folder: tempfile::tempdir().unwrap(),
            world: Arc::new(Troubled {
                world,
                state: Mutex::default(),
                hangs: Notify::new(),
            }),
        }
    }

    pub fn store(&self) -> SessionStore {
        SessionStore::at(self.folder.path())
    }

    /// What the journal of the session `it` tells.
    pub fn state(&self) -> SessionState {
        self.store().read("it").unwrap().state
    }

    /// Opens the session `it`, with a model that gives these answers.
    pub async fn open(&self, answers: &[&str]) -> Talk {
        self.try_open(answers, Policy::default(), "here")
            .await
            .unwrap()
    }

    pub async fn try_open(&self, answers: &[&str], policy: Policy, place: &str) -> Result<Talk> {
        let stored = StoredSession::find(self.store(), Some("it"))?;
        let opening = ConversationParts {
            stored: &stored,
            named: "letters",
            world: self.opened(place),
            model: script(answers),
            sandbox: Arc::new(Calls),
            domain: &S3,
            pool: Arc::new(ExamplePool::new(&[], &S3)?),
            settings: Settings {
                prompt: PromptSetting::Api,
                policy: Some(Arc::new(policy)),
                assist: self.assist.clone(),
                ..Settings::default()
            },
            keep_prompts: false,
        };
        let (conversation, events) = Conversation::open(opening).await?;
        let conversation = Arc::new(conversation);
        self.world.state.lock().unwrap().conversation = Arc::downgrade(&conversation);
        Ok(Talk {
            conversation,
            events,
        })
    }

    /// The world at a place. It stays from one conversation to the next.
    pub fn opened(&self, place: &str) -> Opened {
        Opened {
            world: self.world.clone(),
            kind: WorldKind::Disk,
            identity: place.to_owned(),
            folders: BTreeMap::new(),
        }
    }

    /// What the buckets hold, on one line.
    pub fn holds(&self) -> String {
        let text = aside(|| content(&*self.world.world));
        let lines = text.lines().filter(|line| !line.ends_with('/'));
        let keys = lines.filter_map(|line| line.strip_prefix("+ bucket-")?.split(' ').next());
        keys.collect::<Vec<_>>().join(" ")
    }
}

impl Talk {
    /// Waits for work of the conversation, answering every plan in this way; beside what it
    /// gives, the events.
    pub async fn answering<T>(
        &mut self,
        answer: PlanAnswer,
        work: impl Future<Output = T>,
    ) -> (T, Vec<Event>) {
        tokio::pin!(work);
        let mut events = Vec::new();
        let done = loop {
            tokio::select! {
                biased;
                Some(event) = self.events.recv() => {
                    if let Event::Plan(plan) = &event {
                        assert_eq!(self.conversation.pending_plan().as_ref(), Some(&**plan));
                        self.conversation.decide(plan.plan, answer).unwrap();
                    }
                    events.push(event);
                }
                done = &mut work => break done,
            }
        };
        while let Some(event) = self.events.try_recv() {
            events.push(event);
        }
        (done, events)
    }

    /// Says something, and agrees to what is proposed.
    pub async fn say(&mut self, text: &str) -> TurnView {
        let conversation = self.conversation.clone();
        let saying = conversation.say(text);
        self.answering(PlanAnswer::Apply, saying).await.0.unwrap()
    }
}

/// Runs a helper that waits by itself, which it cannot on a thread that waits already.
fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

/// The end of a turn in one line.
pub fn end(turn: &TurnView) -> String {
    match &turn.end {
        TurnEnd::Replied(reply) => format!("Agent: {}", reply.text),
        TurnEnd::Stopped(stopped) => stopped.to_string(),
    }
}

/// The outcomes of a turn in one line.
pub fn outcomes(turn: &TurnView) -> String {
    let outcomes = turn.goals.iter().map(|goal| match &goal.outcome {
        None => "none".to_owned(),
        Some(Outcome::Result(value)) => value.to_string(),
        Some(Outcome::Error(error)) => format!("{}: {}", error.error, error.message),
    });
    outcomes.collect::<Vec<_>>().join("; ")
}

/// A goal as a model writes it.
pub fn goal(uid: u32, status: &str, program: &str) -> String {
    format!(r#"<goal uid="{uid}" status="{status}"><program>{program}</program></goal>"#)
}

/// A model that gives these answers.
pub fn script(answers: &[&str]) -> Arc<dyn Model> {
    let answers = answers.iter().map(|answer| (*answer).to_owned()).collect();
    Arc::new(Script(Mutex::new(answers)))
}

struct Script(Mutex<VecDeque<String>>);

#[async_trait]
impl Model for Script {
    fn name(&self) -> &str {
        "script"
    }

    async fn complete(
        &self,
        _: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let text = self.0.lock().unwrap().pop_front().expect("one more answer");
        if text == "HANG" {
            std::future::pending::<()>().await;
        }
        if text == "DOWN" {
            return Err(Error::model("the model server answers 503"));
        }
        let (prompt_tokens, text) = match text.strip_prefix("READ 1000 ") {
            Some(text) => (1000, text.to_owned()),
            None => (100, text),
        };
        progress(Progress::Text(&text));
        Ok(Completion {
            text,
            finish: None,
            usage: Usage {
                prompt_tokens,
                completion_tokens: 10,
                ..Usage::default()
            },
        })
    }
}

/// When something happens, counted in writes from [`Troubled::arm`] on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum When {
    /// At the first look that precedes this write.
    Before(usize),
    /// When this write is made, and its answer is not there yet.
    After(usize),
}

/// What happens then.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Trouble {
    /// The world never answers.
    Hang,
    /// The user presses Ctrl-C.
    Cancel,
    /// The user presses Ctrl-C, and once more; the world never answers.
    CancelTwice,
}

/// A world in which something happens at one write.
pub struct Troubled {
    world: Arc<dyn World>,
    state: Mutex<Troubles>,
    /// The world hangs.
    pub hangs: Notify,
}

#[derive(Default)]
struct Troubles {
    armed: Option<(When, Trouble)>,
    writes: usize,
    conversation: Weak<Conversation>,
}

impl Troubled {
    /// From now on writes are counted, and this happens.
    pub fn arm(&self, when: When, trouble: Trouble) {
        let mut state = self.state.lock().unwrap();
        (state.armed, state.writes) = (Some((when, trouble)), 0);
    }

    async fn happens(&self, now: When) {
        let (trouble, conversation) = {
            let mut state = self.state.lock().unwrap();
            let armed = state.armed.take_if(|(when, _)| *when == now);
            (
                armed.map(|(_, trouble)| trouble),
                state.conversation.clone(),
            )
        };
        let cancel = || conversation.upgrade().unwrap().cancel();
        match trouble {
            None => {}
            Some(Trouble::Cancel) => {
                cancel();
            }
            Some(Trouble::Hang) => {
                self.hangs.notify_one();
                std::future::pending::<()>().await;
            }
            Some(Trouble::CancelTwice) => {
                cancel();
                cancel();
                std::future::pending::<()>().await;
            }
        }
    }

    fn next_write(&self) -> usize {
        self.state.lock().unwrap().writes + 1
    }
}

#[async_trait]
impl Layer for Troubled {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(
        &self,
        operation: &str,
        params: &Value,
        onward: &Onward<'_>,
    ) -> Result<WorldAnswer> {
        let number = self.next_write();
        if !S3.writes(operation) {
            self.happens(When::Before(number)).await;
            return onward.call(operation, params).await;
        }
        let answer = onward.call(operation, params).await;
        self.happens(When::After(number)).await;
        self.state.lock().unwrap().writes = number;
        answer
    }
}
