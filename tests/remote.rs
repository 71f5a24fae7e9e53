//! The world on a real S3 server: SeaweedFS, started by the test on loopback, and servers
//! that follow a script, for what real ones do only on bad days or far away.

mod calls;
mod configuration;
mod failures;
mod limits;
mod regions;
mod same;
mod scripted;
mod secrets;
mod signature;
mod support;
