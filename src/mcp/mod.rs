//! MCP servers.

mod client;
mod http;
mod process;
mod server;

pub use client::{Client, Failed};
pub use server::{Address, Command, INHERITED, Server, Url};
