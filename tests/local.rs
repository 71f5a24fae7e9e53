//! Models on this machine: servers that are found on loopback, and one that is started,
//! kept and ended. The server is a fake of the same options and the same key.

mod found;
mod machine;
mod named;
mod run;
mod serve;
