//! Single calls: to the embedded store as functions, and as Python.

use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::{Answer, Signer, Value};
use std::hint::black_box;
use std::time::Instant;

/// The number of small objects in the bucket `beta`; `alpha` has 20.
pub const FILL: usize = 10_000;

/// One thing to time.
pub struct Call {
    pub name: &'static str,
    /// As a statement of Python, for the sandbox and for boto3; empty where neither has it.
    pub python: &'static str,
    rust: fn(&Memory),
}

/// What is timed: each runs many times on one state.
pub const CALLS: &[Call] = &[
    Call {
        name: "put",
        python: r#"s3.put_object(Bucket="alpha", Key="folder/00007.txt", Body="0123456789")"#,
        rust: |world| {
            let body = [("Body", "0123456789")];
            done(perform(world, "put_object", &[BUCKET, KEY, body[0]]));
        },
    },
    Call {
        name: "get, with the body read",
        python: r#"s3.get_object(Bucket="alpha", Key="folder/00007.txt")["Body"].read()"#,
        rust: |world| done(perform(world, "get_object", &[BUCKET, KEY])),
    },
    Call {
        name: "head",
        python: r#"s3.head_object(Bucket="alpha", Key="folder/00007.txt")"#,
        rust: |world| done(perform(world, "head_object", &[BUCKET, KEY])),
    },
    Call {
        name: "copy",
        python: r#"s3.copy_object(Bucket="alpha", Key="copy", CopySource="alpha/folder/00007.txt")"#,
        rust: |world| {
            let source = ("CopySource", "alpha/folder/00007.txt");
            done(perform(
                world,
                "copy_object",
                &[BUCKET, ("Key", "copy"), source],
            ));
        },
    },
    Call {
        name: "delete, of what is not there",
        python: r#"s3.delete_object(Bucket="alpha", Key="nothing")"#,
        rust: |world| {
            done(perform(
                world,
                "delete_object",
                &[BUCKET, ("Key", "nothing")],
            ))
        },
    },
    Call {
        name: "list of 20 keys",
        python: r#"s3.list_objects(Bucket="alpha", Prefix="folder/")"#,
        rust: |world| {
            let prefix = ("Prefix", "folder/");
            done(perform(world, "list_objects", &[BUCKET, prefix]));
        },
    },
    Call {
        name: "list of 10,000 keys in pages",
        python: r#"sum(len(page["Contents"]) for page in s3.get_paginator("list_objects_v2").paginate(Bucket="beta"))"#,
        rust: |world| {
            let mut token = String::new();
            loop {
                let after = [("Bucket", "beta"), ("ContinuationToken", &token)];
                let given = if token.is_empty() { 1 } else { 2 };
                let page = perform(world, "list_objects_v2", &after[..given]);
                let page = page.expect("a page");
                match page.get("NextContinuationToken").and_then(Value::as_str) {
                    Some(next) => next.clone_into(&mut token),
                    None => return,
                }
            }
        },
    },
    Call {
        name: "put of a version",
        python: r#"s3.put_object(Bucket="gamma", Key="report.txt", Body="0123456789")"#,
        rust: |world| {
            // In a fork, so that the versions do not grow to a million.
            let body = ("Body", "0123456789");
            done(perform(&world.fork(), "put_object", &[GAMMA, REPORT, body]));
        },
    },
    Call {
        name: "list of 20 versions",
        python: r#"s3.list_object_versions(Bucket="gamma", MaxKeys=20)"#,
        rust: |world| {
            let keys = ("MaxKeys".into(), Value::Int(20));
            let params = Value::Map(vec![("Bucket".into(), "gamma".into()), keys]);
            done(world.perform("list_object_versions", &params));
        },
    },
    Call {
        name: "tag an object",
        python: r#"s3.put_object_tagging(Bucket="alpha", Key="folder/00007.txt", Tagging={"TagSet": [{"Key": "team", "Value": "red"}]})"#,
        rust: |world| {
            let tag = |name: &'static str, value: &str| (name.into(), Value::from(value));
            let tag = Value::Map(vec![tag("Key", "team"), tag("Value", "red")]);
            let tagging = Value::Map(vec![("TagSet".into(), Value::List(vec![tag]))]);
            let place = [BUCKET, KEY].map(|(name, value)| (name.into(), Value::from(value)));
            let mut params = place.to_vec();
            params.push(("Tagging".into(), tagging));
            done(world.perform("put_object_tagging", &Value::Map(params)));
        },
    },
    Call {
        name: "upload in parts",
        python: r#"id = s3.create_multipart_upload(Bucket="alpha", Key="parts")["UploadId"]; tag = s3.upload_part(Bucket="alpha", Key="parts", UploadId=id, PartNumber=1, Body="0123456789")["ETag"]; s3.complete_multipart_upload(Bucket="alpha", Key="parts", UploadId=id, MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": tag}]})"#,
        rust: |world| {
            let key = ("Key", "parts");
            let begun = perform(world, "create_multipart_upload", &[BUCKET, key]);
            let begun = begun.expect("an upload");
            let id = begun.get("UploadId").expect("its id").clone();
            let place = [BUCKET, key].map(|(name, value)| (name.into(), Value::from(value)));
            let mut params = place.to_vec();
            params.push(("UploadId".into(), id));
            let mut part = params.clone();
            part.push(("PartNumber".into(), Value::Int(1)));
            part.push(("Body".into(), "0123456789".into()));
            let sent = world.perform("upload_part", &Value::Map(part));
            let tag = sent.expect("a part").get("ETag").expect("its tag").clone();
            let part = vec![("PartNumber".into(), Value::Int(1)), ("ETag".into(), tag)];
            let parts = Value::List(vec![Value::Map(part)]);
            let whole = Value::Map(vec![("Parts".into(), parts)]);
            params.push(("MultipartUpload".into(), whole));
            done(world.perform("complete_multipart_upload", &Value::Map(params)));
        },
    },
    Call {
        name: "fork",
        python: "",
        rust: |world| {
            black_box(world.fork());
        },
    },
    Call {
        name: "fork, and restore it",
        python: "",
        rust: |world| world.fork().restore(world.snapshot()),
    },
    Call {
        name: "fork, and put beside 10,000 keys",
        python: "",
        rust: |world| {
            let put = [("Bucket", "beta"), KEY, ("Body", "x")];
            done(perform(&world.fork(), "put_object", &put));
        },
    },
    Call {
        name: "signature of 10,020 objects",
        python: "",
        rust: |world| {
            let mut signer = Signer::new();
            let signed = world.snapshot().state.sign(&mut signer);
            signed.expect("all content is here");
            black_box(signer.signature());
        },
    },
];

