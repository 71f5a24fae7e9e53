//! A model that says what it is told to, a box that runs one-line programs, and
//! a world that only counts. What is under test is the order of things.

use async_trait::async_trait;
use dialog2api::agent::{Agent, Sandbox, Session, Settings, TurnEvent, TurnReport};
use dialog2api::dialogue::{Outcome, ProgramError, write_stack};
use dialog2api::domain::s3::{S3, world::memory};
use dialog2api::domain::{Answer, Map, Signer, Value, World};
use dialog2api::exec::{CallRecord, EndedBy, Execution, Limits, Seed};
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::retrieval::ExamplePool;
use dialog2api::{Error, Result};
use expect_test::Expect;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Answers in order; `DOWN` is a server that does not answer, `LONG`
/// one that cannot read so much, and `CUT reason text` an answer that ended for that reason.
pub struct Script(Mutex<VecDeque<String>>);

impl Script {
    /// These answers.
    pub fn new(answers: impl IntoIterator<Item = impl Into<String>>) -> Script {
        Script(Mutex::new(answers.into_iter().map(Into::into).collect()))
    }
}

#[async_trait]
impl Model for Script {
    fn name(&self) -> &str {
        "script"
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        assert!([0.0, 0.7, 0.9, 1.1].contains(&request.temperature));
        let text = self.0.lock().unwrap().pop_front().expect("one more answer");
        if text == "DOWN" {
            progress(Progress::Waiting {
                delay: Duration::from_secs(2),
                attempt: 1,
                reason: "503",
            });
            return Err(Error::model("the model server answers 503"));
        }
        if text == "LONG" {
            let refusal = "the model server refuses the request: it is too long";
            return Err(Error::prompt_too_long(refusal));
        }
        let (finish, text) = match text.strip_prefix("CUT ").and_then(|it| it.split_once(' ')) {
            Some((reason, text)) => (reason.to_owned(), text.to_owned()),
            None => ("stop".to_owned(), text),
        };
        progress(Progress::Text(&text));
        Ok(Completion {
            text,
            finish: Some(finish),
            usage: Usage {
                prompt_tokens: 100,
                cached_tokens: 0,
                completion_tokens: 10,
                ..Usage::default()
            },
        })
    }
}

/// Runs `return JSON`, `keys N` (returns a listing), `raise Name()`, `call operation`,
/// `put bucket/key`, `delete bucket/key`, `pass …` (does nothing) and `lose` (the world is
/// gone); anything with an open parenthesis left is no program.
pub struct OneLine;

#[async_trait]
impl Sandbox for OneLine {
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        _: &Limits,
        seed: &Seed,
    ) -> Result<Execution> {
        let mut outcome = Outcome::Result(serde_json::Value::Null);
        let mut calls = Vec::new();
        for line in program.lines() {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("return", "seed") => outcome = Outcome::Result(seed.random.into()),
                ("return", json) => outcome = Outcome::Result(serde_json::from_str(json).unwrap()),
                ("keys", count) => {
                    let keys = (0..count.parse().unwrap()).map(|n| format!("2024/03/key-{n:04}"));
                    outcome = Outcome::Result(keys.collect::<Vec<_>>().into());
                }
                ("pass", _) => {}
                ("raise", name) => outcome = Outcome::Error(error(name.trim_end_matches("()"))),
                ("put", place) => {
                    calls.push(called(world, "put_object", &object(place, true)).await?)
                }
                ("delete", place) => {
                    calls.push(called(world, "delete_object", &object(place, false)).await?)
                }
                ("call", operation) => calls.push(called(world, operation, &Value::Null).await?),
                ("lose", _) => return Err(Error::world("the connection is lost")),
                other => panic!("a program that the fake box knows, not {other:?}"),
            }
        }
        Ok(Execution {
            outcome,
            calls: calls.into(),
            output: String::new(),
            elapsed: Duration::ZERO,
            ended_by: EndedBy::Program,
            unread: Vec::new(),
            touched: None,
        })
    }

    async fn check(&self, program: &str) -> Result<Option<ProgramError>> {
        let (open, closed) = (program.matches('(').count(), program.matches(')').count());
        let error = ProgramError {
            message: "'(' was never closed (line 1, column 1)".into(),
            ..error("SyntaxError")
        };
        let token = program.replace("\"?", "").contains('?');
        Ok((open != closed || token).then_some(error))
    }
}

/// Calls an operation, and says what came of it.
async fn called(world: &Arc<dyn World>, operation: &str, params: &Value) -> Result<CallRecord> {
    let answer = world.call(operation, params).await?;
    Ok(CallRecord {
        operation: operation.to_owned(),
        error: answer.err().map(|refusal| refusal.code),
    })
}

