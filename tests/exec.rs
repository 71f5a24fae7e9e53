//! The sandbox: programs in, their outcomes as text out.
//!
//! What belongs here: Python as programs see it, limits, hostile programs, the
//! boundary. What S3 answers belongs in `crates/s3-world/tests`.

mod boundary;
mod cache;
mod clock;
mod limits;
mod python;

use crate::support;
use dialog2api::dialogue::Outcome;
use dialog2api::exec::{Execution, Limits, Seed};
use expect_test::Expect;
use support::{echo::Echo, sandbox};

async fn run_with(program: &str, limits: &Limits) -> Execution {
    let world = Echo::world();
    let ran = sandbox()
        .await
        .run(program, &world, limits, &Seed::default())
        .await;
    ran.expect("the sandbox works")
}

/// Runs a program and compares its outcome: `result JSON`, or the error's name,
/// message and traceback; then what it printed.
async fn check(program: &str, expected: Expect) {
    expected.assert_eq(&shown(&run_with(program, &Limits::default()).await));
}

fn shown(execution: &Execution) -> String {
    let outcome = match &execution.outcome {
        Outcome::Result(json) => format!("result {json}"),
        Outcome::Error(e) => match &e.traceback {
            Some(traceback) => format!("{}: {}\n{traceback}", e.error, e.message),
            None => format!("{}: {}", e.error, e.message),
        },
    };
    match execution.output.as_str() {
        "" => outcome,
        output => format!("{outcome}\nprinted {output:?}"),
    }
}
