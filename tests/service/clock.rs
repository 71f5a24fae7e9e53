//! The time of turns: kept in the journal, and the same when a session is resumed.

use crate::plan::lab::{block_on, call_all};
use crate::service::lab::goal;
use crate::support::calls::Calls;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::{Sandbox, Settings};
use dialog2api::dialogue::ProgramError;
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::{Memory, Store as S3Store};
use dialog2api::domain::s3::world::DiskWorld;
use dialog2api::domain::{Opened, Value, World, WorldKind};
use dialog2api::exec::{Execution, Limits, Seed};
use dialog2api::journal::{SessionState, SessionStore};
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::policy::Policy;
use dialog2api::prompts::PromptSetting;
use dialog2api::retrieval::ExamplePool;
use dialog2api::service::{
    Conversation, ConversationParts, Event, Events, PlanAnswer, StoredSession,
};
use expect_test::{Expect, expect};
use jiff::Timestamp;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

const BEFORE: &str = "2026-11-28T23:59:50.5Z";
const AFTER: &str = "2026-11-29T00:00:10Z";

/// A clock that a test sets, and all that is seen of the time.
#[derive(Clone)]
struct Lab {
    now: Arc<Mutex<Timestamp>>,
    seen: Arc<Mutex<String>>,
    answers: Arc<Mutex<VecDeque<String>>>,
    /// The model was asked and has no answer.
    hangs: Arc<Notify>,
}

#[async_trait]
impl Sandbox for Lab {
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
    ) -> Result<Execution> {
        let at = seed.now.max(world.reached_time().unwrap_or(seed.now));
        let _ = writeln!(self.seen.lock().unwrap(), "a program runs at {at}");
        Calls.run(program, world, limits, seed).await
    }

    async fn check(&self, _: &str) -> Result<Option<ProgramError>> {
        Ok(None)
    }
}

#[async_trait]
impl Model for Lab {
    fn name(&self) -> &str {
        "script"
    }

    async fn complete(
        &self,
        request: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let lines = request.messages.iter().flat_map(|it| it.content.lines());
        for line in lines.filter(|line| line.starts_with("Today")) {
            let _ = writeln!(self.seen.lock().unwrap(), "the model is told: {line}");
        }
        let text = self.answers.lock().unwrap().pop_front();
        let Some(text) = text else {
            // The process ends here.
            self.hangs.notify_one();
            return std::future::pending().await;
        };
        Ok(Completion {
            text,
            finish: None,
            usage: Usage::default(),
        })
    }
}

impl Lab {
    fn new() -> Lab {
        Lab {
            now: Arc::new(Mutex::new(BEFORE.parse().unwrap())),
            seen: Arc::default(),
            answers: Arc::default(),
            hangs: Arc::default(),
        }
    }

    fn set(&self, now: &str) {
        *self.now.lock().unwrap() = now.parse().unwrap();
    }

    fn store(&self, folder: &Path) -> SessionStore {
        let now = self.now.clone();
        SessionStore::at(folder).with_clock(Arc::new(move || *now.lock().unwrap()))
    }

    async fn open(&self, folder: &Path, world: Arc<dyn World>, kind: WorldKind) -> Talk {
        let stored = StoredSession::find(self.store(folder), Some("it")).unwrap();
        let opening = ConversationParts {
            stored: &stored,
            named: "it",
            world: Opened {
                world: world.clone(),
                kind,
                identity: "it".to_owned(),
                folders: BTreeMap::new(),
            },
            model: Arc::new(self.clone()),
            sandbox: Arc::new(self.clone()),
            domain: &S3,
            pool: Arc::new(ExamplePool::new(&[], &S3).unwrap()),
            settings: Settings {
                prompt: PromptSetting::Api,
                policy: Some(Arc::new(Policy::default())),
                ..Settings::default()
            },
            keep_prompts: false,
        };
        let (conversation, events) = Conversation::open(opening).await.unwrap();
        Talk {
            lab: self.clone(),
            conversation,
            events: Some(events),
            world,
        }
    }

