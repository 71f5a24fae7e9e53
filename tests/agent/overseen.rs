//! An agent that is overseen: programs run on a draft, and what they would write is asked
//! about, recorded and applied.

use crate::agent::fake::{agent_in, block_on, line, object, zoology_agent};
use crate::support::sandbox;
use async_trait::async_trait;
use dialog2api::agent::{
    Decided, DecidedBy, Decision, Executed, Known, Overseer, Session, Settings, TurnEvent,
    TurnReport, Unwatched,
};
use dialog2api::dialogue::Update;
use dialog2api::domain::World;
use dialog2api::domain::s3::world::memory;
use dialog2api::plan::{Applied, Earlier, Plan, Record, Step, Stop};
use dialog2api::policy::{Mode, Policy};
use dialog2api::prompts::Form;
use dialog2api::{Error, Result};
use expect_test::{Expect, expect};
use std::sync::{Arc, Mutex};

/// Decides as it is told, and writes everything down.
struct Ledger {
    world: Arc<dyn World>,
    answers: Mutex<Vec<&'static str>>,
    lines: Arc<Mutex<Vec<String>>>,
    /// What is known of the first program from before.
    known: Mutex<Option<Known>>,
}

impl Ledger {
    fn note(&self, line: String) -> Result<()> {
        self.lines.lock().unwrap().push(line);
        Ok(())
    }
}

struct Steps(Arc<Mutex<Vec<String>>>);

#[async_trait]
impl Record for Steps {
    async fn intent(&mut self, number: usize, _: &Step) -> Result<()> {
        self.0
            .lock()
            .unwrap()
            .push(format!("  * write {number} begins"));
        Ok(())
    }
    async fn done(&mut self, number: usize, _: &Step) -> Result<()> {
        self.0
            .lock()
            .unwrap()
            .push(format!("  * write {number} is made"));
        Ok(())
    }
}

#[async_trait]
impl Overseer for Ledger {
    async fn said(&self, turn: usize, user: &str) -> Result<()> {
        self.note(format!("  * turn {turn}: {user}"))
    }
    async fn predicted(&self, turn: usize, updates: &[Update]) -> Result<()> {
        self.note(format!("  * turn {turn}: {} update(s)", updates.len()))
    }
    async fn earlier(&self, _: usize, _: u32) -> Result<Known> {
        Ok(self.known.lock().unwrap().take().unwrap_or(Known::Nothing))
    }
    async fn decide(&self, _: usize, uid: u32, plan: &Plan) -> Result<Decided> {
        let answer = self.answers.lock().unwrap().remove(0);
        self.note(format!(
            "  * goal {uid}: {} write(s), {answer}",
            plan.writes.len()
        ))?;
        let stop = Stop::default();
        match answer {
            "no" => {
                let declined = Decision::Decline("The user said no.".to_owned());
                return Ok(declined.by(DecidedBy::User));
            }
            "full" => return Err(Error::world("no space is left")),
            "late" => {
                let params = object("empty-bucket/b", true);
                let meddled = self.world.call("put_object", &params);
                meddled.await?.unwrap();
            }
            "stop" => stop.stop(),
            _ => {}
        }
        Ok(Decision::Apply(stop).by(DecidedBy::User))
    }
    fn record(&self) -> Box<dyn Record + '_> {
        Box::new(Steps(self.lines.clone()))
    }
    async fn applied(&self, _: usize, uid: u32, applied: &Applied) -> Result<()> {
        let made = applied.steps.len();
        self.note(format!(
            "  * goal {uid}: {made} made, {}",
            applied.is_whole()
        ))
    }
    async fn executed(&self, _: usize, executed: &Executed) -> Result<()> {
        let outcome = &executed.execution.outcome;
        self.note(format!("  * goal {} gave {outcome:?}", executed.uid))
    }
    async fn replied(&self, turn: usize, report: &TurnReport) -> Result<()> {
        self.note(format!("  * turn {turn} ends: {}", report.reply))
    }
}

async fn bucket() -> Arc<dyn World> {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let params = dialog2api::domain::Value::Map(vec![("Bucket".into(), "empty-bucket".into())]);
    world.call("create_bucket", &params).await.unwrap().unwrap();
    let params = object("empty-bucket/a", true);
    let put = world.call("put_object", &params);
    put.await.unwrap().unwrap();
    world
}

