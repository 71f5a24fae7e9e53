//! Every hostile program: what it gets, that it ends in time, that the world is as it was
//! and nothing of the host is seen, and that the next program runs as ever.

use crate::hostile::program::{GROUPS, Program, line};
use crate::hostile::world::{signature, zoo};
use crate::support::sandbox;
use dialog2api::exec::{Engine, Execution, Limits, Seed};
use expect_test::{ExpectFile, expect_file};
use std::fmt::Write;
use std::time::Duration;

#[tokio::test]
async fn files_are_out_of_reach() {
    check("file", expect_file!["file.out"]).await;
}

#[tokio::test]
async fn processes_are_out_of_reach() {
    check("process", expect_file!["process.out"]).await;
}

#[tokio::test]
async fn the_network_is_out_of_reach() {
    check("network", expect_file!["network.out"]).await;
}

#[tokio::test]
async fn introspection_finds_the_box_and_nothing_else() {
    check("introspection", expect_file!["introspection.out"]).await;
}

#[tokio::test]
async fn exhaustion_ends_at_a_limit() {
    check("exhaustion", expect_file!["exhaustion.out"]).await;
}

#[tokio::test]
async fn the_host_call_takes_nothing_else() {
    check("host", expect_file!["host.out"]).await;
}

#[tokio::test]
async fn terminal_escapes_are_only_text() {
    check("terminal", expect_file!["terminal.out"]).await;
}

#[tokio::test]
async fn secrets_are_not_there() {
    check("secret", expect_file!["secret.out"]).await;
}

#[test]
fn every_program_is_of_a_group_and_says_what_it_tries() {
    let programs = Program::all();
    assert!(programs.len() >= 80, "only {} programs", programs.len());
    for program in &programs {
        assert!(GROUPS.contains(&program.group_name()), "{}", program.name);
        let (tried, outcome) = program.purpose();
        assert!(tried.len() > 10 && outcome.len() > 5, "{}", program.name);
    }
}

/// Runs the programs of a group one after the other, as the turns of a dialogue do, and
/// compares what they got.
async fn check(group: &str, expected: ExpectFile) {
    let engine = sandbox().await;
    let ever = next(&engine).await;
    assert!(ever.starts_with("result: "), "{ever}");
    let mut shown = String::new();
    for program in Program::group(group) {
        let name = &program.name;
        let world = zoo();
        let before = signature(&world).await;
        let ran = engine
            .run(&program.text, &world, &program.limits, &Seed::default())
            .await;
        let ran = ran.unwrap_or_else(|error| panic!("{name} is our failure: {error}"));
        let _ = writeln!(shown, "{name}: {}", line(&ran));

        let late = Duration::from_secs(5);
        assert!(
            ran.elapsed < program.limits.deadline + late,
            "{name} ran on"
        );
        let wrote = signature(&world).await != before;
        assert_eq!(wrote, program.writes, "{name}: whether the world changed");
        is_bounded(name, &ran, &program.limits);
        shows_nothing_of_the_host(name, &ran);
        assert_eq!(next(&engine).await, ever, "what runs after {name}");
    }
    expected.assert_eq(&shown);
}

/// What a program of good will gets, that uses a little of everything.
async fn next(engine: &Engine) -> String {
    let program = r#"
import json, re, datetime, boto3, os, sys
from botocore.exceptions import ClientError
listed = [item["Key"] for item in s3.list_objects(Bucket="zoo")["Contents"]]
try:
    boto3.client("s3").get_object(Bucket="zoo", Key="no such key")
except ClientError as e:
    refused = e.response["Error"]["Code"]
print("kept")
content = s3.get_object(Bucket="zoo", Key="bear.txt")["Body"].read().decode()
return [json.dumps(sorted(listed)), refused, content, bool(re.match("b+", "bb")), datetime.datetime.now().year,
        len(dir(__builtins__)), len(sys.modules), sys.getrecursionlimit(), [x for x in "ab"], os.getcwd()]
"#;
    let world = zoo();
    let ran = engine
        .run(program, &world, &Limits::default(), &Seed::default())
        .await;
    line(&ran.expect("the sandbox works"))
}

/// Nothing of what is kept of a program is longer than its limit says.
fn is_bounded(name: &str, ran: &Execution, limits: &Limits) {
    let (kept, most) = match &ran.outcome {
        dialog2api::dialogue::Outcome::Result(json) => {
            (json.to_string().len(), limits.result_bytes)
        }
        dialog2api::dialogue::Outcome::Error(error) => {
            let traceback = error.traceback.as_ref().map_or(0, String::len);
            (error.error.len() + error.message.len() + traceback, 120_000)
        }
    };
    assert!(kept <= most, "{name}: the outcome has {kept} bytes");
    let output = ran.output.len();
    assert!(
        output <= limits.output_bytes + 100,
        "{name}: {output} bytes"
    );
    assert!(
        ran.calls.len() <= limits.calls as usize,
        "{name}: too many calls"
    );
    let longest = ran.calls.iter().map(|call| call.operation.len()).max();
    assert!(
        longest.unwrap_or(0) <= 200,
        "{name}: a call with a name of {longest:?} bytes"
    );
}

/// No value of an environment variable of this process, and no name of its files, is in
/// what a program gave. Those of a few characters are in every text.
fn shows_nothing_of_the_host(name: &str, ran: &Execution) {
    let shown = format!("{ran:?}");
    let variables = std::env::vars_os().map(|(_, value)| value);
    let folder = std::env::current_dir().expect("a folder");
    for secret in variables.chain([folder.into_os_string()]) {
        let secret = secret.to_string_lossy();
        assert!(
            secret.len() < 12 || !shown.contains(&*secret),
            "{name} shows {secret:?} of the host"
        );
    }
}
