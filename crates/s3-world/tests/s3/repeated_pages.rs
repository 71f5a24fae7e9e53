//! A server that repeats a page of a listing is not asked forever.

use super::support::value;
use async_trait::async_trait;
use expect_test::expect;
use s3_world::clock::Clock;
use s3_world::domain::{Answer, Layer, Onward, Refusal, Signer, Value, World, signature};
use s3_world::{AheadLimits, Memory, Overlay, S3, show};
use s3_world::{Error, Result};
use serde_json::{Value as Json, json};
use std::sync::{Arc, Mutex};

/// The keys on a page of objects. An overlay looks up so many of them by a listing.
const KEYS: usize = 20;

/// A server whose every page is followed by the same page.
#[derive(Default)]
struct Repeating {
    asked: Mutex<Vec<String>>,
}

impl Repeating {
    /// How often an operation was called.
    fn calls(&self, operation: &str) -> usize {
        let asked = self.asked.lock().expect("no panic");
        asked.iter().filter(|it| *it == operation).count()
    }
}

#[async_trait]
impl World for Repeating {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let mut asked = self.asked.lock().expect("no panic");
        asked.push(operation.to_owned());
        if asked.len() > 1000 {
            return Err(Error::world("it is asked forever"));
        }
        Ok(match (operation, text(params, "Bucket")) {
            ("head_bucket", Some("theirs")) => Err(Refusal::of_status(403)),
            ("head_bucket", _) => Err(Refusal::of_status(404)),
            _ => Ok(value(&answer(operation, params))),
        })
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, _signer: &mut Signer) -> Result<()> {
        Ok(())
    }

    fn describe(&self) -> String {
        "a server that repeats itself".to_owned()
    }
}

fn text<'v>(params: &'v Value, name: &str) -> Option<&'v str> {
    params.get(name).and_then(Value::as_str)
}

fn keys() -> Vec<Json> {
    (0..KEYS)
        .map(|number| json!({"Key": format!("k{number:02}")}))
        .collect()
}

fn answer(operation: &str, params: &Value) -> Json {
    match operation {
        "list_buckets" => json!({"Buckets": [{"Name": "alpha"}], "ContinuationToken": "next"}),
        "list_objects_v2" if params.get("Delimiter").is_some() => {
            json!({"CommonPrefixes": [{"Prefix": "k"}]})
        }
        "list_objects_v2" => json!({
            "Contents": keys(), "IsTruncated": true, "NextContinuationToken": "next",
        }),
        "list_object_versions" => {
            let key = text(params, "Prefix").unwrap_or("k00");
            json!({
                "Versions": [{"Key": key, "VersionId": "v", "IsLatest": true}],
                "IsTruncated": true, "NextKeyMarker": key, "NextVersionIdMarker": "v",
            })
        }
        "list_multipart_uploads" => json!({
            "Uploads": [{"Key": "k", "UploadId": "id"}],
            "IsTruncated": true, "NextKeyMarker": "k", "NextUploadIdMarker": "id",
        }),
        "list_bucket_metrics_configurations" => {
            json!({"IsTruncated": true, "NextContinuationToken": "next"})
        }
        "get_bucket_versioning" => json!({"Status": "Enabled"}),
        "get_object" => json!({"Body": {"@bytes": ""}}),
        _ => json!({}),
    }
}

/// An overlay on such a server, and the server.
fn overlaid() -> (Arc<Repeating>, Overlay) {
    let world = Arc::new(Repeating::default());
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let overlay = Overlay::over(world.clone(), Clock::Steps(start), "us-east-1");
    (world, overlay)
}

/// Makes a call that must succeed.
async fn done(world: &dyn World, operation: &str, params: &Json) {
    let answer = world.call(operation, &value(params)).await.expect("an end");
    assert!(answer.is_ok(), "{operation}: {answer:?}");
}

#[tokio::test]
async fn the_listings_of_buckets_and_objects_end() {
    let world = Repeating::default();
    let summary = show::summary(&world).await.expect("an end");
    assert_eq!(world.calls("list_buckets"), 2);
    assert_eq!(world.calls("list_objects_v2"), 2 * summary.buckets.len());
}

