//! A folder with worksheets, its sessions, and a model that gives answers in order.

use async_trait::async_trait;
use dialog2api::agent::{Assist, Settings};
use dialog2api::domain::{Domain, NamedWorld};
use dialog2api::exec::{Cache, Engine};
use dialog2api::folder;
use dialog2api::journal::SessionStore;
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::policy::Policy;
use dialog2api::retrieval::ExamplePool;
use dialog2api::service::{
    Conversation, ConversationParts, Event, Events, PlanAnswer, StoredSession, TurnEnd, TurnView,
};
use dialog2api::{Error, Result};
use std::collections::VecDeque;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

pub fn cache() -> Cache {
    Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"))
}

/// The folder `pizza` that `domain new --worksheets` makes, or a copy of one of `datasets`, and
/// the session `it`.
pub struct Lab {
    place: TempDir,
    name: &'static str,
}

impl Lab {
    pub fn new() -> Lab {
        let lab = Lab {
            place: tempfile::tempdir().unwrap(),
            name: "pizza",
        };
        folder::create_worksheets(&lab.path()).unwrap();
        lab
    }

    /// A copy of this dataset.
    pub fn of(name: &'static str) -> Lab {
        let lab = Lab {
            place: tempfile::tempdir().unwrap(),
            name,
        };
        copy(&Path::new("datasets").join(name), &lab.path());
        lab
    }

    pub fn path(&self) -> PathBuf {
        self.place.path().join(self.name)
    }

    /// Replaces a text in a file.
    pub fn replace(self, file: &str, from: &str, to: &str) -> Lab {
        let path = self.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no {from:?}");
        std::fs::write(path, text.replace(from, to)).unwrap();
        self
    }

    pub fn domain(&self) -> Arc<Domain> {
        folder::load(&self.path(), &cache()).unwrap()
    }

    pub fn store(&self) -> SessionStore {
        SessionStore::at(self.place.path().join("sessions"))
    }

    /// Cuts the journal of the session off before a line, as a process that is killed leaves it.
    pub fn cut_journal_before(&self, is_cut: impl Fn(&str) -> bool) {
        let path = self.store().folder().join("it").join("journal.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        let at = text.lines().position(is_cut).expect("the line");
        let lines: Vec<&str> = text.lines().take(at).collect();
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
    }

    /// Opens the session, with a model that gives these answers.
    pub async fn open(&self, answers: &[&str]) -> Talk {
        self.open_with(answers, Policy::default()).await
    }

    pub async fn open_with(&self, answers: &[&str], policy: Policy) -> Talk {
        self.try_open(answers, policy).await.unwrap()
    }

    /// The same for a session that may not go on.
    pub async fn try_open(&self, answers: &[&str], policy: Policy) -> Result<Talk> {
        let domain = self.domain();
        let stored = StoredSession::find(self.store(), Some("it")).unwrap();
        let worlds = domain.worlds.clone().unwrap();
        let named = NamedWorld::default();
        let world = worlds.open(&named, Default::default()).await.unwrap();
        let engine = Engine::prepare(&domain.api.client, &cache(), &mut |_| ()).await;
        let model = Arc::new(Script {
            answers: Mutex::new(answers.iter().map(|it| (*it).to_owned()).collect()),
            asked: Mutex::default(),
            whole: Mutex::default(),
        });
        let opening = ConversationParts {
            stored: &stored,
            named: "start",
            world,
            model: model.clone(),
            sandbox: Arc::new(engine.unwrap().with_setup(&domain.api.setup)),
            domain: &domain,
            pool: Arc::new(ExamplePool::built_in(&domain).unwrap()),
            settings: Settings {
                policy: Some(Arc::new(policy)),
                assist: Assist::all(),
                ..Settings::default()
            },
            keep_prompts: false,
        };
        let (conversation, events) = Conversation::open(opening).await?;
        Ok(Talk {
            conversation,
            events,
            model,
            answer: PlanAnswer::Apply,
        })
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (entry, to) = (entry.unwrap().path(), to.to_owned());
        let to = to.join(entry.file_name().unwrap());
        match entry.is_dir() {
            true => copy(&entry, &to),
            false => std::fs::copy(&entry, &to).map(drop).unwrap(),
        }
    }
}

/// The folder with sheets that have no confirm field: the user has agreed to nothing yet.
pub fn unconfirmed() -> Lab {
    Lab::new().replace(
        "worksheets.csv",
        ",,,input,confirm,confirm,,Whether the order is right as it is,,TRUE,,,,\n",
        "",
    )
}

/// An open conversation.
pub struct Talk {
    pub conversation: Conversation,
    events: Events,
    model: Arc<Script>,
    /// How every plan that is asked about is answered.
    pub answer: PlanAnswer,
}

impl Talk {
    /// Says something; the reply, after a line for each plan that was asked about.
    pub async fn say(&mut self, text: &str) -> String {
        let mut seen = String::new();
        let turn = {
            let work = self.conversation.say(text);
            tokio::pin!(work);
            loop {
                tokio::select! {
                    biased;
                    Some(event) = self.events.recv() => {
                        if let Event::Plan(plan) = &event {
                            let _ = writeln!(seen, "plan: {}", plan.effects.len());
                            self.conversation.decide(plan.plan, self.answer).unwrap();
                        }
                    }
                    turn = &mut work => break turn.unwrap(),
                }
            }
        };
        seen + &reply(&turn)
    }

