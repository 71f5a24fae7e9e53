//! `examples/embed.rs` does what it says.

#[path = "../examples/embed.rs"]
#[allow(dead_code, reason = "its `main` is for people")]
mod example;

use dialog2api::exec::Cache;
use std::path::Path;

#[tokio::test]
async fn the_agent_can_be_embedded() {
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"));
    let sessions = tempfile::tempdir().unwrap();
    assert_eq!(
        example::converse(&cache, sessions.path()).await.unwrap(),
        "buckets to create: 1\nThe bucket attic is there."
    );
}