#[tokio::test]
async fn the_listings_of_uploads_and_versions_end() {
    let world = Repeating::default();
    let contents = S3.contents().expect("it has some");
    contents.clear(&world).await.expect("an end");
    // The bucket is on both pages.
    assert_eq!(world.calls("list_multipart_uploads"), 2 * 2);
    assert_eq!(world.calls("list_object_versions"), 2 * 2);
}

#[tokio::test]
async fn the_listings_of_an_overlays_base_end() {
    let (world, overlay) = overlaid();
    let deletion = json!({"Bucket": "alpha", "Delete": {"Objects": keys()}});
    done(&overlay, "delete_objects", &deletion).await;
    assert_eq!(world.calls("list_objects_v2"), 2);
    assert_eq!(world.calls("list_object_versions"), 2 * KEYS);
    // The layer hides all keys.
    done(&overlay, "list_objects_v2", &json!({"Bucket": "alpha"})).await;
    assert_eq!(world.calls("list_objects_v2"), 2 + 2);
    // One page has the group, and two have its keys.
    let grouped = json!({"Bucket": "alpha", "Delimiter": "k"});
    done(&overlay, "list_objects_v2", &grouped).await;
    assert_eq!(world.calls("list_objects_v2"), 4 + 1 + 2);
    done(
        &overlay,
        "list_object_versions",
        &json!({"Bucket": "alpha"}),
    )
    .await;
    assert_eq!(world.calls("list_object_versions"), 2 * KEYS + 2);
    let metrics = "list_bucket_metrics_configurations";
    done(&overlay, metrics, &json!({"Bucket": "alpha"})).await;
    assert_eq!(world.calls(metrics), 2);
}

#[tokio::test]
async fn the_listings_of_an_overlays_buckets_end() {
    let (world, overlay) = overlaid();
    let theirs = value(&json!({"Bucket": "theirs"}));
    let refused = overlay.call("create_bucket", &theirs).await;
    let refused = refused.expect("an end").expect_err("the name is taken");
    assert_eq!(refused.code, "BucketAlreadyExists");
    assert_eq!(world.calls("list_buckets"), 2);
    done(&overlay, "create_bucket", &json!({"Bucket": "mine"})).await;
    done(&overlay, "list_buckets", &json!({})).await;
    assert_eq!(world.calls("list_buckets"), 2 + 2);
}

#[tokio::test]
async fn the_state_of_an_overlay_is_read_to_an_end() {
    let (world, overlay) = overlaid();
    let put = json!({"Bucket": "alpha", "Key": "k00"});
    done(&overlay, "put_object", &put).await;
    signature(&overlay, []).await.expect("an end");
    assert_eq!(world.calls("list_buckets"), 2);
}

/// A server that ends each of its pages with empty markers, as some do, and takes an empty one for the
/// beginning.
struct EmptyMarkers {
    inner: Memory,
    asked: Mutex<Vec<String>>,
}

const MARKERS: [&str; 6] = [
    "NextContinuationToken",
    "NextMarker",
    "NextKeyMarker",
    "NextVersionIdMarker",
    "NextUploadIdMarker",
    "ContinuationToken",
];

#[async_trait]
impl Layer for EmptyMarkers {
    fn under(&self) -> &dyn World {
        &self.inner
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let mut answer = onward.call(operation, params).await?;
        if let (true, Ok(Value::Map(page))) = (operation.starts_with("list_"), &mut answer) {
            self.asked
                .lock()
                .expect("no panic")
                .push(operation.to_owned());
            for marker in MARKERS {
                if !page.iter().any(|(name, _)| &**name == marker) {
                    page.push((marker.into(), "".into()));
                }
            }
        }
        Ok(answer)
    }
}