    fn state(&self, folder: &Path) -> SessionState {
        self.store(folder).read("it").unwrap().state
    }

    /// Compares what was seen since the last look.
    fn check(&self, expected: Expect) {
        expected.assert_eq(&std::mem::take(&mut *self.seen.lock().unwrap()));
    }
}

struct Talk {
    lab: Lab,
    conversation: Conversation,
    events: Option<Events>,
    world: Arc<dyn World>,
}

impl Talk {
    /// Says something. The plan is agreed to at this time.
    async fn say(&mut self, user: &str, program: &str, agreed_at: &str) {
        let answers = [
            goal(1, "final", program),
            "<turn>Agent: Done.</turn>".into(),
        ];
        self.lab.answers.lock().unwrap().extend(answers);
        let mut events = self.events.take().unwrap();
        let saying = self.conversation.say(user);
        tokio::pin!(saying);
        loop {
            tokio::select! {
                biased;
                Some(event) = events.recv() => if let Event::Plan(plan) = event {
                    self.lab.set(agreed_at);
                    self.conversation.decide(plan.plan, PlanAnswer::Apply).unwrap();
                },
                said = &mut saying => break drop(said.unwrap()),
            }
        }
        self.events = Some(events);
    }

    /// When `bucket-a/one` was written.
    async fn written(&self) -> String {
        let params = vec![
            ("Bucket".into(), "bucket-a".into()),
            ("Key".into(), "one".into()),
        ];
        let head = self.world.call("head_object", &Value::Map(params)).await;
        format!("{:?}", head.unwrap().unwrap().get("LastModified").unwrap())
    }
}

/// A world in memory with the machine's time.
async fn machine() -> Arc<dyn World> {
    let world: Arc<dyn World> = Arc::new(Memory::new("it", S3Store::new(Clock::System)));
    world.hold_time("2026-01-01T00:00:00Z".parse().unwrap());
    call_all(&*world, "make a").await;
    world
}

