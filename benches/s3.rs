//! S3 as programs use it: the embedded store as functions and through the sandbox, and
//! boto3 against moto, in process and as a server, in one run.
//!
//! Targets, medians on a quiet machine with two cores: a host call from Python (head,
//! put, list of 20) < 0.1 ms, and the conformance files ≥ 30 times faster than by boto3
//! with moto in process. One target is missed: where moto's side reuses its client, the cases
//! of all operations are 18 times faster (with a mock and a client for each case, as most
//! tests are written, more than 140 times).
//!
//! Of a call, the call alone is timed, in a Python loop. Of a case of the conformance files,
//! making its state and compiling and running its setup and program are timed; this side also
//! makes a fresh instance of the interpreter, which the other side reuses. The shortest of
//! several times counts, so that other work of the machine affects neither side. Process
//! start, imports and the creation of clients are not counted. moto's clock is not frozen,
//! which would slow it down.
//!
//! The count of cases that ended as recorded compares the error code, not the result. Cases
//! that return bytes or times cannot end as recorded, because the sandbox has no such results.
//!
//! `DIALOG2API_BENCH_PYTHON` names a Python that has `benches/requirements.txt`; without
//! it only our own side is measured.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

#[path = "s3/calls.rs"]
mod calls;

use calls::{CALLS, Call, FILL};
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::{World, s3};
use dialog2api::exec::{Cache, Engine, Limits, Seed};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::{Builder, Runtime};

/// The other side's passes over the conformance file.
const PASSES: usize = 2;
const OUR_PASSES: usize = 5;

/// A case of the conformance file.
struct Case {
    setup: String,
    program: String,
    region: Option<String>,
    /// The code or class of the error that the program ends with.
    error: Option<String>,
}

/// The recorded cases: of the thirteen operations of the paper's dialogues, and of all.
const FILES: [(&str, &str); 2] = [
    (
        "s3-cases.jsonl",
        include_str!("../tests/conformance/s3-cases.jsonl"),
    ),
    (
        "full-cases.jsonl",
        include_str!("../tests/conformance/full-cases.jsonl"),
    ),
];

fn cases(file: &str) -> Vec<Case> {
    let lines = file.lines().filter(|line| !line.trim().is_empty());
    let read = lines.map(|line| {
        let case: Json = serde_json::from_str(line).expect("a case");
        let text = |name: &str| case.get(name).and_then(Json::as_str).map(str::to_owned);
        let deviates = case.get("moto_deviation") == Some(&Json::Bool(true));
        let expect = &case[if deviates { "aws_expect" } else { "expect" }];
        let error = expect.get("error").map(|error| {
            let code = error.get("code").and_then(Json::as_str);
            let named = code.or(error.get("class").and_then(Json::as_str));
            named.expect("an error's code or class").to_owned()
        });
        Case {
            setup: text("setup").unwrap_or_default(),
            program: text("program").expect("a program"),
            region: text("client_region"),
            error,
        }
    });
    read.collect()
}

struct Bench {
    runtime: Runtime,
    engine: Engine,
}

impl Bench {
    fn new() -> Bench {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let cache = Cache::at(folder.join("bench-cache").join("sandbox"));
        let mut progress = |step: dialog2api::exec::Preparing| println!("{}", step.describe());
        let prepared = runtime.block_on(Engine::prepare(&s3::S3.api.client, &cache, &mut progress));
        Bench {
            engine: prepared.expect("the sandbox can be prepared"),
            runtime,
        }
    }

    fn run(&self, program: &str, world: Memory) -> Outcome {
        let world: Arc<dyn World> = Arc::new(world);
        let (limits, seed) = (Limits::default(), Seed::default());
        let ran = self.engine.run(program, &world, &limits, &seed);
        self.runtime
            .block_on(ran)
            .expect("the sandbox works")
            .outcome
    }

    /// Seconds for a case, and whether it ended as recorded.
    fn run_case(&self, program: &str, origin: &Memory, error: Option<&str>) -> (f64, bool) {
        let start = Instant::now();
        let outcome = self.run(program, origin.fork());
        let elapsed = start.elapsed().as_secs_f64();
        let right = match (outcome, error) {
            (Outcome::Result(_), None) => true,
            (Outcome::Error(ours), Some(error)) => ours.error == error,
            _ => false,
        };
        (elapsed, right)
    }

    /// Seconds for all the cases, of each the shortest of several passes; how many ended
    /// as recorded.
    fn run_cases(&self, cases: &[Case]) -> (f64, usize) {
        let (mut seconds, mut right) = (0.0, 0);
        for case in cases {
            let program = format!("{}\n{}", case.setup, case.program);
            let origin = calls::empty(case.region.as_deref());
            let once = || self.run_case(&program, &origin, case.error.as_deref());
            let passes: Vec<_> = (0..OUR_PASSES).map(|_| once()).collect();
            seconds += passes.iter().map(|(s, _)| *s).fold(f64::INFINITY, f64::min);
            right += usize::from(passes.iter().all(|(_, right)| *right));
        }
        (seconds, right)
    }

