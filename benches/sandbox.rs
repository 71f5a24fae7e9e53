//! The sandbox, and a CPython subprocess beside it, in one run.
//!
//! Targets, medians in release on a quiet machine with two cores: a fresh instance
//! ≤ 50 µs, with a program of three calls ≤ 0.5 ms, a cold process to its first
//! outcome ≤ 60 ms, and the program at least 20 times faster than in a CPython
//! subprocess, which runs it against a stub and so has less to do.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

use criterion::Criterion;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::{World, s3};
use dialog2api::exec::{Cache, Engine, Limits, Seed};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Three calls and some work on their answers.
const PROGRAM: &str = include_str!("sandbox/program.py");
const STUB: &str = include_str!("sandbox/stub.py");

const INSTANCE: &str = "fresh instance";
const RUN: &str = "fresh instance and program";
const CPYTHON: &str = "CPython subprocess, same program";
const COLD: &str = "cold process to first outcome";

/// A folder of the build folder that only this benchmark uses.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

struct Bench {
    runtime: Runtime,
    engine: Engine,
    world: Arc<dyn World>,
}

impl Bench {
    fn new() -> Bench {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        // Where `Cache::of_user` looks in the cold process.
        let cache = Cache::at(folder("bench-cache").join("sandbox"));
        let client = &s3::S3.api.client;
        let mut progress = |step: dialog2api::exec::Preparing| println!("{}", step.describe());
        let prepared = runtime.block_on(Engine::prepare(client, &cache, &mut progress));
        Bench {
            engine: prepared.expect("the sandbox can be prepared"),
            world: s3::open("zoology").expect("the built-in world").world,
            runtime,
        }
    }

    async fn run(&self) -> Json {
        let (limits, seed) = (Limits::default(), Seed::default());
        let ran = self.engine.run(PROGRAM, &self.world, &limits, &seed).await;
        match ran.expect("the sandbox works").outcome {
            Outcome::Result(json) => json,
            Outcome::Error(error) => panic!("the program fails: {error:?}"),
        }
    }
}

/// CPython itself: what is called `python3` may be a script that looks for it,
/// and takes longer than the interpreter. `None` when there is none.
fn interpreter() -> Option<PathBuf> {
    let mut python = Command::new("python3");
    python.args(["-c", "import json, sys; print(json.dumps(sys.executable))"]);
    output(python)?.as_str().map(PathBuf::from)
}

/// The program as one function in one `python3 -c`.
fn cpython(interpreter: &Path) -> Command {
    let body: String = PROGRAM
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect();
    let text = format!("{STUB}\n\ndef program():\n{body}\n\nprint(json.dumps(program()))\n");
    let mut command = Command::new(interpreter);
    command.arg("-c").arg(text);
    command
}

/// The binary, prepared, on the same program.
fn cold() -> Command {
    let program = folder("bench-program.py");
    fs::write(&program, PROGRAM).expect("the program can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dialog2api"));
    command.arg("run").arg(program);
    command.args(["--world", "zoology", "--json"]);
    command.env("DIALOG2API_CACHE_DIR", folder("bench-cache"));
    command
}

/// Runs a command; what it prints, as JSON. `None` when there is no such program.
fn output(mut command: Command) -> Option<Json> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let printed = serde_json::from_slice(&output.stdout);
    Some(printed.unwrap_or_else(|_| panic!("{command:?} gave {output:?}")))
}

fn measure(c: &mut Criterion, bench: &Bench) {
    let expected = bench.runtime.block_on(bench.run());
    let mut group = c.benchmark_group("sandbox");
    group
        .sample_size(50)
        .measurement_time(Duration::from_secs(2));
    group.warm_up_time(Duration::from_millis(500));
    group.bench_function(INSTANCE, |b| {
        b.to_async(&bench.runtime)
            .iter(|| bench.engine.instantiate(&bench.world));
    });
    group.bench_function(RUN, |b| {
        b.to_async(&bench.runtime).iter(|| bench.run());
    });

    group
        .sample_size(20)
        .measurement_time(Duration::from_secs(3));
    match interpreter() {
        Some(python) => {
            let result = output(cpython(&python));
            assert_eq!(
                result,
                Some(expected.clone()),
                "CPython and the sandbox differ"
            );
            group.bench_function(CPYTHON, |b| b.iter(|| output(cpython(&python))));
        }
        None => println!("there is no python3 on PATH, so nothing to compare with"),
    }
    let first = output(cold()).expect("the binary is there");
    assert_eq!(
        first.get("result"),
        Some(&expected),
        "not the same in the binary"
    );
    group.bench_function(COLD, |b| b.iter(|| output(cold())));
    group.finish();
}

/// The median of one benchmark of this run, in seconds.
fn median(results: &Path, name: &str) -> Option<f64> {
    // As criterion names folders.
    let file = results
        .join("sandbox")
        .join(name)
        .join("new/estimates.json");
    let estimates: Json = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    let nanoseconds = estimates.pointer("/median/point_estimate")?.as_f64()?;
    Some(nanoseconds / 1e9)
}

/// The medians and their ratios, if they were measured.
fn summarise(results: &Path) {
    println!("\nMedians of this run:");
    for name in [INSTANCE, RUN, CPYTHON, COLD] {
        if let Some(seconds) = median(results, name) {
            println!("  {name:<34}{:>10.3} ms", seconds * 1e3);
        }
    }
    if let (Some(cpython), Some(run)) = (median(results, CPYTHON), median(results, RUN)) {
        println!(
            "  a program in the sandbox is {:.0} times faster than in a CPython subprocess",
            cpython / run
        );
    }
}

fn main() {
    // No figure of an earlier run stands beside one of this.
    let results = folder("bench-results");
    fs::remove_dir_all(&results).ok();
    let mut criterion = Criterion::default()
        .output_directory(&results)
        .without_plots()
        .configure_from_args();
    measure(&mut criterion, &Bench::new());
    criterion.final_summary();
    summarise(&results);
}
