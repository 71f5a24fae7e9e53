//! The whole dataset: every final program in a fresh sandbox, on its dialogue's own state,
//! and a signature each turn; beside boto3 and moto in one Python process, and in one for
//! each core, in the same run.
//!
//! Targets on a quiet machine with two cores: under 1 s, at least 50 times faster than
//! the reference, and memory that stays flat over 100 repetitions.
//!
//! Timed here, on two cores: reading and parsing the files, opening the worlds, forks,
//! programs, signatures, and comparing everything with the recording.
//!
//! Timed in the reference: filling a state for each dialogue, running the programs (compiled
//! and executed as a function), and a signature after each turn. It runs twice: once with
//! boto3 for everything, as one writes it for any S3, and once with moto's own objects for
//! state and signature, so that only the programs use boto3. The dialogues are parsed before
//! the clock starts. Process start, imports and the creation of clients are not counted.
//! moto's clock is not frozen, which would slow it down.
//!
//! The count of turns with the recorded signature shows that both sides did the same. moto
//! lacks the turns that follow a bucket name that S3 refuses and moto accepts (`Logs_2024`).
//!
//! `DIALOG2API_BENCH_PYTHON` names a Python that has `benches/requirements.txt`; without
//! it only our own side is measured. `DIALOG2API_BENCH_DATASET` names another dataset than
//! `datasets/s3`.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

use base64::Engine as _;
use dialog2api::dataset::{self, Dialogue, InitialWorlds, Replayer};
use dialog2api::domain::s3::{S3, show};
use dialog2api::domain::{Value, World};
use dialog2api::exec::{Cache, Engine};
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::{Builder, Runtime};

const CORES: usize = 2;
const PASSES: usize = 7;
/// The reference's passes over the dataset.
const THEIR_PASSES: usize = 2;
/// After so many repetitions the memory is looked at.
const REPETITIONS: [usize; 3] = [1, 10, 100];

struct Bench {
    runtime: Runtime,
    replayer: Arc<Replayer>,
    dataset: PathBuf,
}

/// What one pass did.
struct Pass {
    seconds: f64,
    dialogues: usize,
    programs: usize,
    matching: usize,
}

impl Bench {
    fn new() -> Bench {
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(CORES).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let cache = Cache::at(folder.join("bench-cache").join("sandbox"));
        let mut progress = |step: dialog2api::exec::Preparing| println!("{}", step.describe());
        let engine = runtime.block_on(Engine::prepare(&S3.api.client, &cache, &mut progress));
        let engine = engine.expect("the sandbox can be prepared");
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3");
        let given = std::env::var_os("DIALOG2API_BENCH_DATASET").map(PathBuf::from);
        Bench {
            runtime,
            replayer: Arc::new(Replayer::new(Arc::new(engine), &S3)),
            dataset: given.unwrap_or(here),
        }
    }

    /// From the files to the last verdict.
    fn pass(&self) -> Pass {
        let start = Instant::now();
        let worlds = InitialWorlds::new(&S3);
        let dialogues = dataset::read(&self.dataset).expect("a dataset");
        let count = dialogues.len();
        let tasks = dialogues.into_iter().map(|dialogue| {
            let world = worlds.of(&dialogue).expect("its world");
            let replayer = self.replayer.clone();
            tokio::spawn(async move {
                let verified = replayer.verify(&dialogue.transcript, world).await;
                verified.expect("the sandbox works")
            })
        });
        let (mut programs, mut matching) = (0, 0);
        self.runtime.block_on(async {
            let mut tasks = stream::iter(tasks).buffered(CORES + 1);
            while let Some(verdict) = tasks.next().await {
                let verdict = verdict.expect("no panic");
                programs += verdict.programs;
                matching += usize::from(verdict.matches());
            }
        });
        Pass {
            seconds: start.elapsed().as_secs_f64(),
            dialogues: count,
            programs,
            matching,
        }
    }

    /// What the reference is to do.
    fn work(&self) -> Json {
        let worlds = InitialWorlds::new(&S3);
        let dialogues = dataset::read(&self.dataset).expect("a dataset");
        let mut contents = BTreeMap::new();
        for dialogue in &dialogues {
            let name = dialogue.world().expect("the name of a world");
            let world = worlds.of(dialogue).expect("its world");
            let content = || self.runtime.block_on(content(&*world));
            contents.entry(name).or_insert_with(content);
        }
        json!({
            "worlds": contents,
            "dialogues": dialogues.iter().map(turns).collect::<Vec<_>>(),
            "passes": THEIR_PASSES,
            "processes": CORES,
        })
    }
}