    /// Seconds for one call of Python: what more of them cost, the least of ten rounds.
    fn sandboxed(&self, call: &Call, world: &Memory) -> f64 {
        let once = |times: u32| {
            let program = format!("for i in range({times}):\n    {}", call.python);
            let start = Instant::now();
            let outcome = self.run(&program, world.fork());
            let elapsed = start.elapsed().as_secs_f64();
            assert!(!outcome.is_error(), "{}: {outcome:?}", call.name);
            elapsed
        };
        once(1);
        let times = (0.2 / once(1)).clamp(1.0, 200.0) as u32;
        let least = |times| (0..10).map(|_| once(times)).fold(f64::INFINITY, f64::min);
        (least(times + 1) - least(1)) / f64::from(times)
    }
}

/// What `boto.py` prints; seconds.
#[derive(Deserialize)]
struct Beside {
    backends: Vec<Backend>,
    /// The cases of each file, with a mock and a client for each case.
    fresh: Vec<f64>,
}

#[derive(Deserialize)]
struct Backend {
    name: String,
    client: f64,
    /// Of each file, in the order of [`FILES`].
    files: Vec<File>,
    calls: Vec<f64>,
}

#[derive(Deserialize)]
struct File {
    seconds: f64,
    right: usize,
}

/// Measures boto3 and moto. `None` when there is no Python to do it with.
fn beside(files: &[Vec<Case>]) -> Option<Beside> {
    let python = std::env::var_os("DIALOG2API_BENCH_PYTHON")?;
    let case = |case: &Case| {
        let region = case.region.as_deref().unwrap_or("us-east-1");
        json!({"setup": case.setup, "program": case.program, "region": region, "error": case.error})
    };
    let files = files.iter().map(|cases| cases.iter().map(case).collect());
    let files: Vec<Json> = files.collect();
    let calls: Vec<&str> = in_python().map(|call| call.python).collect();
    let work = json!({"calls": calls, "files": files, "fill": FILL, "passes": PASSES});
    let mut child = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/s3/boto.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the Python of DIALOG2API_BENCH_PYTHON");
    let stdin = child.stdin.take().expect("its input");
    serde_json::to_writer(stdin, &work).expect("the work can be handed over");
    let output = child.wait_with_output().expect("its output");
    assert!(output.status.success(), "benches/s3/boto.py failed");
    Some(serde_json::from_slice(&output.stdout).expect("times as JSON"))
}

/// What programs can do, too: the first of all.
fn in_python() -> impl Iterator<Item = &'static Call> {
    CALLS.iter().filter(|call| !call.python.is_empty())
}

/// A time with three digits, in the unit that suits it.
fn shown(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let digits = if number < 10.0 {
        2
    } else {
        usize::from(number < 100.0)
    };
    format!("{number:.digits$} {unit}")
}

fn row(name: &str, cells: impl IntoIterator<Item = String>) {
    let cells: String = cells
        .into_iter()
        .map(|cell| format!("{cell:>18}"))
        .collect();
    println!("{name:<32}{cells}");
}

fn main() {
    let files = FILES.map(|(_, text)| cases(text));
    let bench = Bench::new();

    let world = calls::world();
    let embedded: Vec<f64> = CALLS
        .iter()
        .map(|call| call.embedded(&world.fork()))
        .collect();
    let sandboxed: Vec<f64> = in_python()
        .map(|call| bench.sandboxed(call, &world))
        .collect();
    let ours: Vec<_> = files.iter().map(|cases| bench.run_cases(cases)).collect();

    let beside = beside(&files);
    let others = beside.as_ref().map_or(&[][..], |beside| &beside.backends);
    let names = others.iter().map(|backend| backend.name.clone());
    let columns = ["embedded".to_owned(), "in the sandbox".to_owned()];
    println!("\nOne call:");
    row("", columns.into_iter().chain(names));
    for (i, call) in CALLS.iter().enumerate() {
        let here = [Some(&embedded[i]), sandboxed.get(i)];
        let theirs = others.iter().map(|backend| backend.calls.get(i));
        let times = here.into_iter().chain(theirs).flatten();
        row(call.name, times.map(|seconds| shown(*seconds)));
    }

    for (number, (cases, (ours, right))) in files.iter().zip(ours).enumerate() {
        println!("\nThe {} cases of {}:", cases.len(), FILES[number].0);
        row(
            "",
            ["all", "one", "as recorded", "the sandbox is"].map(str::to_owned),
        );
        let line = |name: &str, seconds: f64, right: Option<usize>| {
            let one = seconds / cases.len() as f64;
            let right = right.map_or(String::new(), |right| right.to_string());
            let times = format!("{:.1} × as fast", seconds / ours);
            row(name, [shown(seconds), shown(one), right, times]);
        };
        line("in the sandbox", ours, Some(right));
        for backend in others {
            let File { seconds, right } = backend.files[number];
            line(&backend.name, seconds, Some(right));
        }
        if let Some(beside) = &beside {
            line("moto, a client for each case", beside.fresh[number], None);
        }
    }
    match &beside {
        Some(beside) => {
            let client = shown(beside.backends[0].client);
            println!("boto3 makes a client in {client}, which is in the last lines alone.");
        }
        None => {
            println!(
                "DIALOG2API_BENCH_PYTHON names no Python, so there is nothing to compare with"
            );
        }
    }
}
