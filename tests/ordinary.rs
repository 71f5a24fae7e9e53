//! Python as people write it: ordinary programs with boto3 and the standard library give
//! what CPython gives.
//!
//! - `ordinary/*.txt`: the programs, each below a line with its name
//! - `ordinary/recorded.jsonl`: what CPython and boto3 gave for them
//! - `ordinary/record.py`: runs them with CPython and boto3; with UPDATE_EXPECT=1 the test
//!   that calls it writes the file anew
//! - `ordinary/modules.rs`: which modules of the standard library there are

mod modules;

use crate::support::sandbox;
use crate::support::tools::{BOTO3, needs};
use dialog2api::dialogue::Outcome;
use dialog2api::domain::World;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::serve::{Service, listen};
use dialog2api::domain::s3::{AccessKey, Memory};
use dialog2api::exec::{Limits, Seed};
use expect_test::expect_file;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Programs that give something else here, and why.
const OTHERWISE: &[(&str, &str)] = &[
    (
        "classes_and_decorators",
        "the message about an abstract class is the interpreter's own",
    ),
    ("dates", "the repr of weekdays is of Python 3.12"),
    ("hashing", "another zlib, which packs differently"),
    ("itertools_collections", "batched is of Python 3.12"),
    (
        "newest",
        "the recorder is in UTC, where dateutil calls the zone of a listing tzlocal()",
    ),
    ("regex", "`\\z` is of Python 3.14"),
    (
        "weekdays_of_time",
        "the name of the zone is the recorder's system's",
    ),
    ("wrong_dates", "the message is of Python 3.14"),
    ("wrong_programs_say_why", "the message is of Python 3.14"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ordinary")
}

/// The programs by their names.
fn programs() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder()).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = std::fs::read_to_string(path).expect("text");
            for part in format!("\n{text}").split("\n### ").skip(1) {
                let (name, program) = part.split_once('\n').expect("a line with the name");
                let twice = found.insert(name.trim().to_owned(), format!("{program}\n"));
                assert!(twice.is_none(), "two programs are called {name}");
            }
        }
    }
    found
}

fn recorded() -> BTreeMap<String, Json> {
    let text = std::fs::read_to_string(folder().join("recorded.jsonl")).expect("text");
    let lines = text.lines().map(|line| {
        let mut given: Json = serde_json::from_str(line).expect("JSON");
        let fields = given.as_object_mut().expect("an object");
        let name = fields.remove("name").expect("a name");
        (name.as_str().expect("text").to_owned(), given)
    });
    lines.collect()
}

fn world(clock: Clock) -> Memory {
    Memory::new("ordinary", Store::new(clock))
}

async fn given(program: &str) -> Json {
    let seed = Seed::default();
    let world: Arc<dyn World> = Arc::new(world(Clock::Stands(seed.now)));
    let ran = sandbox()
        .await
        .run(program, &world, &Limits::default(), &seed)
        .await
        .expect("the sandbox works");
    let mut given = match ran.outcome {
        Outcome::Result(value) => json!({"result": value}),
        Outcome::Error(error) => json!({"error": [error.error, error.message]}),
    };
    if !ran.output.is_empty() {
        given["output"] = ran.output.into();
    }
    given
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_give_what_cpython_gives() {
    let recorded = recorded();
    let (mut report, mut same) = (String::new(), 0);
    let programs = programs();
    for (name, program) in &programs {
        let got = given(program).await;
        let want = recorded.get(name).unwrap_or(&Json::Null);
        let otherwise = OTHERWISE.iter().any(|(known, _)| known == name);
        match (got == *want, otherwise) {
            (true, false) => same += 1,
            (false, true) => {}
            (true, true) => writeln!(report, "{name}: no longer differs").expect("text"),
            (false, false) => {
                writeln!(report, "{name}\n  want {want}\n  got  {got}").expect("text");
            }
        }
    }
    assert!(
        report.is_empty(),
        "{report}{same} of {} the same",
        programs.len()
    );
    assert_eq!(recorded.len(), programs.len(), "record what is new");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_is_what_boto3_gives() {
    needs!(BOTO3);
    let key = AccessKey {
        id: "AKIAEXAMPLE".to_owned(),
        secret: "secret-of-the-test".to_owned(),
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = listen(Service::new(Arc::new(world(Clock::System)), &key), address).await;
    let endpoint = server.as_ref().expect("a free port").endpoint();
    let mut command = BOTO3.python();
    command.arg(folder().join("record.py")).arg(endpoint);
    let ran = tokio::task::spawn_blocking(move || command.output()).await;
    let ran = ran.expect("no panic").expect("Python runs");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let printed = String::from_utf8(ran.stdout).expect("text");
    expect_file!["./ordinary/recorded.jsonl"].assert_eq(&printed);
}
