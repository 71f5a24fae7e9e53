//! Buckets with more configurations with ids than one answer lists.

use super::support::{empty, value};
use s3_world::clock::Clock;
use s3_world::domain::{Image, Place, World, signature};
use s3_world::{Memory, Overlay, S3};
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use std::sync::Arc;

/// An answer lists up to 100.
const MANY: usize = 101;

fn done(world: &Memory, operation: &str, params: &Json) {
    let answer = world.perform(operation, &value(params));
    assert!(answer.is_ok(), "{operation}: {answer:?}");
}

/// A world with a bucket that has so many.
fn world() -> Arc<Memory> {
    let world = empty();
    done(&world, "create_bucket", &json!({"Bucket": "alpha"}));
    for number in 0..MANY {
        let id = format!("id{number:03}");
        let params = json!({"Bucket": "alpha", "Id": id, "MetricsConfiguration": {"Id": id}});
        done(&world, "put_bucket_metrics_configuration", &params);
    }
    Arc::new(world)
}

#[tokio::test]
async fn a_deleted_bucket_comes_back_with_all_of_them() {
    let world = world();
    let planning = S3.effects.planning.as_deref().expect("it plans");
    let place = Place::container("alpha");
    let image = planning.image(&*world, &place, &HashSet::new(), 0).await;
    let Ok(Image::Calls(calls)) = image else {
        panic!("{image:?}");
    };
    let put = "put_bucket_metrics_configuration";
    let made = calls.iter().filter(|(operation, _)| operation == put);
    assert_eq!(made.count(), MANY);
}

#[tokio::test]
async fn a_signature_is_of_all_of_them() {
    let base = world();
    let overlay = Overlay::over(base.clone(), Clock::System, "us-east-1");
    // The state of an overlay without changes is the base's own.
    let put = json!({"Bucket": "alpha", "Key": "k"});
    let put = overlay.call("put_object", &value(&put)).await;
    assert!(put.expect("an answer").is_ok());
    let before = signature(&overlay, []).await.expect("a state");
    let last = json!({"Bucket": "alpha", "Id": format!("id{:03}", MANY - 1)});
    done(&base, "delete_bucket_metrics_configuration", &last);
    assert_ne!(signature(&overlay, []).await.expect("a state"), before);
}