/// The programs of each turn that run, and the signature recorded.
fn turns(dialogue: &Dialogue) -> Json {
    let transcript = &dialogue.transcript;
    let turns = transcript.turns.iter().enumerate().map(|(index, turn)| {
        let before = transcript.stack_before(index).expect("kept rules");
        let (stack, execute) = before.updated(&turn.updates()).expect("kept rules");
        let code = |uid: &u32| stack.get(*uid).expect("its goal").program.code().to_owned();
        let last = execute.last();
        let record = turn.goals.iter().find(|goal| Some(&goal.uid) == last);
        json!({
            "programs": execute.iter().map(code).collect::<Vec<_>>(),
            "signature": record.and_then(|goal| goal.signature.as_ref()),
        })
    });
    json!({ "world": dialogue.world(), "turns": turns.collect::<Vec<_>>() })
}

/// Everything in a world: buckets with regions, keys with contents.
async fn content(world: &dyn World) -> Json {
    let summary = show::summary(world).await.expect("a world that is read");
    let mut buckets = Vec::new();
    for bucket in summary.buckets {
        let mut objects = Vec::new();
        for object in bucket.objects {
            let asked = Value::Map(vec![
                ("Bucket".into(), bucket.name.as_str().into()),
                ("Key".into(), object.key.as_str().into()),
            ]);
            let read = world.call("get_object", &asked).await.expect("an answer");
            let Ok(Some(Value::Bytes(body))) = read.map(|read| read.get("Body").cloned()) else {
                panic!("{} has no content", object.key)
            };
            let body = base64::engine::general_purpose::STANDARD.encode(body);
            objects.push(json!([object.key, body]));
        }
        buckets.push(json!([bucket.name, bucket.region, objects]));
    }
    json!(buckets)
}

/// What `reference.py` prints.
#[derive(Deserialize)]
struct Reference {
    /// With boto3 for everything.
    boto: Times,
    /// With moto's own objects for state and signature.
    moto: Times,
}

/// Seconds in one process and in one a core, and how many turns had the signature recorded.
#[derive(Deserialize)]
struct Times {
    one: f64,
    together: f64,
    right: usize,
    recorded: usize,
}

/// Measures the reference. `None` when there is no Python to do it with.
fn reference(work: &Json) -> Option<Reference> {
    let python = std::env::var_os("DIALOG2API_BENCH_PYTHON")?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/replay/reference.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the Python of DIALOG2API_BENCH_PYTHON");
    let stdin = child.stdin.take().expect("its input");
    serde_json::to_writer(stdin, work).expect("the work can be handed over");
    let output = child.wait_with_output().expect("its output");
    assert!(
        output.status.success(),
        "benches/replay/reference.py failed"
    );
    Some(serde_json::from_slice(&output.stdout).expect("times as JSON"))
}

/// The resident set of this process, in MiB, where the system tells it.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib / 1024.0)
}

fn main() {
    let bench = Bench::new();
    let mut passes: Vec<Pass> = (0..PASSES).map(|_| bench.pass()).collect();
    passes.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    let (best, median) = (&passes[0], &passes[PASSES / 2]);
    println!(
        "{} dialogues, {} programs, {} dialogues as recorded",
        best.dialogues, best.programs, best.matching
    );
    println!(
        "here, {CORES} cores:                     {:8.3} s (median of {PASSES}: {:.3} s)",
        best.seconds, median.seconds
    );
    match reference(&bench.work()) {
        None => println!("DIALOG2API_BENCH_PYTHON names no Python: nothing to compare with"),
        Some(reference) => {
            let Reference { boto, moto } = reference;
            for (name, times) in [
                ("boto3 for all", &boto),
                ("programs alone through boto3", &moto),
            ] {
                for (processes, seconds) in [(1, times.one), (CORES, times.together)] {
                    let ratio = seconds / best.seconds;
                    println!(
                        "moto, {name:<29} {processes} process(es) {seconds:8.3} s, {ratio:.1} × as long"
                    );
                }
                let (right, recorded) = (times.right, times.recorded);
                println!("    {right} of the {recorded} signatures recorded");
            }
        }
    }
    let mut done = 0;
    for repetitions in REPETITIONS {
        for _ in done..repetitions {
            bench.pass();
        }
        done = repetitions;
        if let Some(mib) = resident() {
            println!("resident after {repetitions:>3} repetitions more: {mib:.1} MiB");
        }
    }
}