#[tokio::test]
async fn an_empty_marker_leads_to_no_page() {
    let store = super::support::empty();
    for (operation, params) in [
        ("create_bucket", json!({"Bucket": "alpha"})),
        ("put_object", json!({"Bucket": "alpha", "Key": "k"})),
        (
            "create_multipart_upload",
            json!({"Bucket": "alpha", "Key": "m"}),
        ),
    ] {
        assert!(store.perform(operation, &value(&params)).is_ok());
    }
    let world = Arc::new(EmptyMarkers {
        inner: store,
        asked: Mutex::default(),
    });
    let overlay = Overlay::for_program(
        world.clone(),
        Clock::System,
        "us-east-1",
        AheadLimits::default(),
    );
    let bucket = json!({"Bucket": "alpha"});
    let listings = [
        ("list_buckets", json!({})),
        ("list_objects_v2", bucket.clone()),
        (
            "list_objects_v2",
            json!({"Bucket": "alpha", "Delimiter": "/", "Prefix": "k"}),
        ),
        ("list_objects", bucket.clone()),
        ("list_object_versions", bucket.clone()),
        ("list_multipart_uploads", bucket.clone()),
        ("list_bucket_metrics_configurations", bucket.clone()),
    ];
    // Without writes, with a write, and beside the state that a signature reads.
    for written in [false, true] {
        if written {
            let put = json!({"Bucket": "alpha", "Key": "new"});
            done(&overlay, "put_object", &put).await;
            done(&overlay, "create_multipart_upload", &put).await;
            signature(&overlay, []).await.expect("an end");
        }
        for (operation, params) in &listings {
            let page = overlay.call(operation, &value(params)).await;
            let page = page.expect("an answer").expect("a page");
            // S3 names the last key of a listing of uploads also where nothing follows.
            let tokens = ["NextContinuationToken", "NextMarker", "ContinuationToken"];
            let found = tokens.map(|marker| text(&page, marker).unwrap_or_default().to_owned());
            assert_eq!(found.concat(), "", "{operation} {written}");
        }
    }
    let asked = world.asked.lock().expect("no panic");
    expect!["list_buckets list_objects_v2 list_objects_v2 list_objects list_object_versions list_multipart_uploads list_bucket_metrics_configurations list_objects_v2 list_objects_v2 list_bucket_inventory_configurations list_bucket_analytics_configurations list_bucket_intelligent_tiering_configurations list_objects_v2 list_objects"].assert_eq(&asked.join(" "));
}

/// What reads a world to its end reads each page once.
#[tokio::test]
async fn an_empty_marker_ends_what_is_read_to_its_end() {
    let store = super::support::empty();
    let bucket = json!({"Bucket": "alpha"});
    assert!(store.perform("create_bucket", &value(&bucket)).is_ok());
    let world = EmptyMarkers {
        inner: store,
        asked: Mutex::default(),
    };
    show::summary(&world).await.expect("an end");
    let contents = S3.contents().expect("it has some");
    contents.clear(&world).await.expect("an end");
    expect!["list_buckets list_objects_v2 list_buckets list_multipart_uploads list_objects_v2"]
        .assert_eq(&world.asked.lock().expect("no panic").join(" "));
}

/// What a reply is checked by is read to its end, too.
#[tokio::test]
async fn an_empty_marker_ends_the_rows_of_a_bucket() {
    let store = super::support::empty();
    let object = json!({"Bucket": "alpha", "Key": "k"});
    for operation in ["create_bucket", "put_object"] {
        let params = match operation {
            "put_object" => object.clone(),
            _ => json!({"Bucket": "alpha"}),
        };
        assert!(store.perform(operation, &value(&params)).is_ok());
    }
    let world = EmptyMarkers {
        inner: store,
        asked: Mutex::default(),
    };
    let facts = S3.facts.as_ref().expect("it has some");
    let rows = facts.rows(&world, "alpha").await.expect("an end");
    let names: Vec<&str> = rows.iter().map(|row| &*row["name"]).collect();
    assert_eq!(names, ["k", "alpha"]);
    expect!["list_buckets list_objects_v2"]
        .assert_eq(&world.asked.lock().expect("no panic").join(" "));
}
