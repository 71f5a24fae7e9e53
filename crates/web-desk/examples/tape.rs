//! Serves the page with a desk that plays events instead of an agent:
//! `cargo run -p web-desk --example tape`. Say `tidy the logs`, `change 10000`, `something slow`
//! or `something costly`.
#![allow(clippy::print_stdout, reason = "it prints the link")]

#[path = "../tests/support/buttons.rs"]
mod buttons;
#[path = "../tests/support/scenes.rs"]
mod scenes;
#[path = "../tests/support/tape.rs"]
mod tape;
#[path = "../tests/support/things.rs"]
mod things;

use std::sync::Arc;
use std::time::Duration;
use web_desk::{Log, Reach, Server};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let log = Log::new();
    let desk = tape::Tape::new(log.clone(), Duration::from_millis(60), 100_000);
    let server = Server::bind(([127, 0, 0, 1], 0).into(), Reach::Loopback).await?;
    println!("Open {}", server.links().fresh()?);
    let until = async {
        // Without signals the page is served until the process ends.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    server.serve(Arc::new(desk), log, until).await
}
