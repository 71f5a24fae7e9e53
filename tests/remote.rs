//! The world on a real S3 server: SeaweedFS, started by the test on loopback, and servers
//! that follow a script, for what real ones do only on bad days or far away.

#[path = "remote/calls.rs"]
mod calls;
#[path = "remote/configuration.rs"]
mod configuration;
#[path = "remote/failures.rs"]
mod failures;
#[path = "remote/limits.rs"]
mod limits;
#[path = "remote/regions.rs"]
mod regions;
#[path = "remote/same.rs"]
mod same;
#[path = "remote/scripted.rs"]
mod scripted;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "support/scripted_http.rs"]
mod scripted_http;
#[path = "remote/secrets.rs"]
mod secrets;
#[path = "support/mod.rs"]
mod shared;
#[path = "remote/signature.rs"]
mod signature;
#[path = "remote/support.rs"]
mod support;
#[path = "support/value.rs"]
mod value;
#[path = "support/weed.rs"]
mod weed;
