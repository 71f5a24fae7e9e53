//! Work on a server that is far away: this program, and s5cmd, rclone and boto3 where they are
//! found, in one run.
//!
//! The bench starts SeaweedFS, or this program's own server where there is none, and a relay that
//! brings each piece later, each way. The table has the time of each, and of this program the
//! requests for each object, of which most are counted by a test as well
//! (`tests/remote/wire.rs`). Medians of several rounds; a round fills the server anew.
//!
//! | Variable | | |
//! |---|---|---|
//! | `DIALOG2API_BENCH_DELAY` | milliseconds each way | 10 |
//! | `DIALOG2API_BENCH_OBJECTS` | objects that are read, moved, uploaded and deleted | 2000 |
//! | `DIALOG2API_BENCH_NAMES` | names that are listed | 10000 |
//! | `DIALOG2API_BENCH_ROUNDS` | rounds | 3 |
//! | `DIALOG2API_BENCH_PYTHON` | a Python with boto3 | `python3` |
//! | `DIALOG2API_BENCH_S5CMD` | s5cmd | `s5cmd` |
//! | `DIALOG2API_TEST_WEED`, `DIALOG2API_TEST_RCLONE` | SeaweedFS, rclone | as in tests |
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

#[path = "wire/others.rs"]
mod others;
#[path = "wire/ours.rs"]
mod ours;
#[path = "wire/relay.rs"]
mod relay;
#[path = "../tests/support/weed.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod weed;

/// What `weed.rs` asks for: SeaweedFS of any version.
mod tools {
    use std::path::PathBuf;

    pub struct Weed;

    pub static WEED: Weed = Weed;

    impl Weed {
        pub fn path(&self) -> PathBuf {
            crate::others::named("DIALOG2API_TEST_WEED", "weed")
        }

        pub fn is_found(&self) -> bool {
            crate::others::says(&self.path(), "version")
        }
    }
}

use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::files::{self, Folders};
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::serve::{S3Server, Service, listen};
use dialog2api::domain::s3::{AccessKey, Memory, Remote, RemoteOptions, S3};
use dialog2api::domain::{Domain, Value, World};
use dialog2api::exec::{Cache, Engine};
use futures_util::{StreamExt, stream};
use others::{Others, Tool, Work};
use ours::{Cost, Ours};
use relay::Relay;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tools::WEED;
use weed::{KEY, SECRET, Weed};

/// A number from the environment.
fn setting(name: &str, usual: usize) -> usize {
    let value = std::env::var(format!("DIALOG2API_BENCH_{name}"));
    value.map_or(usual, |value| value.parse().expect("a number"))
}

/// The server that is far away.
enum There {
    Weed(Weed),
    Own(S3Server),
}

impl There {
    async fn start() -> There {
        match WEED.is_found() {
            true => There::Weed(Weed::start()),
            false => {
                let world = Arc::new(Memory::new("bench", Store::new(Clock::System)));
                let service = Service::new(world, &key());
                let server = listen(service, ([127, 0, 0, 1], 0).into()).await;
                There::Own(server.expect("a free port"))
            }
        }
    }

    fn endpoint(&self) -> String {
        match self {
            There::Weed(weed) => weed.endpoint.clone(),
            There::Own(server) => server.endpoint(),
        }
    }
}

fn key() -> AccessKey {
    AccessKey {
        id: KEY.to_owned(),
        secret: SECRET.to_owned(),
    }
}

