//! The command as users and scripts meet it: arguments in; output and exit code
//! out. Nothing is read from the machine's own configuration.

mod chat;
mod dataset;
mod doctor;
mod eval;
mod interchange;
mod model;
mod policy;
mod providers;
mod replay;
mod run;
pub mod support;
mod terminal;
mod world;
