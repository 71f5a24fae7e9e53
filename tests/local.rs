//! Models on this machine: servers that are found on loopback, and one that is started,
//! kept and ended. The server is a fake of the same options and the same key.

#[path = "local/found.rs"]
mod found;
#[path = "local/machine.rs"]
mod machine;
#[path = "local/named.rs"]
mod named;
#[path = "local/run.rs"]
mod run;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "support/scripted_http.rs"]
mod scripted_http;
#[path = "local/serve.rs"]
mod serve;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "cli/support.rs"]
mod support;
