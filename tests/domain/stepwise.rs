//! Programs on a world that cannot be copied: each write is shown, decided on and made, and
//! the program runs on from there.

use super::agent::Lines;
use super::todo;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::{
    Agent, Decided, DecidedBy, Decision, Overseer, Sandbox, Session, Settings, Unwatched,
};
use dialog2api::dialogue::{Outcome, ProgramError};
use dialog2api::domain::{Answer, Domain, Signer, Value, World};
use dialog2api::error::Error;
use dialog2api::exec::{Execution, Limits, Seed};
use dialog2api::llm::Script;
use dialog2api::plan::{Applied, Plan, Stop};
use dialog2api::retrieval::ExamplePool;
use expect_test::{Expect, expect};
use serde_json::json;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A to-do list somewhere else: it has no copies. Notes its calls.
struct Elsewhere {
    list: Arc<dyn World>,
    seen: Arc<Mutex<String>>,
    /// The operation that gets no answer.
    silent: &'static str,
    /// The operation during which the user presses Ctrl-C.
    stopped_in: &'static str,
    stop: Stop,
}

#[async_trait]
impl World for Elsewhere {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let answer = self.list.call(operation, params).await?;
        if operation == self.stopped_in {
            self.stop.stop();
        }
        let mut seen = self.seen.lock().unwrap();
        let end = if answer.is_ok() { "" } else { " refused" };
        let _ = writeln!(seen, "call: {operation}{end}");
        if operation == self.silent {
            return Err(Error::world("no answer"));
        }
        Ok(answer)
    }
    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }
    async fn state(&self, _: &mut Signer) -> Result<()> {
        Ok(())
    }
    fn call_lines(&self, operation: &str, _: &Value) -> Vec<String> {
        vec![format!("POST /{operation}")]
    }
    fn describe(&self) -> String {
        "a list elsewhere".to_owned()
    }
}

/// Agrees to the first plans only.
struct Agrees {
    plans: usize,
    stop: Stop,
    seen: Arc<Mutex<String>>,
}

#[async_trait]
impl Overseer for Agrees {
    async fn decide(&self, _: usize, _: u32, plan: &Plan) -> Result<Decided> {
        let mut seen = self.seen.lock().unwrap();
        for effect in plan.effects.iter() {
            let lines = effect.lines.join(", ");
            let _ = writeln!(seen, "plan: {:?} {} ({lines})", effect.effect, effect.place);
        }
        let asked = seen.matches("plan: ").count();
        let decision = match asked <= self.plans {
            true => Decision::Apply(self.stop.clone()),
            false => Decision::Decline("The user declined it.".to_owned()),
        };
        Ok(decision.by(DecidedBy::User))
    }
    async fn applied(&self, _: usize, _: u32, applied: &Applied) -> Result<()> {
        let end = format!("{:?}", applied.end);
        let end = end.split([' ', '(', '{']).next().unwrap_or_default();
        let _ = writeln!(self.seen.lock().unwrap(), "applied: {end}");
        Ok(())
    }
}

/// Runs other lines from its second run on.
struct Wavers {
    from: &'static str,
    to: &'static str,
    runs: AtomicUsize,
}

#[async_trait]
impl Sandbox for Wavers {
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
    ) -> Result<Execution> {
        let is_first = self.runs.fetch_add(1, Ordering::SeqCst) == 0;
        let from = if is_first { "" } else { self.from };
        let program = match from {
            "" => program.to_owned(),
            from => program.replace(from, self.to),
        };
        Lines.run(&program, world, limits, seed).await
    }

    async fn check(&self, _: &str) -> Result<Option<ProgramError>> {
        Ok(None)
    }
}

/// One turn with this program, where the user agrees to some plans.
async fn check(program: &str, plans: usize, silent: &'static str, expected: Expect) {
    check_in(Arc::new(Lines), program, plans, [silent, ""], expected).await;
}

