//! Helpers for the tests of several areas.

pub mod calls;
pub mod command;
pub mod echo;
pub mod event_stream;
pub mod links;
pub mod page;
pub mod rclone;
pub mod scripted_http;
pub mod tools;
#[path = "../../crates/s3-world/tests/s3/value.rs"]
pub mod value;
pub mod weed;

use dialog2api::domain::s3::S3;
use dialog2api::exec::{Cache, Engine};
use std::path::Path;

/// Whether long tests do all that they can, as in CI, or a part that is soon done.
pub fn is_whole() -> bool {
    std::env::var_os("DIALOG2API_TEST_WHOLE").is_some()
}

/// The prepared sandbox. Its cache is in the build folder, so that the first test
/// that needs it prepares it and all others load it.
pub async fn sandbox() -> Engine {
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"));
    Engine::prepare(&S3.api.client, &cache, &mut |_| ())
        .await
        .expect("the sandbox can be prepared")
}