const BUCKET: (&str, &str) = ("Bucket", "alpha");
const KEY: (&str, &str) = ("Key", "folder/00007.txt");
const GAMMA: (&str, &str) = ("Bucket", "gamma");
const REPORT: (&str, &str) = ("Key", "report.txt");

fn perform(world: &Memory, operation: &str, params: &[(&'static str, &str)]) -> Answer {
    let pairs = params
        .iter()
        .map(|(name, value)| ((*name).into(), Value::from(*value)));
    world.perform(operation, &Value::Map(pairs.collect()))
}

fn done(answer: Answer) {
    black_box(answer.expect("an answer"));
}

/// The world that the calls are made on.
pub fn world() -> Memory {
    let world = empty(None);
    for (bucket, objects) in [("alpha", 20), ("beta", FILL)] {
        done(perform(&world, "create_bucket", &[("Bucket", bucket)]));
        for i in 0..objects {
            let key = format!("folder/{i:05}.txt");
            let body = ("Body", "0123456789");
            done(perform(
                &world,
                "put_object",
                &[("Bucket", bucket), ("Key", &key), body],
            ));
        }
    }
    done(perform(&world, "create_bucket", &[GAMMA]));
    let enabled = Value::Map(vec![("Status".into(), "Enabled".into())]);
    let settings = ("VersioningConfiguration".into(), enabled);
    let params = Value::Map(vec![("Bucket".into(), "gamma".into()), settings]);
    done(world.perform("put_bucket_versioning", &params));
    for _ in 0..20 {
        let body = ("Body", "0123456789");
        done(perform(&world, "put_object", &[GAMMA, REPORT, body]));
    }
    world
}

/// A world without buckets.
pub fn empty(region: Option<&str>) -> Memory {
    let mut store = Store::new(Clock::Steps(jiff::Timestamp::UNIX_EPOCH));
    if let Some(region) = region {
        store.region = region.into();
    }
    Memory::new("bench", store)
}

impl Call {
    /// Seconds for one call as a function: the least of 50 rounds, each so short that it
    /// is mostly done before another process has its turn.
    pub fn embedded(&self, world: &Memory) -> f64 {
        let once = |times: u32| {
            let start = Instant::now();
            (0..times).for_each(|_| (self.rust)(world));
            start.elapsed().as_secs_f64()
        };
        let times = (2e-3 / once(1)).clamp(1.0, 20_000.0) as u32;
        let least = (0..50).map(|_| once(times)).fold(f64::INFINITY, f64::min);
        least / f64::from(times)
    }
}