/// The same, with what runs the program, and with the operation that gets no answer and the
/// one during which the user presses Ctrl-C.
async fn check_in(
    sandbox: Arc<dyn Sandbox>,
    program: &str,
    plans: usize,
    [silent, stopped_in]: [&'static str; 2],
    expected: Expect,
) {
    let mut domain = Domain::clone(&todo::domain());
    domain.effects.is_stepwise = true;
    let domain = Arc::new(domain);
    let seen = Arc::new(Mutex::new(String::new()));
    let stop = Stop::default();
    let world: Arc<dyn World> = Arc::new(Elsewhere {
        list: todo::Todo::world(json!({"home": {"dishes": ""}})),
        seen: seen.clone(),
        silent,
        stopped_in,
        stop: stop.clone(),
    });
    let goal = format!("<goal uid=\"1\" status=\"final\"><program>\n{program}\n</program></goal>");
    let script = [goal, "<turn>Agent: Done.</turn>".to_owned()];
    let agent = Agent::new(
        Arc::new(Script::new(script)),
        sandbox,
        world,
        &domain,
        Arc::new(ExamplePool::built_in(&domain).unwrap()),
        Settings::default(),
    );
    let overseer = Arc::new(Agrees {
        plans,
        stop,
        seen: seen.clone(),
    });
    let agent = agent.unwrap().overseen_by(overseer);
    let mut session = Session::new();
    agent.turn(&mut session, "do it", &mut Unwatched).await;
    let mut seen = seen.lock().unwrap().clone();
    for goal in session.stack().goals() {
        let _ = match &goal.outcome {
            Some(Outcome::Error(error)) => writeln!(seen, "{}: {}", error.error, error.message),
            Some(Outcome::Result(value)) => writeln!(seen, "result: {value}"),
            None => writeln!(seen, "no outcome"),
        };
    }
    expected.assert_eq(&seen);
}

const TWO: &str = r#"list_tasks {"List": "home"}
add_task {"List": "home", "Title": "seeds"}
list_tasks {"List": "home"}
delete_task {"List": "home", "Title": "dishes"}
list_tasks {"List": "home"}"#;

#[tokio::test]
async fn each_write_is_a_plan_and_no_call_is_made_twice() {
    check(
        TWO,
        2,
        "",
        expect![[r#"
            call: list_tasks
            call: list_tasks
            plan: Create home/seeds (POST /add_task)
            call: add_task
            applied: Whole
            call: list_tasks
            call: list_tasks
            plan: Delete home/dishes (POST /delete_task)
            call: delete_task
            applied: Whole
            call: list_tasks
            result: "Map([(\"seeds\", Str(\"\"))])"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_is_declined_ends_the_program_and_says_what_was_done() {
    check(
        TWO,
        1,
        "",
        expect![[r#"
            call: list_tasks
            call: list_tasks
            plan: Create home/seeds (POST /add_task)
            call: add_task
            applied: Whole
            call: list_tasks
            call: list_tasks
            plan: Delete home/dishes (POST /delete_task)
            Declined: The user declined it. Before that, 1 write was made: add_task.
        "#]],
    )
    .await;
    check(
        TWO,
        0,
        "",
        expect![[r#"
            call: list_tasks
            call: list_tasks
            plan: Create home/seeds (POST /add_task)
            Declined: The user declined it.
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_refused_write_is_told_to_the_program() {
    let program = r#"delete_task {"List": "home", "Title": "nothing"}"#;
    check(
        program,
        1,
        "",
        expect![[r#"
            call: list_tasks
            plan: Delete home/nothing (POST /delete_task)
            call: delete_task refused
            applied: Refused
            Refused: NotFound: there is no nothing
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_write_without_an_answer_is_not_repeated() {
    check(
        TWO,
        2,
        "add_task",
        expect![[r#"
        call: list_tasks
        call: list_tasks
        plan: Create home/seeds (POST /add_task)
        call: add_task
        applied: Unknown
        ConnectionLost: Whether the first write was made is not known: no answer.
    "#]],
    )
    .await;
}

#[tokio::test]
async fn ctrl_c_during_a_write_ends_the_program_after_it() {
    check_in(
        Arc::new(Lines),
        TWO,
        2,
        ["", "add_task"],
        expect![[r#"
            call: list_tasks
            call: list_tasks
            plan: Create home/seeds (POST /add_task)
            call: add_task
            applied: Whole
            Interrupted: the program was stopped. Before that, 1 write was made: add_task.
        "#]],
    )
    .await;
}

/// A program that would do something else after a write than before it is stopped, and what
/// it has done is told.
#[tokio::test]
async fn a_program_that_does_something_else_is_stopped() {
    let wavers = |from, to| {
        Arc::new(Wavers {
            from,
            to,
            runs: AtomicUsize::new(0),
        })
    };
    let other_read = wavers("list_tasks {\"List\": \"home\"}\nadd", "add");
    check_in(other_read, TWO, 2, ["", ""], expect![[r#"
        call: list_tasks
        call: list_tasks
        plan: Create home/seeds (POST /add_task)
        call: add_task
        applied: Whole
        Diverged: the program was stopped: call 1 is add_task, and was list_tasks in the run before. Before that, 1 write was made: add_task.
    "#]]).await;
    let other_write = wavers("seeds", "weeds");
    check_in(other_write, TWO, 2, ["", ""], expect![[r#"
        call: list_tasks
        call: list_tasks
        plan: Create home/seeds (POST /add_task)
        call: add_task
        applied: Whole
        Diverged: the program was stopped: call 2, add_task, had other arguments in the run before. Before that, 1 write was made: add_task.
    "#]]).await;
}
