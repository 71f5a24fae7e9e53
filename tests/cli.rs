//! The command as users and scripts meet it: arguments in; output and exit code
//! out. Nothing is read from the machine's own configuration.

#[path = "cli/chat.rs"]
mod chat;
#[path = "cli/dataset.rs"]
mod dataset;
#[path = "cli/doctor.rs"]
mod doctor;
#[path = "cli/eval.rs"]
mod eval;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "support/event_stream.rs"]
mod event_stream;
#[path = "cli/interchange.rs"]
mod interchange;
#[path = "cli/model.rs"]
mod model;
#[path = "cli/policy.rs"]
mod policy;
#[path = "cli/providers.rs"]
mod providers;
#[path = "cli/replay.rs"]
mod replay;
#[path = "cli/run.rs"]
mod run;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "support/scripted_http.rs"]
mod scripted_http;
#[path = "cli/support.rs"]
mod support;
#[path = "cli/terminal.rs"]
mod terminal;
#[path = "cli/world.rs"]
mod world;