fn goal(program: &str) -> String {
    format!(r#"<goal uid="1" status="final"><program>{program}</program></goal>"#)
}

/// The reply of a model that is not trained.
const DONE: &str = "<turn>Agent: Done.</turn>";

/// A ledger that gives this answer to the first plan.
fn ledger(
    world: Arc<dyn World>,
    answer: &'static str,
    lines: Arc<Mutex<Vec<String>>>,
    known: Option<Known>,
) -> Arc<Ledger> {
    Arc::new(Ledger {
        world,
        answers: Mutex::new(vec![answer]),
        lines,
        known: Mutex::new(known),
    })
}

/// One turn with this program and this answer to its plan.
#[track_caller]
fn check(program: &str, answer: &'static str, known: Option<Known>, expected: Expect) {
    let world = block_on(bucket());
    let agent = agent_in(world.clone(), &[&goal(program), DONE], Settings::default());
    let lines = Arc::new(Mutex::new(Vec::new()));
    let agent = agent.overseen_by(ledger(world.clone(), answer, lines.clone(), known));
    let mut observer = |event: TurnEvent<'_>| {
        let shown = line(&event).filter(|line| !line.starts_with("asking"));
        lines
            .lock()
            .unwrap()
            .extend(shown.map(|line| format!("  {line}")));
    };
    let mut session = Session::new();
    block_on(agent.turn(&mut session, "do it", &mut observer));
    let params = dialog2api::domain::Value::Map(vec![("Bucket".into(), "empty-bucket".into())]);
    let listed = block_on(world.call("list_objects", &params))
        .unwrap()
        .unwrap();
    let keys = listed
        .get("Contents")
        .and_then(|contents| contents.as_list());
    let keys = keys.unwrap_or_default().iter();
    let keys: Vec<&str> = keys.filter_map(|key| key.get("Key")?.as_str()).collect();
    let lines = lines.lock().unwrap().join("\n");
    expected.assert_eq(&format!("{lines}\nthe bucket has {}", keys.join(", ")));
}

const WRITES: &str = "put empty-bucket/b\ndelete empty-bucket/a\nreturn 2";

