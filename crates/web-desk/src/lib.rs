//! x
mod access; mod assets; mod commands; mod desk; mod guard; mod log; mod server; mod stream; mod world;
pub use access::Reach;
pub use desk::*;
pub use log::{Log, Numbered};
pub use server::{Links, MAX_UPLOAD, Server};
