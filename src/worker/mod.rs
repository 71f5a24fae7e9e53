//! This program as a worker of another one: JSON Lines on standard input and output. The Python
//! package is its client.
//!
//! The first line that a worker writes is [`Hello`], with the number of the protocol. Then each
//! line that it reads is a request, or the answer of a model that is the client itself. Requests
//! are carried out at the same time; each ends in one line, `done` or `failed`, with its `id`. What
//! happens in a conversation comes as lines of its own, with its number and an `event`
//! ([`Event`](crate::service::Event)). What people should know of a world and the links that programs
//! signed are such events, `note`, `unseen` and `link`; outside of conversations they are the `notes` and
//! `links` of the program that ends next. A link is for the person alone: no model reads it.
//!
//! - `line.rs` has the lines, and `out.rs` writes them.
//! - `worlds.rs` holds worlds by numbers, `told.rs` passes on what they tell, `programs.rs` runs
//!   programs in them, and `conversations.rs` holds conversations.
//! - `evaluation.rs` evaluates, and `asked.rs` is the client as a model.
//!
//! A worker ends when its standard input does. Nothing is kept but what sessions and runs keep in
//! their folders.

mod asked;
mod conversations;
mod evaluation;
mod line;
mod out;
mod programs;
mod told;
mod worlds;

use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::exec::{Cache, Engine};
use crate::service::{PlanView, prepared};
use asked::Asked;
use conversations::Conversations;
use line::{Do, Incoming, Request};
use out::Out;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite};
use tokio::sync::{Mutex, OnceCell};
use tokio::task::JoinSet;
use worlds::HeldWorlds;

/// The number of the protocol. A client refuses another one.
pub const PROTOCOL: u32 = 1;

/// The first line.
#[derive(Debug, Serialize)]
pub struct Hello {
    /// The version of this program.
    pub dialog2api: &'static str,
    /// [`PROTOCOL`].
    pub protocol: u32,
}

/// What a worker needs of the program that starts it.
#[derive(Clone, Copy)]
pub struct WorkerHost {
    /// Finds the domain that a name or a folder means.
    pub domain: fn(&str) -> Result<Arc<Domain>>,
    /// A plan in the words of a terminal, without its colours.
    pub plan: fn(&PlanView) -> String,
}

/// The name of the domain of requests that name none.
const DEFAULT_DOMAIN: &str = "s3";

/// A worker for one client.
pub struct Worker {
    host: WorkerHost,
    out: Out,
    domains: Mutex<HashMap<String, Arc<Known>>>,
    worlds: HeldWorlds,
    conversations: Conversations,
    asked: Arc<Asked>,
}

/// A domain, with the sandbox of its programs once they need one.
struct Known {
    domain: Arc<Domain>,
    engine: OnceCell<Arc<Engine>>,
}

impl Known {
    async fn engine(&self) -> Result<&Arc<Engine>> {
        let prepare = async || {
            let cache = Cache::of_user()?;
            let engine = prepared(&self.domain, &cache, &mut |_| ()).await?;
            Ok::<_, Error>(Arc::new(engine))
        };
        self.engine.get_or_try_init(prepare).await
    }
}

/// Serves a client until it closes its side, or cannot be written to any more.
///
/// # Errors
/// The client cannot be read.
pub async fn serve<R, W>(host: WorkerHost, mut read: R, write: W) -> Result<()>
where
    R: AsyncBufRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (out, writing) = Out::to(write);
    let worker = Arc::new(Worker {
        host,
        asked: Arc::new(Asked::new(out.clone())),
        out,
        domains: Mutex::default(),
        worlds: HeldWorlds::default(),
        conversations: Conversations::default(),
    });
    worker.out.say(&Hello {
        dialog2api: env!("CARGO_PKG_VERSION"),
        protocol: PROTOCOL,
    });
    let mut requests = JoinSet::new();
    let mut line = Vec::new();
    while !worker.out.is_closed() {
        line.clear();
        let read = read.read_until(b'\n', &mut line).await;
        if read.map_err(Error::file("cannot read", "standard input"))? == 0 {
            break;
        }
        while requests.try_join_next().is_some() {}
        match Incoming::read(&line) {
            Ok(Incoming::Answer(answer)) => worker.asked.answer(answer),
            Ok(Incoming::Request(request)) => {
                let worker = worker.clone();
                requests.spawn(async move { worker.request(request).await });
            }
            Err((id, why)) => worker.out.say(&json!({
                "id": id,
                "failed": {"kind": "usage", "message": format!("this is no request: {why}")},
            })),
        }
    }
    // Whoever has gone waits for nothing. Turns that are under way are interrupted as by a crash.
    requests.shutdown().await;
    worker.conversations.close().await;
    drop(worker);
    let _ = writing.await;
    Ok(())
}