    /// Takes back what was done last; what is said of it.
    pub async fn undo(&mut self) -> String {
        self.undo_plan(None).await
    }

    /// Takes back a plan.
    pub async fn undo_plan(&mut self, plan: Option<u64>) -> String {
        let undoing = tokio::join!(self.conversation.undo(plan), async {
            while self.conversation.pending_plan().is_none() {
                tokio::task::yield_now().await;
            }
            let plan = self.conversation.pending_plan().unwrap();
            self.conversation.decide(plan.plan, self.answer).unwrap();
        });
        // Its plan is answered.
        while self.events.try_recv().is_some() {}
        undoing.0.unwrap().said
    }

    /// What is told of the sheets when the session is opened.
    pub fn told(&mut self) -> Vec<String> {
        match self.events.try_recv() {
            Some(Event::Opened(session)) => session.changed,
            other => panic!("{other:?} is not the first event"),
        }
    }

    /// The forms, as `/forms` shows them.
    pub fn forms(&self) -> String {
        self.conversation.situation().unwrap().unwrap().shown
    }

    /// The outcome of the last program.
    pub fn outcome(&self) -> String {
        let transcript = self.conversation.transcript("it").unwrap();
        let goals = transcript.turns.iter().flat_map(|turn| &turn.goals);
        let outcome = goals.filter_map(|goal| goal.outcome.clone()).next_back();
        match outcome.unwrap() {
            dialog2api::dialogue::Outcome::Result(json) => json.to_string(),
            dialog2api::dialogue::Outcome::Error(error) => {
                format!("{}: {}", error.error, error.message)
            }
        }
    }

    /// Who decided on the last plan, and how, as the journal says it.
    pub fn decided(&self) -> String {
        let journal = self.conversation.open_session().journal();
        journal.with_state(|state| {
            let decided = state.plans.last().and_then(|plan| plan.decided.as_ref());
            let (verdict, by) = decided.expect("a plan that was decided on");
            serde_json::json!([verdict, by]).to_string()
        })
    }

    /// The requests so far, with all their messages.
    pub fn requests(&self) -> Vec<String> {
        self.model.whole.lock().unwrap().clone()
    }

    /// The backend's state.
    pub fn state(&self) -> String {
        self.conversation
            .world()
            .state_value()
            .unwrap()
            .to_json()
            .to_string()
    }

    /// The last message of each request so far, and their number since the last time.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.model.asked.lock().unwrap())
    }
}

fn reply(turn: &TurnView) -> String {
    match &turn.end {
        TurnEnd::Replied(reply) => match &reply.failure {
            Some(failure) => format!("{} ({failure})", reply.text),
            None => reply.text.clone(),
        },
        TurnEnd::Stopped(_) => "stopped".to_owned(),
    }
}

/// Gives answers in order, and keeps what it was asked.
struct Script {
    answers: Mutex<VecDeque<String>>,
    asked: Mutex<Vec<String>>,
    /// All messages of each request.
    whole: Mutex<Vec<String>>,
}

#[async_trait]
impl Model for Script {
    fn name(&self) -> &str {
        "script"
    }

    async fn complete(
        &self,
        request: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let asked = request.messages.last().map(|it| it.content.clone());
        self.asked.lock().unwrap().extend(asked);
        let texts = request.messages.iter().map(|it| it.content.as_str());
        let whole = texts.collect::<Vec<_>>().join("\n");
        self.whole.lock().unwrap().push(whole);
        let next = self.answers.lock().unwrap().pop_front();
        let text = next.ok_or_else(|| Error::model("the script has no more answers"))?;
        Ok(Completion {
            text,
            finish: Some("stop".to_owned()),
            usage: Usage::default(),
        })
    }
}
