//! The embedded store, called as a function. Targets, medians in release on a quiet
//! machine: put < 2 µs, a list of 20 keys < 15 µs, fork and restore < 1 µs, the signature
//! over 10,000 unchanged objects < 2 ms, a call judged by 20 rules < 6 µs. `s3.rs`
//! measures the same calls from Python.

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion};
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::{Memory, S3};
use dialog2api::domain::{Signer, Value};
use dialog2api::policy::{Count, Policy};
use std::hint::black_box;
use std::time::Duration;

fn params(pairs: &[(&'static str, &str)]) -> Value {
    let pairs = pairs
        .iter()
        .map(|(name, value)| ((*name).into(), Value::from(*value)));
    Value::Map(pairs.collect())
}

/// A store with one bucket of so many small objects.
fn store(objects: usize) -> Memory {
    let world = Memory::new(
        "bench",
        Store::new(Clock::Steps(jiff::Timestamp::UNIX_EPOCH)),
    );
    let done = world.perform("create_bucket", &params(&[("Bucket", "alpha")]));
    assert!(done.is_ok());
    for i in 0..objects {
        let key = format!("folder/{i:05}.txt");
        let put = params(&[("Bucket", "alpha"), ("Key", &key), ("Body", "0123456789")]);
        assert!(world.perform("put_object", &put).is_ok());
    }
    world
}

fn calls(group: &mut BenchmarkGroup<WallTime>) {
    let world = store(20);
    let put = params(&[
        ("Bucket", "alpha"),
        ("Key", "folder/00007.txt"),
        ("Body", "0123456789"),
    ]);
    group.bench_function("put", |b| {
        b.iter(|| black_box(world.perform("put_object", &put)))
    });
    let one = params(&[("Bucket", "alpha"), ("Key", "folder/00007.txt")]);
    group.bench_function("get", |b| {
        b.iter(|| black_box(world.perform("get_object", &one)))
    });
    group.bench_function("head", |b| {
        b.iter(|| black_box(world.perform("head_object", &one)))
    });
    let copy = params(&[
        ("Bucket", "alpha"),
        ("Key", "folder/00007.txt"),
        ("CopySource", "alpha/folder/00008.txt"),
    ]);
    group.bench_function("copy", |b| {
        b.iter(|| black_box(world.perform("copy_object", &copy)))
    });
    let new = params(&[("Bucket", "alpha"), ("Key", "new"), ("Body", "0123456789")]);
    let delete = params(&[("Bucket", "alpha"), ("Key", "new")]);
    group.bench_function("put of a new key and delete", |b| {
        b.iter(|| {
            world.perform("put_object", &new).ok();
            black_box(world.perform("delete_object", &delete))
        });
    });
    let list = params(&[("Bucket", "alpha")]);
    group.bench_function("list 20", |b| {
        b.iter(|| black_box(world.perform("list_objects", &list)))
    });
}

fn large(group: &mut BenchmarkGroup<WallTime>) {
    let world = store(10_000);
    group.bench_function("list 10,000 in pages", |b| {
        b.iter(|| {
            let mut token = Value::Null;
            loop {
                let list = Value::Map(vec![
                    ("Bucket".into(), "alpha".into()),
                    ("ContinuationToken".into(), token),
                ]);
                let page = world.perform("list_objects_v2", &list).expect("a page");
                match page.get("NextContinuationToken") {
                    Some(next) => token = next.clone(),
                    None => break,
                }
            }
        });
    });
    group.bench_function("fork", |b| b.iter(|| black_box(world.fork())));
    let put = params(&[("Bucket", "alpha"), ("Key", "k"), ("Body", "x")]);
    group.bench_function("first put after a fork of 10,000", |b| {
        b.iter_batched(
            || world.fork(),
            |fork| {
                black_box(fork.perform("put_object", &put)).ok();
                fork
            },
            BatchSize::SmallInput,
        );
    });
    let snapshot = world.snapshot();
    group.bench_function("restore", |b| {
        b.iter(|| world.restore(black_box(snapshot.clone())))
    });
    group.bench_function("signature of 10,000", |b| {
        b.iter(|| {
            let mut signer = Signer::new();
            let signed = world.snapshot().state.sign(&mut signer);
            signed.expect("all content is here");
            black_box(signer.signature())
        });
    });
}

/// A call that only the last rule matches, so that every glob is tried.
fn judge(group: &mut BenchmarkGroup<WallTime>) {
    let mut text = "version = 1\nprotected_buckets = [\"audit-*\"]\n".to_owned();
    for n in 0..20 {
        text += &format!(
            "[[rule]]\nname = \"r{n}\"\neffect = \"deny\"\noperations = [\"put_*\"]\n\
             buckets = [\"alpha*\"]\nkeys = [\"folder/{n}/**\", \"**/secret-{n}/*.txt\"]\n"
        );
    }
    text += "[ceilings]\nobjects_written = \"unlimited\"\nbytes_written = \"unlimited\"\n";
    let policy = Policy::read(&text).expect("a policy");
    let put = params(&[
        ("Bucket", "alpha"),
        ("Key", "folder/00007.txt"),
        ("Body", "0123456789"),
    ]);
    let mut count = Count::default();
    group.bench_function("judge a put by 20 rules", |b| {
        b.iter(|| black_box(policy.judge(&S3, "put_object", &put, &mut count)).is_ok())
    });
}

fn main() {
    let mut criterion = Criterion::default().without_plots().configure_from_args();
    let mut group = criterion.benchmark_group("store");
    group.measurement_time(Duration::from_secs(2));
    group.warm_up_time(Duration::from_millis(500));
    calls(&mut group);
    large(&mut group);
    judge(&mut group);
    group.finish();
    criterion.final_summary();
}
