//! A server with the tape, and a browser that visits it.
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod browser;
pub mod buttons;
pub mod scenes;
pub mod tape;
pub mod things;
pub mod tools;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tape::Tape;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use web_desk::{Links, Log, Reach, Server};

/// A page that is served until this is dropped.
pub struct Served {
    pub tape: Tape,
    pub links: Links,
    end: Option<oneshot::Sender<()>>,
    served: Option<tokio::task::JoinHandle<std::io::Result<()>>>,
    pub runtime: Runtime,
}

impl Served {
    /// With this many more things in the world.
    pub fn with(many: usize) -> Served {
        let runtime = Runtime::new().expect("a runtime");
        let log = Log::new();
        let (tape, server) = runtime.block_on(async {
            let any = SocketAddr::from(([127, 0, 0, 1], 0));
            let server = Server::bind(any, Reach::Loopback).await.expect("a port");
            (Tape::new(log.clone(), Duration::ZERO, many), server)
        });
        let links = server.links();
        let (end, ended) = oneshot::channel();
        let until = async move { drop(ended.await) };
        let served = runtime.spawn(server.serve(Arc::new(tape.clone()), log, until));
        Served {
            tape,
            links,
            end: Some(end),
            served: Some(served),
            runtime,
        }
    }

    pub fn new() -> Served {
        Served::with(0)
    }

    /// A link, and the address that it begins with.
    pub fn link(&self) -> (String, String) {
        let link = self.links.fresh().expect("a link");
        let origin = link.split("/?").next().expect("an address").to_owned();
        (link, origin)
    }

    /// Ends the server, and waits until it has.
    pub fn end(&mut self) {
        drop(self.end.take());
        if let Some(served) = self.served.take() {
            let ended = self
                .runtime
                .block_on(async { tokio::time::timeout(Duration::from_secs(10), served).await });
            ended
                .expect("the server ends")
                .expect("without a panic")
                .expect("well");
        }
    }
}
