//! Runs cases in the sandbox on any world, and says which of them differ.

use crate::conformance::cases::{Case, divergences};
use crate::support::sandbox;
use async_trait::async_trait;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::World;
use dialog2api::exec::{Engine, Limits, Seed};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::sync::Arc;

/// Where cases run.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Says in a failure which backend it was.
    fn name(&self) -> &str;

    /// An empty world, whose client talks to the endpoint of `region`. The setup of
    /// a case runs on it.
    async fn start(&self, region: &str) -> Arc<dyn World>;

    /// The world for the program of the case, given the one that its setup ran on.
    async fn after_setup(&self, world: Arc<dyn World>, _region: &str) -> Arc<dyn World> {
        world
    }
}

/// Runs the cases of a file. Fails with id, want and got of each that differs and is
/// not listed on the divergences page, and of each that is listed and does not differ.
/// Answers with the score, in words.
pub async fn check(backend: &dyn Backend, file: &str) -> String {
    let engine = sandbox().await;
    let cases = Case::read(file);
    let listed = divergences();
    let (mut same, mut report) = (0, String::new());
    for case in &cases {
        let got = run(&engine, backend, case).await;
        let differs = difference(case.expected(), &got);
        match (differs, listed.contains(&&*case.id)) {
            (None, false) => same += 1,
            (Some(_), true) => {}
            (None, true) => {
                let _ = writeln!(
                    report,
                    "{}: no longer differs: take it off the page",
                    case.id
                );
            }
            (Some(what), false) => {
                let want = cut(case.expected());
                let _ = writeln!(
                    report,
                    "{}: {what}\n  want {want}\n  got  {}",
                    case.id,
                    cut(&got)
                );
            }
        }
    }
    let divergent = cases
        .iter()
        .filter(|case| listed.contains(&&*case.id))
        .count();
    let score = format!(
        "{same} of {} as recorded, {divergent} divergent",
        cases.len()
    );
    assert!(report.is_empty(), "on {}:\n{report}{score}", backend.name());
    score
}

/// Runs the cases of a file, and says how many pass, of how many, and which do not.
pub async fn passed(backend: &dyn Backend, file: &str) -> (usize, usize, String) {
    let engine = sandbox().await;
    let cases = Case::read(file);
    let (mut same, mut report) = (0, String::new());
    for case in &cases {
        let got = run(&engine, backend, case).await;
        match difference(case.expected(), &got) {
            None => same += 1,
            Some(what) => {
                let want = cut(case.expected());
                let _ = writeln!(
                    report,
                    "{}: {what}\n  want {want}\n  got  {}",
                    case.id,
                    cut(&got)
                );
            }
        }
    }
    (same, cases.len(), report)
}

/// What a case gives here: `{"return": …}` or `{"error": {…}}`, as it was recorded.
pub async fn run(engine: &Engine, backend: &dyn Backend, case: &Case) -> Json {
    let world = backend.start(&case.client_region).await;
    if !case.setup.is_empty() {
        let setup = execute(engine, &case.setup, &world).await;
        if let Outcome::Error(error) = setup {
            return json!({"setup": format!("{}: {}", error.error, error.message)});
        }
    }
    let world = backend.after_setup(world, &case.client_region).await;
    match execute(engine, &wrapped(&case.program), &world).await {
        Outcome::Result(json) => json,
        Outcome::Error(error) => json!({"limit": format!("{}: {}", error.error, error.message)}),
    }
}

async fn execute(engine: &Engine, program: &str, world: &Arc<dyn World>) -> Outcome {
    let (limits, seed) = (Limits::default(), Seed::default());
    let ran = engine.run(program, world, &limits, &seed).await;
    ran.expect("the sandbox works").outcome
}

/// Wraps the program in code that converts its result or exception to the recorded form.
fn wrapped(program: &str) -> String {
    let lines: Vec<String> = program
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect();
    format!(
        "def program():\n{}\n{}",
        lines.concat(),
        include_str!("recorded.py")
    )
}

/// The first thing that differs; what was not recorded is not compared.
pub fn difference(want: &Json, got: &Json) -> Option<String> {
    if let Some(value) = want.get("return") {
        return (got.get("return") != Some(value)).then(|| "another result".to_owned());
    }
    let (Some(Json::Object(want)), Some(got)) = (want.get("error"), got.get("error")) else {
        return Some("not an error".to_owned());
    };
    let other = want
        .iter()
        .find(|(field, value)| got.get(field) != Some(value));
    other.map(|(field, _)| format!("another {field}"))
}

fn cut(json: &Json) -> String {
    json.to_string().chars().take(1500).collect()
}