#[test]
fn a_plan_made_before_midnight_and_applied_after_it_is_of_the_day_before() {
    let (lab, folder) = (Lab::new(), tempfile::tempdir().unwrap());
    let sessions = folder.path();
    block_on(async {
        let mut talk = lab.open(sessions, machine().await, WorldKind::Memory).await;
        talk.say("write one", "put a/one 1", AFTER).await;
        lab.check(expect![[r#"
            the model is told: Today is Saturday, 2026-11-28 (UTC).
            a program runs at 2026-11-28T23:59:50.5Z
            a program runs at 2026-11-28T23:59:50.5Z
            the model is told: Today is Saturday, 2026-11-28 (UTC).
        "#]]);
        assert_eq!(talk.written().await, "Time(2026-11-28T23:59:50Z)");
        // The next turn has the next day.
        talk.say("look", "list a", AFTER).await;
        lab.check(expect![[r#"
            the model is told: Today is Sunday, 2026-11-29 (UTC).
            a program runs at 2026-11-29T00:00:10Z
            a program runs at 2026-11-29T00:00:10Z
            the model is told: Today is Sunday, 2026-11-29 (UTC).
        "#]]);
        talk.conversation.close().unwrap();
        drop(talk);
        let state = lab.state(sessions);
        let times = state.turns.iter().map(|turn| turn.now.unwrap().to_string());
        assert_eq!(times.collect::<Vec<_>>(), [BEFORE, AFTER]);
        // Resumed a year later, the write has the time that it had.
        lab.set("2027-12-24T12:00:00Z");
        let mut talk = lab.open(sessions, machine().await, WorldKind::Memory).await;
        assert_eq!(talk.written().await, "Time(2026-11-28T23:59:50Z)");
        talk.say("look again", "list a", AFTER).await;
        lab.check(expect![[r#"
            the model is told: Today is Friday, 2027-12-24 (UTC).
            a program runs at 2027-12-24T12:00:00Z
            a program runs at 2027-12-24T12:00:00Z
            the model is told: Today is Friday, 2027-12-24 (UTC).
        "#]]);
    });
}

#[test]
fn a_turn_that_is_carried_on_keeps_its_time() {
    let (lab, folder) = (Lab::new(), tempfile::tempdir().unwrap());
    let place = tempfile::tempdir().unwrap();
    let world = || -> Arc<dyn World> {
        let world = DiskWorld::open(place.path(), Clock::System).unwrap();
        Arc::new(world)
    };
    block_on(async {
        let talk = lab.open(folder.path(), world(), WorldKind::Disk).await;
        tokio::select! {
            biased;
            () = lab.hangs.notified() => {}
            _ = talk.conversation.say("look") => panic!("the model does not answer"),
        }
        drop(talk);
        lab.check(expect![[r#"
            the model is told: Today is Saturday, 2026-11-28 (UTC).
        "#]]);
        lab.set(AFTER);
        let answers = [
            goal(1, "final", "list a"),
            "<turn>Agent: Done.</turn>".into(),
        ];
        lab.answers.lock().unwrap().extend(answers);
        let talk = lab.open(folder.path(), world(), WorldKind::Disk).await;
        talk.conversation.carry_on().await.unwrap().unwrap();
        lab.check(expect![[r#"
            the model is told: Today is Saturday, 2026-11-28 (UTC).
            a program runs at 2026-11-28T23:59:50.5Z
            a program runs at 2026-11-28T23:59:50.5Z
            the model is told: Today is Saturday, 2026-11-28 (UTC).
        "#]]);
    });
}

/// A turn of a session from before turns had times is carried on as it began.
#[test]
fn a_turn_without_a_time_is_carried_on_without_one() {
    let (lab, folder) = (Lab::new(), tempfile::tempdir().unwrap());
    block_on(async {
        let world = S3.initial_world("zoology").unwrap();
        let talk = lab.open(folder.path(), world, WorldKind::Memory).await;
        talk.conversation.close().unwrap();
        drop(talk);
        let journal = lab.store(folder.path()).resume("it").unwrap();
        journal.said(1, "look").unwrap();
        drop(journal);
        let answers = [
            goal(1, "final", "return 1"),
            "<turn>Agent: Done.</turn>".into(),
        ];
        lab.answers.lock().unwrap().extend(answers);
        let world = S3.initial_world("zoology").unwrap();
        let talk = lab.open(folder.path(), world, WorldKind::Memory).await;
        talk.conversation.carry_on().await.unwrap().unwrap();
        lab.check(expect![[r#"
            a program runs at 2024-01-01T00:00:00Z
            a program runs at 2024-01-01T00:00:00Z
        "#]]);
    });
}

#[test]
fn a_world_with_its_own_time_keeps_it() {
    let (lab, folder) = (Lab::new(), tempfile::tempdir().unwrap());
    block_on(async {
        let world: Arc<dyn World> = S3.initial_world("empty").unwrap();
        call_all(&*world, "make a").await;
        let mut talk = lab.open(folder.path(), world, WorldKind::Memory).await;
        talk.say("write one", "put a/one 1", AFTER).await;
        talk.say("look", "list a", AFTER).await;
        lab.check(expect![[r#"
            the model is told: Today is Wednesday, 2024-05-01 (UTC).
            a program runs at 2024-05-01T09:00:01Z
            a program runs at 2024-05-01T09:00:01Z
            the model is told: Today is Wednesday, 2024-05-01 (UTC).
            the model is told: Today is Wednesday, 2024-05-01 (UTC).
            a program runs at 2024-05-01T09:00:02Z
            a program runs at 2024-05-01T09:00:02Z
            the model is told: Today is Wednesday, 2024-05-01 (UTC).
        "#]]);
        assert_eq!(talk.written().await, "Time(2024-05-01T09:00:01Z)");
    });
}
