//! Programs that pass nonsense: what they get is what boto3 raises, or a limit that
//! says what it is. Nothing of it stops the host.

use crate::conformance::embedded::Embedded;
use crate::support::sandbox;
use dialog2api::dialogue::Outcome;
use dialog2api::exec::{Limits, Seed};
use expect_test::expect_file;
use std::fmt::Write;
use std::sync::Arc;

/// One program a block, `## name` before each.
const PROGRAMS: &str = include_str!("hostile.txt");

#[tokio::test]
async fn what_hostile_programs_get() {
    let engine = sandbox().await;
    let limits = Limits {
        // What it takes to send a hundred thousand keys, and not forever.
        fuel: 5_000_000_000,
        ..Limits::default()
    };
    let mut shown = String::new();
    for block in PROGRAMS.split("## ").skip(1) {
        let (name, program) = block.split_once('\n').expect("a name");
        let world = Arc::new(Embedded::world("us-east-1"));
        let setup = "s3.create_bucket(Bucket='alpha')";
        for (program, tells) in [(setup, false), (program, true)] {
            let world = world.clone() as Arc<dyn dialog2api::domain::World>;
            let ran = engine.run(program, &world, &limits, &Seed::default()).await;
            let outcome = ran.expect("the sandbox works").outcome;
            if tells {
                let _ = writeln!(shown, "{name}: {}", line(&outcome));
            }
        }
        // Whatever happened, the store still answers.
        let listing = dialog2api::domain::Value::Map(Vec::new());
        assert!(world.perform("list_buckets", &listing).is_ok(), "{name}");
    }
    expect_file!["hostile.out"].assert_eq(&shown);
}

fn line(outcome: &Outcome) -> String {
    let (kind, text) = match outcome {
        Outcome::Result(json) => ("result", json.to_string()),
        Outcome::Error(error) => (&*error.error, error.message.replace('\n', "\\n")),
    };
    let cut: String = text.chars().take(200).collect();
    format!("{kind}: {cut}")
}