impl Worker {
    /// Carries out a request, and says how it ended.
    async fn request(self: Arc<Self>, Request { id, what }: Request) {
        let work = tokio::spawn({
            let worker = self.clone();
            async move { worker.carry_out(what).await }
        });
        let aborts = Abort(work.abort_handle());
        let done = match work.await {
            Ok(done) => done,
            Err(error) => Err(Error::lost(error)),
        };
        drop(aborts);
        match done {
            Ok(done) => self.out.say(&json!({"id": id, "done": done})),
            Err(error) => {
                let failed = failed(&error);
                self.out.say(&json!({"id": id, "failed": failed}));
            }
        }
    }

    async fn carry_out(self: Arc<Self>, what: Do) -> Result<Json> {
        match what {
            Do::World(wanted) => self.open_world(wanted).await,
            Do::Fork { world } => self.fork(world).await,
            Do::Signature { world } => self.signature(world).await,
            Do::Content { world } => self.content(world).await,
            Do::Diff { world, other } => self.diff(world, other).await,
            Do::Forget { world } => {
                self.worlds.forget(world).await;
                Ok(Json::Null)
            }
            Do::Prepare { domain } => {
                self.domain(domain.as_deref()).await?.engine().await?;
                Ok(Json::Null)
            }
            Do::Run(program) => self.run(program).await,
            Do::Check { domain, program } => self.check(domain.as_deref(), &program).await,
            Do::Open(opening) => self.open(opening).await,
            Do::Say { conversation, text } => self.say(conversation, &text).await,
            Do::Decide {
                conversation,
                plan,
                apply,
            } => self.decide(conversation, plan, apply).await,
            Do::GoOn {
                conversation,
                go_on,
            } => self.go_on(conversation, go_on).await,
            Do::Cancel { conversation } => self.cancel(conversation).await,
            Do::Undo { conversation, plan } => self.undo(conversation, plan).await,
            Do::Transcript { conversation } => self.transcript(conversation).await,
            Do::Forms { conversation } => self.forms(conversation).await,
            Do::Close { conversation } => self.close(conversation).await,
            Do::Evaluate(wanted) => self.evaluate(*wanted).await,
            Do::Claims(asked) => asked.report(),
        }
    }

    /// The domain of this name or in this folder. It is loaded once.
    async fn domain(&self, name: Option<&str>) -> Result<Arc<Known>> {
        let name = name.unwrap_or(DEFAULT_DOMAIN);
        let mut domains = self.domains.lock().await;
        if let Some(known) = domains.get(name) {
            return Ok(known.clone());
        }
        let known = Arc::new(Known {
            domain: (self.host.domain)(name)?,
            engine: OnceCell::new(),
        });
        domains.insert(name.to_owned(), known.clone());
        Ok(known)
    }
}

/// A failure, with what a program printed and called before it.
fn failed(error: &Error) -> Json {
    let mut failed = json!({"kind": error.kind().to_string(), "message": error.to_string()});
    if let Error::Interrupted(interrupted) = error {
        failed["output"] = json!(interrupted.output);
        failed["calls"] = json!(interrupted.calls);
    }
    failed
}

/// Ends a task when it is dropped.
struct Abort(tokio::task::AbortHandle);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}
