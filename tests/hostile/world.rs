//! The world of hostile programs: two small buckets.

use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::{self, Value, World};
use std::sync::Arc;

/// A fresh world with the bucket `zoo`, two animals in it, and the empty bucket `attic`.
pub fn zoo() -> Arc<dyn World> {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let world = Memory::new("zoo", Store::new(Clock::Steps(start)));
    let text = |text: &str| Value::Str(text.to_owned());
    let make = |operation: &str, params: Vec<(&'static str, Value)>| {
        let params = params.into_iter().map(|(name, value)| (name.into(), value));
        let answer = world.perform(operation, &Value::Map(params.collect()));
        answer.expect("the world can be made");
    };
    make("create_bucket", vec![("Bucket", text("attic"))]);
    make("create_bucket", vec![("Bucket", text("zoo"))]);
    for (key, content) in [("bear.txt", "brown"), ("seal.txt", "grey")] {
        let body = Value::Bytes(content.into());
        let params = vec![("Bucket", text("zoo")), ("Key", text(key)), ("Body", body)];
        make("put_object", params);
    }
    Arc::new(world)
}

/// The signature of a world's state.
pub async fn signature(world: &Arc<dyn World>) -> String {
    let signed = domain::signature(&**world, []).await;
    signed.expect("it can be read").to_string()
}
