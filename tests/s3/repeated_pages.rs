//! A server that repeats a page of a listing is not asked forever.

use super::support::value;
use async_trait::async_trait;
use dialog2api::domain::s3::{S3, show};
use dialog2api::domain::{Answer, Signer, Value, World};
use dialog2api::{Error, Result};
use serde_json::json;
use std::sync::{Arc, Mutex};

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
    async fn call(&self, operation: &str, _params: &Value) -> Result<Answer> {
        let mut asked = self.asked.lock().expect("no panic");
        asked.push(operation.to_owned());
        if asked.len() > 100 {
            return Err(Error::World("it is asked forever".to_owned()));
        }
        Ok(Ok(value(&match operation {
            "list_buckets" => json!({"Buckets": [{"Name": "alpha"}], "ContinuationToken": "next"}),
            "list_objects_v2" => {
                json!({"Contents": [{"Key": "k"}], "NextContinuationToken": "next"})
            }
            "list_multipart_uploads" => json!({
                "Uploads": [{"Key": "k", "UploadId": "id"}],
                "IsTruncated": true, "NextKeyMarker": "k", "NextUploadIdMarker": "id",
            }),
            _ => json!({}),
        })))
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

#[tokio::test]
async fn the_listings_of_buckets_and_objects_end() {
    let world = Repeating::default();
    let summary = show::summary(&world).await.expect("an end");
    assert_eq!(world.calls("list_buckets"), 2);
    assert_eq!(world.calls("list_objects_v2"), 2 * summary.buckets.len());
}

#[tokio::test]
async fn the_listing_of_uploads_ends() {
    let world = Repeating::default();
    let contents = S3.contents().expect("it has some");
    contents.clear(&world).await.expect("an end");
    // The bucket is on both pages.
    assert_eq!(world.calls("list_multipart_uploads"), 2 * 2);
}
