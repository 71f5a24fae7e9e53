//! A to-do list under the agent, the policy, the plan and the signature: a domain needs no
//! line in any of them.

use super::todo::{Todo, domain};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::{
    Agent, Decided, DecidedBy, Decision, Overseer, Sandbox, Session, Settings, Unwatched,
};
use dialog2api::dialogue::{Outcome, ProgramError};
use dialog2api::domain::{World, signature};
use dialog2api::exec::{EndedBy, Execution, Limits, Seed};
use dialog2api::llm::Script;
use dialog2api::plan::{Applied, Apply, Keeping, Plan, Step, Stop, Unrecorded, undo};
use dialog2api::policy::Policy;
use dialog2api::retrieval::ExamplePool;
use expect_test::{Expect, expect};
use serde_json::json;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Runs programs of lines `operation {parameters as JSON}`; the last answer is the result.
pub struct Lines;

#[async_trait]
impl Sandbox for Lines {
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        _: &Limits,
        _: &Seed,
    ) -> Result<Execution> {
        let mut outcome = Outcome::Result(json!(null));
        for line in program.lines() {
            let (operation, params) = crate::policy::call(line);
            match world.call(operation, &params).await? {
                Ok(answer) => outcome = Outcome::Result(json!(format!("{answer:?}"))),
                Err(refusal) => {
                    outcome = Outcome::Error(ProgramError {
                        error: "Refused".to_owned(),
                        message: format!("{}: {}", refusal.code, refusal.message),
                        traceback: None,
                    });
                    break;
                }
            }
        }
        Ok(Execution {
            outcome,
            calls: Arc::default(),
            output: String::new(),
            elapsed: Duration::ZERO,
            ended_by: EndedBy::Program,
            unread: Vec::new(),
            touched: None,
        })
    }

    async fn check(&self, _: &str) -> Result<Option<ProgramError>> {
        Ok(None)
    }
}

/// Agrees to every plan, and keeps the plan and what was done.
#[derive(Default)]
struct Agrees {
    plans: Mutex<Vec<Plan>>,
    steps: Mutex<Vec<Step>>,
}

#[async_trait]
impl Overseer for Agrees {
    async fn decide(&self, _: usize, _: u32, plan: &Plan) -> Result<Decided> {
        self.plans.lock().unwrap().push(plan.clone());
        Ok(Decision::Apply(Stop::default()).by(DecidedBy::User))
    }
    async fn applied(&self, _: usize, _: u32, applied: &Applied) -> Result<()> {
        self.steps.lock().unwrap().extend_from_slice(&applied.steps);
        Ok(())
    }
}

struct Seen {
    world: Arc<dyn World>,
    plans: Vec<Plan>,
    steps: Vec<Step>,
}

/// One turn whose model answers with this program, under a policy; shows what the plan
/// would do, what the agent said and what the world holds then.
async fn check(policy: &str, program: &str, expected: Expect) -> Seen {
    let domain = domain();
    let policy = Policy::read(&format!("version = 1\n{policy}")).unwrap();
    policy.check(&domain).unwrap();
    let world = Todo::world(json!({"home": {"dishes": ""}, "work": {"mail": "today"}}));
    let goal = format!("<goal uid=\"1\" status=\"final\"><program>\n{program}\n</program></goal>");
    let script = [goal, "<turn>Agent: Done.</turn>".to_owned()];
    let overseer = Arc::new(Agrees::default());
    let agent = Agent::new(
        Arc::new(Script::new(script)),
        Arc::new(Lines),
        world.clone(),
        &domain,
        Arc::new(ExamplePool::built_in(&domain).unwrap()),
        Settings {
            policy: Some(Arc::new(policy)),
            ..Settings::default()
        },
    );
    let agent = agent.unwrap().overseen_by(overseer.clone());
    let contents = domain.contents().unwrap();
    let before = contents.summary(&*world).await.unwrap();
    let mut session = Session::new();
    agent.turn(&mut session, "do it", &mut Unwatched).await;
    let plans = std::mem::take(&mut *overseer.plans.lock().unwrap());
    let mut seen = String::new();
    for effect in plans.iter().flat_map(|plan| plan.effects.iter()) {
        let _ = writeln!(seen, "plan: {:?} {}", effect.effect, effect.place);
    }
    for goal in session.stack().goals() {
        if let Some(Outcome::Error(error)) = &goal.outcome {
            let _ = writeln!(seen, "{}: {}", error.error, error.message);
        }
    }
    let after = contents.summary(&*world).await.unwrap();
    for change in contents.changes(&before, &after).unwrap() {
        let _ = writeln!(seen, "world: {change}");
    }
    expected.assert_eq(&seen);
    let steps = std::mem::take(&mut *overseer.steps.lock().unwrap());
    Seen {
        world,
        plans,
        steps,
    }
}

const TIDY_UP: &str = r#"add_task {"List": "home", "Title": "seeds", "Note": "in spring"}
delete_task {"List": "work", "Title": "mail"}"#;

#[tokio::test]
async fn a_program_is_planned_applied_and_undone() {
    let seen = check(
        "",
        TIDY_UP,
        expect![[r#"
            plan: Create home/seeds
            plan: Delete work/mail
            world: + home/seeds
            world: - work/mail
        "#]],
    )
    .await;
    let untouched = Todo::world(json!({"home": {"dishes": ""}, "work": {"mail": "today"}}));
    let before = signature(&*untouched, []).await.unwrap();
    assert_ne!(signature(&*seen.world, []).await.unwrap(), before);
    let domain = domain();
    let planning = domain.effects.planning.as_deref().unwrap();
    let [plan] = seen.plans.as_slice() else {
        panic!("one plan");
    };
    let undo = undo(planning, &plan.writes, &seen.steps, Keeping::default());
    assert_eq!(undo.lost, []);
    let apply = Apply::new(planning, &*seen.world, &undo.plan.writes);
    assert!(apply.run(&mut Unrecorded, &mut |_| ()).await.is_whole());
    assert_eq!(signature(&*seen.world, []).await.unwrap(), before);
}

#[tokio::test]
async fn the_policy_knows_its_paths() {
    let deny = r#"
        [[rule]]
        name = "leave-work-alone"
        effect = "deny"
        access = ["delete"]
        paths = ["work/**"]
    "#;
    check(
        deny,
        TIDY_UP,
        expect![[r#"
            Refused: AccessDenied: The policy does not allow this: rule "leave-work-alone" denies delete_task on work/mail.
        "#]],
    )
    .await;
    check(
        "protected_paths = [\"home\"]",
        TIDY_UP,
        expect![[r#"
            Refused: AccessDenied: The policy does not allow this: protected_paths has "home", which denies add_task on home/seeds.
        "#]],
    )
    .await;
    check(
        "",
        "add_task {}",
        expect![[r#"
            Refused: AccessDenied: The policy does not allow this: add_task names no place that it writes.
        "#]],
    )
    .await;
}

#[test]
fn a_domain_is_freed_with_its_last_handle() {
    let domain = domain();
    let weak = Arc::downgrade(&domain);
    let pool = ExamplePool::built_in(&domain).unwrap();
    drop(domain);
    assert!(weak.upgrade().is_none());
    assert_eq!(pool.examples().len(), 0);
}
