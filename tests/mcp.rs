//! Servers of the Model Context Protocol: stubs as text in and text out, and calls of a
//! server that runs here.
//!
//! `mcp/server.py` is that server. `servers.rs` meets one that others wrote.

mod approved;
mod calls;
mod changed;
mod connecting;
mod properties;
mod servers;
mod stubs;

use crate::support::tools::PYTHON;
use dialog2api::domain::Value;
use dialog2api::mcp::{Address, Client, McpWorld, Server, Tools};
use serde_json::Value as Json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A folder with the state of a server, and how to start the server.
struct Items {
    folder: TempDir,
}

impl Items {
    fn new() -> Self {
        Items {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn server(&self, mode: &str) -> Server {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/server.py");
        let folder = self.folder.path().to_str().unwrap();
        let python = PYTHON.path().to_str().unwrap().to_owned();
        let mut server = Server::command(python, [script, folder, mode]);
        server.start_within = Duration::from_secs(30);
        server.answer_within = Duration::from_secs(30);
        server
    }

    /// A world of the server, whose tools were listed.
    async fn world(&self, mode: &str) -> McpWorld {
        self.world_of(&self.server(mode)).await
    }

    async fn world_of(&self, server: &Server) -> McpWorld {
        let client = Client::connect(server).await.unwrap();
        let tools = Tools::list(&client).await.unwrap();
        self.forget();
        McpWorld::connected(client, Arc::new(tools))
    }

    /// The requests so far, one a line.
    fn log(&self) -> String {
        std::fs::read_to_string(self.file("log.txt")).unwrap_or_default()
    }

    /// Forgets the requests so far.
    fn forget(&self) {
        let _ = std::fs::remove_file(self.file("log.txt"));
    }

    fn state(&self) -> String {
        std::fs::read_to_string(self.file("state.json")).unwrap()
    }

    /// From now on the server lists these pages of tools: see `server.py`.
    fn list(&self, pages: &Json) {
        std::fs::write(self.file("listed.json"), pages.to_string()).unwrap();
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        Path::join(self.folder.path(), name)
    }
}

/// The error of something that fails, without what differs from run to run.
fn problem<T>(result: dialog2api::Result<T>, server: &Server) -> String {
    let error = match result {
        Ok(_) => panic!("it does not fail"),
        Err(error) => error.to_string(),
    };
    error.replace(&server.to_string(), "SERVER")
}

/// The value that JSON stands for.
fn value(json: Json) -> Value {
    crate::support::value::value(&json)
}

/// The same server, which has to answer at once.
fn hurried(mut server: Server) -> Server {
    server.answer_within = Duration::from_millis(200);
    server
}

fn program(server: &Server) -> &dialog2api::mcp::Command {
    match &server.at {
        Address::Command(command) => command,
        Address::Url(_) => panic!("a server at an address"),
    }
}
