//! The dry run: which instances of the sandbox a turn takes, and what is sent back.

use crate::agent::fake::{goal, zoology_agent};
use crate::support::sandbox;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::{Assist, Sandbox, Session, Settings, Unwatched};
use dialog2api::dialogue::ProgramError;
use dialog2api::domain::World;
use dialog2api::exec::{Engine, Execution, Limits, Seed};
use dialog2api::prompts::Form;
use expect_test::{Expect, expect};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

const DONE: &str = "<turn>Agent: Done.</turn>";

/// A sandbox that notes what each of its instances is for.
struct Noted {
    engine: Engine,
    notes: Mutex<Vec<&'static str>>,
}

#[async_trait]
impl Sandbox for Noted {
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
    ) -> Result<Execution> {
        self.notes.lock().unwrap().push("run");
        self.engine.run(program, world, limits, seed).await
    }

    async fn check(&self, program: &str) -> Result<Option<ProgramError>> {
        self.notes.lock().unwrap().push("read");
        self.engine.check(program).await
    }
}

/// One turn with these answers: the instances, and what was wrong with each answer.
async fn check(assist: &str, answers: &[&str], expected: Expect) {
    let settings = Settings {
        assist: assist.parse::<Assist>().unwrap(),
        ..Settings::default()
    };
    check_with(settings, answers, expected).await;
}

async fn check_with(settings: Settings, answers: &[&str], expected: Expect) {
    let noted = Arc::new(Noted {
        engine: sandbox().await,
        notes: Mutex::default(),
    });
    let answers = answers.iter().chain(&[DONE]).copied();
    let agent = zoology_agent(answers, noted.clone(), settings);
    let mut session = Session::new();
    let report = agent
        .turn(&mut session, "how many buckets?", &mut Unwatched)
        .await;
    let mut seen = noted.notes.lock().unwrap().join(", ");
    for exchange in &report.exchanges {
        if let Some(finding) = &exchange.finding {
            write!(seen, "\n{finding}").unwrap();
        }
    }
    expected.assert_eq(&seen);
}

const COUNT: &str = "return len(s3.list_buckets()[\"Buckets\"])";

#[tokio::test]
async fn a_program_that_is_rehearsed_is_not_read_before() {
    check("usual", &[&goal(1, "final", COUNT)], expect!["run, run"]).await;
}

#[tokio::test]
async fn a_draft_is_read() {
    let draft = goal(1, "drafting", "return s3.list_objects(Bucket=?1)");
    check("usual", &[&draft], expect!["read"]).await;
}

#[tokio::test]
async fn a_complete_draft_is_run_before_the_user_is_asked() {
    let delete = |key: &str| {
        let program = format!("s3.delete_object(Bucket=\"zoology-bucket\", Key={key})");
        goal(1, "drafting", &program)
    };
    let answers = [&*delete("name"), &delete("\"sightings.csv\"")];
    check(
        "usual",
        &answers,
        expect![[r#"
        run, read, run
        the program of goal 1 would end with NameError: name 'name' is not defined"#]],
    )
    .await;
}

#[tokio::test]
async fn a_draft_is_run_after_the_final_programs_which_run_once() {
    let write = goal(
        1,
        "final",
        "s3.put_object(Bucket=\"zoology-bucket\", Key=\"new.txt\", Body=\"a\")",
    );
    let remove = goal(
        2,
        "drafting",
        "s3.copy_object(Bucket=\"zoology-bucket\", CopySource=\"zoology-bucket/new.txt\", Key=\"moved.txt\")\n\
         s3.delete_object(Bucket=\"zoology-bucket\", Key=\"new.txt\")",
    );
    // The two programs are rehearsed, and the final one runs.
    check(
        "usual",
        &[&[write, remove].concat()],
        expect!["run, run, run"],
    )
    .await;
}

#[tokio::test]
async fn without_the_dry_run_every_program_is_read() {
    check("repair", &[&goal(1, "final", COUNT)], expect!["read, run"]).await;
}

#[tokio::test]
async fn what_is_not_python_is_said_to_be_that() {
    let answers = [&*goal(1, "final", "return len("), &goal(1, "final", COUNT)];
    check("usual", &answers, expect![[r#"
        run, read, run, run
        the program of goal 1 is not Python: SyntaxError: '(' was never closed (line 1, column 11)"#]]).await;
}

#[tokio::test]
async fn a_misspelt_parameter_is_sent_back() {
    // The name is not in the call, so reading the program does not find it.
    let misspelt =
        "name = \"Max\" + \"Bucket\"\nreturn len(s3.list_buckets(**{name: 9})[\"Buckets\"])";
    let answers = [&*goal(1, "final", misspelt), &goal(1, "final", COUNT)];
    check("usual", &answers, expect![[r#"
        run, read, run, run
        the program of goal 1 would end with ParamValidationError: Parameter validation failed:
        Unknown parameter in input: "MaxBucket", must be one of: MaxBuckets, ContinuationToken, Prefix, BucketRegion"#]]).await;
}

#[tokio::test]
async fn a_trained_model_draws_until_a_program_has_no_accident() {
    let settings = Settings {
        protocol: Form::Trained.protocol(),
        ..Settings::default()
    };
    let answers = [
        "1 final\nreturn count",
        "1 final\nreturn len(",
        "1 final\nreturn counted",
        "1 final\nreturn 3",
    ];
    check_with(
        settings,
        &answers,
        expect![[r#"
        run, read, run, read, run, read, run, run
        the program of goal 1 would end with NameError: name 'count' is not defined
        the program of goal 1 is not Python: SyntaxError: '(' was never closed (line 1, column 11)
        the program of goal 1 would end with NameError: name 'counted' is not defined"#]],
    )
    .await;
}

#[tokio::test]
async fn a_program_that_parses_text_is_python() {
    let answers = [
        &*goal(1, "final", "return eval(\"1 +\")"),
        &goal(1, "final", COUNT),
    ];
    check(
        "usual",
        &answers,
        expect![[r#"
        run, read, run, run
        the program of goal 1 would end with SyntaxError: invalid syntax"#]],
    )
    .await;
}
