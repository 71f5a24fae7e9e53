//! A real S3 server as a world: SeaweedFS on loopback, started by the test. Scripted servers
//! stand in for failures and for distant regions.

mod ahead;
mod calls;
mod configuration;
mod failures;
mod forms;
mod limits;
mod links;
mod regions;
mod same;
mod scripted;
mod secrets;
mod settings;
mod signature;
mod support;
mod wire;