/// The parameters that name `bucket/key`, with a content or without.
pub fn object(place: &str, content: bool) -> Value {
    let (bucket, key) = place.split_once('/').unwrap();
    let mut params: Map = vec![("Bucket".into(), bucket.into()), ("Key".into(), key.into())];
    if content {
        params.push(("Body".into(), "text".into()));
    }
    Value::Map(params)
}

fn error(name: &str) -> ProgramError {
    ProgramError {
        error: name.into(),
        message: String::new(),
        traceback: None,
    }
}

/// Its state is the number of calls so far.
#[derive(Default)]
pub struct Counter(AtomicU32);

#[async_trait]
impl World for Counter {
    async fn call(&self, _: &str, _: &Value) -> Result<Answer> {
        self.0.fetch_add(1, Relaxed);
        Ok(Ok(Value::Null))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        signer.field(b'n', &self.0.load(Relaxed).to_be_bytes());
        Ok(())
    }

    fn describe(&self) -> String {
        "a counter".into()
    }
}

/// The goal of an answer.
pub fn goal(uid: u32, status: &str, code: &str) -> String {
    format!("<goal uid=\"{uid}\" status=\"{status}\"><program>\n{code}\n</program></goal>")
}

/// An agent whose model gives these answers, one a request.
pub fn agent(answers: &[&str]) -> Agent {
    agent_with(answers, Settings::default())
}

/// The same, working in another way.
pub fn agent_with(answers: &[&str], settings: Settings) -> Agent {
    agent_in(Arc::new(Counter::default()), answers, settings)
}

/// The same in a world.
pub fn agent_in(world: Arc<dyn World>, answers: &[&str], settings: Settings) -> Agent {
    Agent::new(
        Arc::new(Script::new(answers.iter().copied())),
        Arc::new(OneLine),
        world,
        &S3,
        Arc::new(ExamplePool::built_in(&S3).unwrap()),
        settings,
    )
    .unwrap()
}

/// An agent over the world `zoology` without examples, whose programs run in this sandbox.
pub fn zoology_agent(
    answers: impl IntoIterator<Item = impl Into<String>>,
    sandbox: Arc<dyn Sandbox>,
    settings: Settings,
) -> Agent {
    Agent::new(
        Arc::new(Script::new(answers)),
        sandbox,
        Arc::new(memory("zoology").unwrap()),
        &S3,
        Arc::new(ExamplePool::new(&[], &S3).unwrap()),
        settings,
    )
    .unwrap()
}

/// Says one thing after the other to an agent with these answers, and compares
/// everything that can be seen of it.
pub fn check(answers: &[&str], users: &[&str], expected: Expect) -> (Session, Vec<TurnReport>) {
    check_with(answers, users, Settings::default(), expected)
}

/// The same of an agent that works in another way.
pub fn check_with(
    answers: &[&str],
    users: &[&str],
    settings: Settings,
    expected: Expect,
) -> (Session, Vec<TurnReport>) {
    let agent = agent_with(answers, settings);
    let mut session = Session::new();
    let mut reports = Vec::new();
    let mut seen = String::new();
    for user in users {
        writeln!(seen, "User: {user}").unwrap();
        let mut observer = |event: TurnEvent<'_>| {
            if let Some(line) = line(&event) {
                writeln!(seen, "  {line}").unwrap();
            }
        };
        let report = block_on(agent.turn(&mut session, user, &mut observer));
        writeln!(seen, "Agent: {}", report.reply).unwrap();
        reports.push(report);
    }
    writeln!(seen, "{}", write_stack(session.stack())).unwrap();
    writeln!(seen, "goes on from: {}", session.said()).unwrap();
    expected.assert_eq(&seen);
    (session, reports)
}

pub fn line(event: &TurnEvent<'_>) -> Option<String> {
    Some(match event {
        TurnEvent::Asking { task, repair } => {
            format!("asking for {task:?}{}", if *repair { " again" } else { "" })
        }
        TurnEvent::Shortened { task, examples, of } => {
            format!("{examples} of {of} examples for {task:?}")
        }
        TurnEvent::Waiting { delay, reason, .. } => format!("waiting {delay:?}: {reason}"),
        TurnEvent::Unusable { finding, .. } => format!("unusable: {finding}"),
        TurnEvent::Started { uid } => format!("goal {uid} runs"),
        TurnEvent::Called { operation, .. } => format!("calls {operation}"),
        TurnEvent::Executed { uid, execution } => {
            format!("goal {uid} gave {:?}", execution.outcome)
        }
        TurnEvent::Withheld { uid, writes } => {
            format!("goal {uid} failed, {writes} writes are not made")
        }
        TurnEvent::Applying { uid, made, of } => {
            format!("goal {uid}: {made} of {of} writes are made")
        }
        TurnEvent::Text { .. } | TurnEvent::Restart | TurnEvent::Predicted(_) => return None,
    })
}

pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}
