//! An overlay is a world like any: the same calls give the same answers and the same
//! signature as on the store itself, and the base stays as it is.

use super::{call, over, signed, wait};
use crate::support::{empty, render};
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::select;
use s3_world::domain::{Answer, Value, World};
use s3_world::show::{S3Change, diff, summary};
use s3_world::{Memory, Overlay};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An operation and its JSON arguments. `"TOKEN"` stands for the last token that the
/// world itself gave.
type Step = (&'static str, Json);

const BUCKETS: &[&str] = &["alpha", "beta", "gamma"];
const OWNERS: &[&str] = &["123456789012", "000000000000"];
/// Of the contents `""`, `x` and `yz`, and of none.
const ETAGS: &[&str] = &[
    "*",
    "\"d41d8cd98f00b204e9800998ecf8427e\"",
    "\"9dd4e461268c8034f5c8564e155c67a6\"",
    "\"00000000000000000000000000000000\"",
];

fn bucket() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just("alpha"), 3 => Just("beta"), 1 => Just("gamma")]
}

fn key() -> impl Strategy<Value = String> {
    let odd = select(vec![
        "a", "a/b", "a/c", "a//b", "dir/", "/x", "é", "b", "é/ü+ %",
    ]);
    prop_oneof![3 => odd.prop_map(str::to_owned), 2 => (0..25).prop_map(|n| format!("k/{n:02}"))]
}

/// Where a listing may start, and what keys may begin with.
fn part() -> impl Strategy<Value = String> {
    let parts = vec![
        "", "a", "a/", "a//", "k", "k/", "k/1", "dir/", "/", "é", "zz",
    ];
    prop_oneof![3 => select(parts).prop_map(str::to_owned), 1 => key()]
}

/// Arguments without those that are null.
fn given(arguments: Json) -> Json {
    match arguments {
        Json::Object(pairs) => Json::Object(
            pairs
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .collect(),
        ),
        other => other,
    }
}

fn etag(rarely: f64) -> impl Strategy<Value = Option<&'static str>> {
    weighted(rarely, select(ETAGS))
}

fn put() -> impl Strategy<Value = Step> {
    let body = select(vec!["", "x", "yz"]);
    let none = weighted(0.1, Just("*"));
    let kind = of(select(vec!["text/plain", "text/csv"]));
    (
        bucket(),
        key(),
        body,
        etag(0.1),
        none,
        kind,
        weighted(0.05, select(OWNERS)),
    )
        .prop_map(|(bucket, key, body, etag, none, kind, owner)| {
            let arguments = json!({
                "Bucket": bucket, "Key": key, "Body": body, "IfMatch": etag,
                "IfNoneMatch": none, "ContentType": kind, "ExpectedBucketOwner": owner,
                "Metadata": kind.map(|kind| json!({"Kind": kind})),
            });
            ("put_object", given(arguments))
        })
}

fn copy() -> impl Strategy<Value = Step> {
    let directive = of(select(vec!["COPY", "REPLACE"]));
    (
        bucket(),
        key(),
        bucket(),
        key(),
        directive,
        etag(0.1),
        etag(0.1),
    )
        .prop_map(
            |(bucket, key, from, source, directive, etag, source_etag)| {
                let arguments = json!({
                    "Bucket": bucket, "Key": key, "CopySource": {"Bucket": from, "Key": source},
                    "MetadataDirective": directive, "IfMatch": etag,
                    "CopySourceIfMatch": source_etag,
                });
                ("copy_object", given(arguments))
            },
        )
}

fn delete() -> impl Strategy<Value = Step> {
    (bucket(), key(), etag(0.1)).prop_map(|(bucket, key, etag)| {
        let arguments = json!({"Bucket": bucket, "Key": key, "IfMatch": etag});
        ("delete_object", given(arguments))
    })
}

fn delete_many() -> impl Strategy<Value = Step> {
    let object =
        (key(), etag(0.1)).prop_map(|(key, etag)| given(json!({"Key": key, "ETag": etag})));
    (bucket(), vec(object, 0..40), any::<bool>()).prop_map(|(bucket, objects, quiet)| {
        let delete = json!({"Objects": objects, "Quiet": quiet});
        (
            "delete_objects",
            json!({"Bucket": bucket, "Delete": delete}),
        )
    })
}

fn create() -> impl Strategy<Value = Step> {
    let names = select(vec!["alpha", "beta", "gamma", "delta", "Bad_Name"]);
    let region = weighted(0.3, select(vec!["eu-west-1", "EU", "nowhere"]));
    (names, region).prop_map(|(bucket, region)| {
        let place = region.map(|region| json!({"LocationConstraint": region}));
        let arguments = json!({"Bucket": bucket, "CreateBucketConfiguration": place});
        ("create_bucket", given(arguments))
    })
}

