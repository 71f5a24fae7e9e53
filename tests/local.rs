//! Models on this machine: servers that are found on loopback, and a server that is
//! started, kept and ended. The server is a stand-in with the options and the key of the
//! real one.

mod decoys;
mod found;
pub mod machine;
mod named;
mod run;
mod serve;