async fn connect(endpoint: &str) -> Remote {
    let options = RemoteOptions {
        endpoint_url: Some(endpoint.to_owned()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(key()),
        ..RemoteOptions::default()
    };
    Remote::connect(&options).await.expect("a server")
}

type Params = Vec<(Cow<'static, str>, Value)>;

async fn call(world: &Remote, operation: &str, params: Params) -> Value {
    let answer = world.call(operation, &Value::Map(params)).await;
    answer.expect("an answer").expect("no refusal")
}

fn named(bucket: &str) -> Params {
    vec![("Bucket".into(), bucket.into())]
}

/// The server as it is before each work: `objects` below `in/`, and nothing else in that bucket.
async fn fill(world: &Remote, objects: usize) {
    loop {
        let page = call(world, "list_objects_v2", named(ours::BUCKET)).await;
        let entries = page.get("Contents").and_then(Value::as_list);
        let keys = entries.unwrap_or_default().iter();
        let keys = keys.filter_map(|it| Some(("Key".into(), it.get("Key")?.clone())));
        let keys: Vec<Value> = keys.map(|key| Value::Map(vec![key])).collect();
        if keys.is_empty() {
            break;
        }
        let mut params = named(ours::BUCKET);
        let keys = vec![("Objects".into(), Value::List(keys))];
        params.push(("Delete".into(), Value::Map(keys)));
        call(world, "delete_objects", params).await;
    }
    let body = |number: usize| format!("line one\nERROR {number}\n{}", "x".repeat(900));
    let puts = (0..objects).map(|number| {
        let key = format!("in/{number:05}.txt");
        put(world, ours::BUCKET, key, body(number))
    });
    stream::iter(puts).buffer_unordered(16).count().await;
}

async fn put(world: &Remote, bucket: &str, key: String, body: String) {
    let mut params = named(bucket);
    params.push(("Key".into(), key.into()));
    params.push(("Body".into(), Value::Bytes(body.into())));
    call(world, "put_object", params).await;
}

/// The figures of one line of the table: of this program with requests, of others without.
#[derive(Default)]
struct Line {
    ours: Vec<Cost>,
    others: BTreeMap<usize, Vec<Duration>>,
}

fn median<T: Copy + Ord>(mut values: Vec<T>) -> Option<T> {
    values.sort();
    values.get(values.len() / 2).copied()
}

/// The lines in their order.
#[derive(Default)]
struct Table(Vec<(String, Line)>);

impl Table {
    fn line(&mut self, name: &str) -> &mut Line {
        let at = self.0.iter().position(|(known, _)| known == name);
        let at = at.unwrap_or_else(|| {
            self.0.push((name.to_owned(), Line::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }

    fn ours(&mut self, name: &str, cost: Cost) {
        self.line(name).ours.push(cost);
    }

    fn print(&self, objects: usize) {
        println!("| work | this program | requests an object | s5cmd | rclone | boto3 |");
        println!("|---|---|---|---|---|---|");
        let seconds = |took: Option<Duration>| match took {
            Some(took) => format!("{:.1} s", took.as_secs_f64()),
            None => String::new(),
        };
        for (name, line) in &self.0 {
            let took = median(line.ours.iter().map(|cost| cost.took).collect());
            let requests = median(line.ours.iter().map(|cost| cost.requests).collect());
            let each = match requests {
                Some(requests) if !name.starts_with("list") => {
                    format!("{:.2}", requests as f64 / objects as f64)
                }
                _ => String::new(),
            };
            let others = Tool::ALL.iter().enumerate();
            let others = others.map(|(tool, _)| line.others.get(&tool).cloned());
            let others = others.map(|times| seconds(times.and_then(median)));
            let others: Vec<String> = others.collect();
            let took = seconds(took);
            println!("| {name} | {took} | {each} | {} |", others.join(" | "));
        }
    }
}

#[tokio::main]
async fn main() {
    let (objects, names) = (setting("OBJECTS", 2000), setting("NAMES", 10_000));
    let (delay, rounds) = (setting("DELAY", 10), setting("ROUNDS", 3));
    let there = There::start().await;
    let direct = connect(&there.endpoint()).await;
    let port = relay::port(&there.endpoint()).expect("a port");
    let relay = Relay::start(port, Duration::from_millis(delay as u64)).await;
    let server = match there {
        There::Weed(_) => "SeaweedFS",
        There::Own(_) => "the server of this program",
    };
    println!("{server}, {delay} ms each way, {objects} objects, {names} names");
    for bucket in [ours::BUCKET, "many"] {
        call(&direct, "create_bucket", named(bucket)).await;
    }
    let puts = (0..names).map(|number| {
        let key = format!("d{:02}/{number:06}.txt", number % 20);
        put(&direct, "many", key, "y".repeat(number % 50 + 1))
    });
    stream::iter(puts).buffer_unordered(16).count().await;
    let folder = tempfile::tempdir().expect("a folder");
    let up = folder.path().join("up");
    std::fs::create_dir(&up).expect("a folder");
    for number in 0..objects {
        let content = "z".repeat(2000);
        std::fs::write(up.join(format!("{number:05}")), content).expect("a file");
    }
    let folders = Folders::open([up.to_str().expect("a path")]).expect("a folder");
    let folders = Arc::new(folders);
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"));
    let engine = async |domain: &Domain| {
        let prepared = Engine::prepare(&domain.api.client, &cache, &mut |_| ()).await;
        let engine = prepared.expect("the sandbox can be prepared");
        Arc::new(engine.with_setup(&domain.api.setup))
    };
    let plain = engine(&S3).await;
    let granted = engine(&files::granted(&S3, &folders)).await;
    let others = Others::at(&relay.endpoint);
    let ours = Ours::new(connect(&relay.endpoint).await, plain);
    let remote = connect(&relay.endpoint).await;
    let uploading = Ours::with_files(remote, granted, folders);
    let mut table = Table::default();
    for round in 1..=rounds {
        println!("round {round} of {rounds}");
        for (work, name) in [
            (Work::List, "list"),
            (Work::Read, "read"),
            (Work::Move, "move: yes to done"),
            (Work::Upload, "upload: yes to done"),
            (Work::Delete, "delete: yes to done"),
        ] {
            for (number, tool) in Tool::ALL.into_iter().enumerate() {
                fill(&direct, objects).await;
                let took = tokio::task::block_in_place(|| others.time(tool, work, &up));
                let line = table.line(name);
                if let Some(took) = took {
                    line.others.entry(number).or_default().push(took);
                }
            }
            fill(&direct, objects).await;
            measure(work, &ours, &uploading, &mut table).await;
        }
    }
    table.print(objects);
    println!("{} requests passed the relay", relay.requests());
}

/// Does the work once by this program.
async fn measure(work: Work, ours: &Ours, uploading: &Ours, table: &mut Table) {
    let (ours, program, name) = match work {
        Work::List => (ours, ours::LIST, "list"),
        Work::Read => (ours, ours::READ, "read"),
        Work::Move => (ours, ours::MOVE, "move"),
        Work::Upload => (uploading, ours::UPLOAD, "upload"),
        Work::Delete => (ours, ours::DELETE, "delete"),
    };
    let (plan, cost) = ours.plan(program).await;
    assert!(ours::number(&plan) > 0, "{:?}", plan.outcome);
    match work {
        Work::List | Work::Read => {
            table.ours(name, cost);
            if work == Work::Read {
                let (pool, cost) = ours.plan(ours::POOL).await;
                assert_eq!(ours::number(&pool), ours::number(&plan));
                table.ours("read, by a pool of threads", cost);
            }
        }
        Work::Move | Work::Upload | Work::Delete => {
            table.ours(&format!("{name}: request to plan"), cost);
            let (applied, cost) = ours.apply(&plan).await;
            table.ours(&format!("{name}: yes to done"), cost);
            if work != Work::Delete {
                let cost = ours.undo(&plan, &applied).await;
                table.ours(&format!("{name}: its undo"), cost);
            }
        }
    }
}
