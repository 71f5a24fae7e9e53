//! A call into the Python world of a folder, beside a call into the embedded S3, in one run.
//!
//! Targets, medians in release on a quiet machine with two cores: the call of a folder with a
//! state of 10 kB ≤ 0.5 ms longer than one of S3, and one with a state of 5 MB ≤ 20 ms.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

use dialog2api::dialogue::Outcome;
use dialog2api::domain::{Domain, World, s3};
use dialog2api::exec::{Cache, Engine, Limits, Preparing, Seed};
use dialog2api::folder;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Calls of one program.
const CALLS: u32 = 50;
/// Programs for each median.
const PROGRAMS: usize = 41;

fn cache() -> Cache {
    Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-cache/sandbox"))
}

/// A folder whose state has records of 100 bytes, `bytes` in all.
fn folder_of(place: &TempDir, bytes: usize) -> PathBuf {
    let path = place.path().join(format!("records-{bytes}"));
    folder::create(&path).expect("a folder");
    let record = |index: usize| {
        let tags = ["red", "green", "blue"];
        let record = json!({"count": index, "price": 12.5, "tags": tags, "owner": null});
        (format!("record-{index}"), record)
    };
    let records: serde_json::Map<_, _> = (0..bytes / 90).map(record).collect();
    let state = json!({"items": records}).to_string();
    std::fs::write(path.join("worlds/start.json"), &state).expect("a state");
    println!("a state of {} bytes", state.len());
    path
}

/// The median time of a program.
async fn median(domain: &Domain, world: &Arc<dyn World>, program: &str) -> Duration {
    let (cache, mut progress) = (cache(), |step: Preparing| println!("{}", step.describe()));
    let engine = Engine::prepare(&domain.api.client, &cache, &mut progress).await;
    let engine = engine.expect("a sandbox").with_setup(&domain.api.setup);
    let mut times = Vec::new();
    for _ in 0..PROGRAMS {
        let started = Instant::now();
        let ran = engine
            .run(program, world, &Limits::default(), &Seed::default())
            .await;
        times.push(started.elapsed());
        let outcome = ran.expect("the sandbox works").outcome;
        assert!(matches!(outcome, Outcome::Result(_)), "{outcome:?}");
    }
    times.sort();
    times.get(PROGRAMS / 2).copied().unwrap_or_default()
}

/// The time that one call adds to a program. A program with many calls is compared with one
/// that makes none.
async fn of_call(name: &str, domain: &Domain, world: &Arc<dyn World>, call: &str) -> Duration {
    let program = |calls: u32| format!("for n in range({calls}):\n    {call}\nreturn None");
    // The first program loads the world.
    median(domain, world, &program(1)).await;
    let none = median(domain, world, &program(0)).await;
    let many = median(domain, world, &program(CALLS)).await;
    let each = many.saturating_sub(none) / CALLS;
    println!("{name:42} {:>9.1} µs", each.as_secs_f64() * 1e6);
    each
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let place = tempfile::tempdir().expect("a folder");
    let zoology = s3::open("zoology").expect("the built-in world").world;
    let (head, put) = (
        "s3.head_object(Bucket='zoology-bucket', Key='sea_animals/otter.txt')",
        "s3.put_object(Bucket='zoology-bucket', Key='n', Body=str(n))",
    );
    let read = of_call("S3: head_object", &s3::S3, &zoology, head).await;
    let write = of_call("S3: put_object", &s3::S3, &zoology, put).await;
    for bytes in [10_000, 5_000_000] {
        let domain = folder::load(&folder_of(&place, bytes), &cache()).expect("a domain");
        let handle = &domain.api.handle.as_ref().expect("a handle").name;
        let world = domain.initial_world("start").expect("a world");
        let (get, set) = (
            format!("{handle}.get_item('record-7')"),
            format!("{handle}.set_count('record-7', n + 1)"),
        );
        let of_read = of_call("folder: get_item", &domain, &world, &get).await;
        let of_write = of_call("folder: set_count", &domain, &world, &set).await;
        let times = |one: Duration, other: Duration| one.as_secs_f64() / other.as_secs_f64();
        println!(
            "a read takes {:.1} times that of S3, a write {:.1} times",
            times(of_read, read),
            times(of_write, write)
        );
    }
}