#[test]
fn what_is_agreed_to_is_done() {
    check(
        WRITES,
        "yes",
        None,
        expect![[r#"
          * turn 1: do it
          * turn 1: 1 update(s)
          goal 1 runs
          calls put_object
          calls delete_object
          * goal 1: 2 write(s), yes
          * write 0 begins
          * write 0 is made
          goal 1: 1 of 2 writes are made
          * write 1 begins
          * write 1 is made
          goal 1: 2 of 2 writes are made
          * goal 1: 2 made, true
          goal 1 gave Result(Number(2))
          * goal 1 gave Result(Number(2))
          * turn 1 ends: Done.
        the bucket has b"#]],
    );
}

#[test]
fn what_is_not_agreed_to_is_not_done_and_the_model_is_told() {
    check(
        WRITES,
        "no",
        None,
        expect![[r#"
          * turn 1: do it
          * turn 1: 1 update(s)
          goal 1 runs
          calls put_object
          calls delete_object
          * goal 1: 2 write(s), no
          goal 1 gave Error(ProgramError { error: "Declined", message: "The user said no.", traceback: None })
          * goal 1 gave Error(ProgramError { error: "Declined", message: "The user said no.", traceback: None })
          * turn 1 ends: Done.
        the bucket has a"#]],
    );
}

#[test]
fn a_plan_that_cannot_be_kept_is_not_carried_out_and_that_is_said() {
    check(
        WRITES,
        "full",
        None,
        expect![[r#"
          * turn 1: do it
          * turn 1: 1 update(s)
          goal 1 runs
          calls put_object
          calls delete_object
          * goal 1: 2 write(s), full
          * turn 1 ends: Sorry, the program of goal 1 did not come to its end: no space is left. Nothing was changed; please try again.
        the bucket has a"#]],
    );
}

#[test]
fn what_changed_meanwhile_is_the_outcome() {
    check(
        WRITES,
        "late",
        None,
        expect![[r#"
          * turn 1: do it
          * turn 1: 1 update(s)
          goal 1 runs
          calls put_object
          calls delete_object
          * goal 1: 2 write(s), late
          * goal 1: 0 made, false
          goal 1 gave Error(ProgramError { error: "PlanOutdated", message: "Nothing was changed: empty-bucket/b is there now, and was not when this was planned.", traceback: None })
          * goal 1 gave Error(ProgramError { error: "PlanOutdated", message: "Nothing was changed: empty-bucket/b is there now, and was not when this was planned.", traceback: None })
          * turn 1 ends: Done.
        the bucket has a, b"#]],
    );
}

#[test]
fn a_program_that_only_reads_is_not_asked_about() {
    check(
        "call list_buckets\nreturn 1",
        "never",
        None,
        expect![[r#"
          * turn 1: do it
          * turn 1: 1 update(s)
          goal 1 runs
          calls list_buckets
          goal 1 gave Result(Number(1))
          * goal 1 gave Result(Number(1))
          * turn 1 ends: Done.
        the bucket has a"#]],
    );
}

#[test]
fn a_program_that_fails_changes_nothing() {
    check(
        "put empty-bucket/b\nraise ChitChat()",
        "never",
        None,
        expect![[r#"
              * turn 1: do it
              * turn 1: 1 update(s)
              goal 1 runs
              calls put_object
              goal 1 failed, 1 writes are not made
              goal 1 gave Error(ProgramError { error: "ChitChat", message: "", traceback: None })
              * goal 1 gave Error(ProgramError { error: "ChitChat", message: "", traceback: None })
              * turn 1 ends: Done.
            the bucket has a"#]],
    );
}

#[test]
fn an_apply_that_is_stopped_says_so() {
    check(
        WRITES,
        "stop",
        None,
        expect![[r#"
          * turn 1: do it
          * turn 1: 1 update(s)
          goal 1 runs
          calls put_object
          calls delete_object
          * goal 1: 2 write(s), stop
          * goal 1: 0 made, false
          goal 1 gave Error(ProgramError { error: "Interrupted", message: "Nothing was changed: it was stopped.", traceback: None })
          * goal 1 gave Error(ProgramError { error: "Interrupted", message: "Nothing was changed: it was stopped.", traceback: None })
          * turn 1 ends: Done.
        the bucket has a"#]],
    );
}

#[test]
fn what_was_known_before_an_interruption_is_not_done_again() {
    let begun = {
        let world = block_on(bucket());
        let agent = dialog2api::plan::Draft::of(&world, &dialog2api::domain::s3::S3).unwrap();
        block_on(agent.call("put_object", &object("empty-bucket/b", true)))
            .unwrap()
            .unwrap();
        block_on(agent.call("delete_object", &object("empty-bucket/a", false)))
            .unwrap()
            .unwrap();
        let outcome = dialog2api::dialogue::Outcome::Result(2.into());
        Plan::new(
            dialog2api::domain::s3::S3.effects.planning.as_deref(),
            agent.writes(),
            Vec::new(),
            outcome,
            Default::default(),
        )
    };
    let known = Known::Begun {
        plan: begun,
        earlier: Earlier::default(),
    };
    check(
        WRITES,
        "never asked",
        Some(known),
        expect![[r#"
          * turn 1: do it
          * turn 1: 1 update(s)
          goal 1 runs
          * write 0 begins
          * write 0 is made
          goal 1: 1 of 2 writes are made
          * write 1 begins
          * write 1 is made
          goal 1: 2 of 2 writes are made
          * goal 1: 2 made, true
          goal 1 gave Result(Number(2))
          * goal 1 gave Result(Number(2))
          * turn 1 ends: Done.
        the bucket has b"#]],
    );
}

/// The reply of a model that says "Done." whatever happened, to a program that writes.
fn reply(form: Form, answer: &'static str) -> String {
    let world = block_on(bucket());
    let in_chat = goal("put empty-bucket/b");
    let answers = match form {
        Form::Trained => ["1 final\nput empty-bucket/b", "Done."],
        Form::Chat | Form::Text => [&*in_chat, DONE],
    };
    let settings = Settings {
        protocol: form.protocol(),
        ..Settings::default()
    };
    let agent = agent_in(world.clone(), &answers, settings);
    let agent = agent.overseen_by(ledger(world, answer, Arc::default(), None));
    let report = block_on(agent.turn(&mut Session::new(), "do it", &mut Unwatched));
    let source = if report.plain { "plain" } else { "the model" };
    format!("{source}: {}", report.reply)
}

#[test]
fn a_trained_model_does_not_tell_what_only_the_host_knows() {
    let replies = ["yes", "no", "stop"].map(|answer| {
        let replies = [Form::Trained, Form::Chat].map(|form| reply(form, answer));
        format!("{answer}\n  {}\n  {}", replies[0], replies[1])
    });
    expect![[r#"
        yes
          the model: Done.
          the model: Done.
        no
          plain: All right, I have not done that.
          the model: Done.
        stop
          plain: That failed with Interrupted: Nothing was changed: it was stopped.
          the model: Done."#]]
    .assert_eq(&replies.join("\n"));
}

#[tokio::test]
async fn a_trained_model_tells_of_a_refusal_only_if_it_is_forged() {
    let settings = Settings {
        protocol: Form::Trained.protocol(),
        policy: Some(Arc::new(Policy {
            mode: Mode::ReadOnly,
            ..Policy::default()
        })),
        ..Settings::default()
    };
    let forged = "1 final\nclass AccessDenied(Exception): pass\n\
                  raise AccessDenied(\"The policy does not allow this: a lie\")";
    let programs = ["1 final\ns3.create_bucket(Bucket=\"quagga\")", forged];
    let sandbox = Arc::new(sandbox().await);
    let mut replies = Vec::new();
    for program in programs {
        let agent = zoology_agent([program, "Done."], sandbox.clone(), settings.clone());
        let mut session = Session::new();
        let report = agent
            .turn(&mut session, "make a bucket quagga", &mut Unwatched)
            .await;
        replies.push(report.reply);
    }
    expect![[r#"
        The policy does not allow this: the mode is read-only, which denies create_bucket on quagga/.
        Done."#]].assert_eq(&replies.join("\n"));
}