/// What empties a bucket, so that it can be deleted.
fn empty_bucket() -> impl Strategy<Value = Vec<Step>> {
    bucket().prop_map(|bucket| {
        let odd = ["a", "a/b", "a/c", "a//b", "dir/", "/x", "é", "b", "é/ü+ %"].map(str::to_owned);
        let keys = odd.into_iter().chain((0..25).map(|n| format!("k/{n:02}")));
        let objects: Vec<Json> = keys.map(|key| json!({"Key": key})).collect();
        let delete = json!({"Objects": objects, "Quiet": true});
        let list = json!({"Bucket": bucket, "Delimiter": "/"});
        vec![
            (
                "delete_objects",
                json!({"Bucket": bucket, "Delete": delete}),
            ),
            ("list_objects_v2", list),
            ("delete_bucket", json!({"Bucket": bucket})),
        ]
    })
}

fn write() -> impl Strategy<Value = Vec<Step>> {
    let delete_bucket = bucket().prop_map(|b| ("delete_bucket", json!({"Bucket": b})));
    prop_oneof![
        8 => put().prop_map(|step| vec![step]),
        5 => copy().prop_map(|step| vec![step]),
        5 => delete().prop_map(|step| vec![step]),
        2 => delete_many().prop_map(|step| vec![step]),
        2 => create().prop_map(|step| vec![step]),
        1 => delete_bucket.prop_map(|step| vec![step]),
        1 => empty_bucket(),
    ]
}

fn list() -> impl Strategy<Value = Vec<Step>> {
    let delimiter = of(select(vec!["", "/", "//", "b", "é"]));
    let query = (bucket(), of(part()), delimiter, of(-1..6), of(part()), 0..6);
    (
        query,
        weighted(0.1, Just("url")),
        weighted(0.05, select(OWNERS)),
        any::<bool>(),
    )
        .prop_map(
            |((bucket, prefix, delimiter, most, start, kind), encoding, owner, fetch)| {
                let name = if kind < 3 { "Marker" } else { "StartAfter" };
                let mut arguments = json!({
                    "Bucket": bucket, "Prefix": prefix, "Delimiter": delimiter, "MaxKeys": most,
                    "EncodingType": encoding, "ExpectedBucketOwner": owner,
                });
                arguments[name] = json!(start);
                if kind < 3 {
                    return vec![("list_objects", given(arguments))];
                }
                arguments["FetchOwner"] = json!(fetch);
                let mut next = arguments.clone();
                next["ContinuationToken"] = json!("TOKEN");
                vec![
                    ("list_objects_v2", given(arguments)),
                    ("list_objects_v2", given(next)),
                ]
            },
        )
}

fn read() -> impl Strategy<Value = Vec<Step>> {
    let name = prop_oneof![Just("get_object"), Just("head_object")];
    let range = of(select(vec![
        "bytes=0-0",
        "bytes=1-",
        "bytes=-1",
        "bytes=9-",
    ]));
    let object = (name, bucket(), key(), range, etag(0.2), any::<bool>()).prop_map(
        |(name, bucket, key, range, etag, checksum)| {
            let arguments = json!({
                "Bucket": bucket, "Key": key, "Range": range, "IfMatch": etag,
                "ChecksumMode": checksum.then_some("ENABLED"),
            });
            vec![(name, given(arguments))]
        },
    );
    let name = prop_oneof![Just("head_bucket"), Just("get_bucket_location")];
    let of_bucket =
        (name, bucket(), weighted(0.2, select(OWNERS))).prop_map(|(name, bucket, owner)| {
            vec![(
                name,
                given(json!({"Bucket": bucket, "ExpectedBucketOwner": owner})),
            )]
        });
    let token = weighted(0.3, Just("TOKEN"));
    let buckets =
        (of(1..4), weighted(0.2, Just("eu-west-1")), token).prop_map(|(most, region, token)| {
            let arguments = json!({
                "MaxBuckets": most, "BucketRegion": region, "ContinuationToken": token,
            });
            vec![("list_buckets", given(arguments))]
        });
    prop_oneof![4 => object, 2 => of_bucket, 2 => buckets]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![4 => write(), 4 => list(), 2 => read()];
    vec(step, 1..30).prop_map(|steps| steps.concat())
}

/// Writes that are made before there is an overlay.
fn setup() -> impl Strategy<Value = Vec<Step>> {
    vec(put(), 0..30).prop_map(|puts| {
        let created = BUCKETS
            .iter()
            .take(2)
            .map(|bucket| ("create_bucket", json!({"Bucket": bucket})));
        created.chain(puts).collect()
    })
}

/// A world under test, and its last tokens.
struct Side<'w> {
    world: &'w dyn World,
    keys: Option<String>,
    buckets: Option<String>,
}

impl<'w> Side<'w> {
    fn new(world: &'w dyn World) -> Self {
        Side {
            world,
            keys: None,
            buckets: None,
        }
    }

    /// The answer, in which tokens are as good as each other.
    fn step(&mut self, (operation, arguments): &Step) -> String {
        let mut params = crate::support::value(arguments);
        let (last, next) = match *operation {
            "list_buckets" => (&mut self.buckets, "ContinuationToken"),
            _ => (&mut self.keys, "NextContinuationToken"),
        };
        if let Value::Map(pairs) = &mut params {
            pairs.retain_mut(|(name, value)| match last {
                _ if name != "ContinuationToken" => true,
                None => false,
                Some(token) => {
                    *value = Value::from(token.as_str());
                    true
                }
            });
        }
        let mut answer = call(self.world, operation, &params);
        if operation.starts_with("list_") {
            *last = answer
                .as_ref()
                .ok()
                .and_then(|page| page.get(next)?.as_str().map(str::to_owned));
        }
        without_tokens(&mut answer);
        render(&answer)
    }
}

fn without_tokens(answer: &mut Answer) {
    if let Ok(Value::Map(pairs)) = answer {
        for (name, value) in pairs {
            if name.ends_with("ContinuationToken") {
                *value = Value::Null;
            }
        }
    }
}

fn apply(world: &Memory, steps: &[Step]) {
    let mut side = Side::new(world);
    for step in steps {
        side.step(step);
    }
}

/// Makes the same calls on both and compares each answer, and the states at the end.
fn same(store: &Memory, other: &dyn World, steps: &[Step]) -> Result<(), TestCaseError> {
    let (mut expected, mut actual) = (Side::new(store), Side::new(other));
    for step in steps {
        prop_assert_eq!(expected.step(step), actual.step(step), "{:?}", step);
    }
    prop_assert_eq!(signed(store), signed(other));
    Ok(())
}

/// What is alike in a change and in a difference: all but times and sources.
fn outline(changes: &[S3Change]) -> Vec<String> {
    let lines = changes.iter().map(|change| {
        let mut json = serde_json::to_value(change).expect("JSON");
        for held in ["before", "now"] {
            if let Some(Json::Object(held)) = json.get_mut(held) {
                held.remove("modified");
                held.remove("copied_from");
            }
        }
        json.to_string()
    });
    lines.collect()
}

/// The list of changes is what leads from the base to the overlay.
fn changes_are_the_difference(base: &dyn World, overlay: &Overlay) -> Result<(), TestCaseError> {
    let changes = overlay.changes();
    let deleted: BTreeSet<_> = (changes.iter())
        .filter_map(|change| match change {
            S3Change::BucketDeleted { bucket } => Some(bucket),
            _ => None,
        })
        .collect();
    let again = changes.iter().any(|change| match change {
        S3Change::BucketCreated { bucket, .. } => deleted.contains(bucket),
        _ => false,
    });
    // That a bucket is another one of the same name, no summary can tell.
    if !again {
        let (before, after) = (wait(summary(base)), wait(summary(overlay)));
        let (before, after) = (before.expect("a summary"), after.expect("a summary"));
        prop_assert_eq!(outline(&changes), outline(&diff(&before, &after)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn an_overlay_answers_as_the_store_does(setup in setup(), steps in steps()) {
        let store = empty();
        apply(&store, &setup);
        let (base, overlay) = over(&store);
        let untouched = signed(&*base);
        prop_assert_eq!(overlay.changes(), vec![]);
        same(&store, &overlay, &steps)?;
        prop_assert_eq!(signed(&*base), untouched);
        changes_are_the_difference(&*base, &overlay)?;
    }

    #[test]
    fn so_does_an_overlay_over_an_overlay(
        setup in setup(),
        below in steps(),
        above in steps(),
    ) {
        let store = empty();
        apply(&store, &setup);
        let (base, lower) = over(&store);
        let untouched = signed(&*base);
        same(&store, &lower, &below)?;
        let lower = Arc::new(lower);
        let kept = (signed(&*lower), lower.changes());
        let upper = Overlay::over(lower.clone(), store.snapshot().clock, "us-east-1");
        same(&store, &upper, &above)?;
        prop_assert_eq!(kept, (signed(&*lower), lower.changes()));
        prop_assert_eq!(signed(&*base), untouched);
        changes_are_the_difference(&*lower, &upper)?;
    }

    #[test]
    fn a_fork_goes_its_own_way(setup in setup(), first in steps(), second in steps()) {
        let store = empty();
        apply(&store, &setup);
        let (_, overlay) = over(&store);
        same(&store, &overlay, &first)?;
        let kept = (signed(&overlay), overlay.changes());
        let fork = overlay.fork();
        same(&store, &fork, &second)?;
        prop_assert_eq!(kept, (signed(&overlay), overlay.changes()));
    }
}
