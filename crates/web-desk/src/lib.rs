//! A page in the browser for an agent that plans before it acts: the talk, the plans and their
//! consent, undo, the stack of programs, and a browser of the world.
//!
//! The crate has everything but the agent. Its host implements [`Desk`], which is what the page
//! asks, and pushes what happens to a [`Log`]. [`Server`] serves the page; its files are part of the
//! program.
//!
//! ```no_run
//! # async fn host(desk: std::sync::Arc<dyn web_desk::Desk>) -> std::io::Result<()> {
//! use web_desk::{Log, Reach, Server};
//!
//! let log = Log::new();
//! let server = Server::bind(([127, 0, 0, 1], 8080).into(), Reach::Loopback).await?;
//! println!("Open {}", server.links().fresh()?);
//! // The desk keeps a clone of the log, to push its events.
//! server.serve(desk, log, std::future::pending()).await
//! # }
//! ```
//!
//! # Events
//!
//! An event is a JSON object whose `event` is its name. The page understands those of
//! `dialog2api::service::Event` as they are serialised: `opened`, `note`, `unseen`, `link`,
//! `changes_not_shown`, `cut_off`, `turn_started`, `asking`, `shortened`, `text`, `restart`,
//! `waiting`, `unusable`, `stack`, `started`, `called`, `withheld`, `costly`, `cannot_bring_back`,
//! `plan`, `decided`, `applying`, `executed`, `turn_ended`, `draft_undone`, `undone`,
//! `policy_changed`, `closed`. The page keeps all others, and shows none of them. Beyond the
//! shapes of events, a host has to know this:
//!
//! - `opened` comes first, and again whenever another session is opened. Its `session` is what
//!   commands name; a command for another session is refused. The past of the session follows:
//!   each earlier turn as its `turn_ended`, then a `plan` that still waits.
//! - `turn_started` … `turn_ended` frame a turn. The page takes no utterance in between, and
//!   neither while a `plan` or `costly` waits.
//! - `plan` makes its number the one that [`Desk::decide`] may be asked about, once. `decided` or the
//!   end of the turn closes it. `costly` does the same for [`Desk::answer_cost`].
//! - `link` is a link that was signed for the user. It can be followed where it stands, and in replies
//!   that have it, if it is one of the web (http, https) and needs no more than that. Other addresses
//!   in a reply are text, since a model wrote them.
//! - `undone` ends an undo, also one that was declined. The page finds what it took back by the
//!   last `plan` whose origin is `{"undo": {"of": N}}`.
//! - `{"event": "failed", "said": "…"}` is the page's own: work that had begun could not be
//!   finished on the side of the host. It ends the turn.
//!
//! # Who gets in
//!
//! A local page that can delete is a target, so each request is checked:
//!
//! 1. The server listens on loopback. Elsewhere it wants a token and the names of its hosts.
//! 2. `Host` is one of its own names (421 otherwise), so that no other name leads here.
//! 3. A link lets one browser in, once, and leaves a cookie that scripts cannot read.
//! 4. A write wants the cookie, the exact `Origin`, `Sec-Fetch-Site: same-origin` and a key that
//!    only the page has. Secrets are compared in constant time.
//! 5. A content security policy allows our own files alone, and no text to become markup.
//! 6. Names and contents are shown as text, with hidden characters written out. What is read is
//!    saved by the browser, never opened as a page of ours.
//!
//! Cookies know no ports: a server on another port of this machine that the user visits sees the
//! cookie, and could read with it. It cannot write by the cookie alone.
//!
//! # Map
//!
//! - [`Desk`] and its questions and answers: what the host implements.
//! - [`Log`]: the numbered events, which a page reads from where it stopped.
//! - [`Server`], [`Links`], [`Reach`]: the server, the way in, and who may come.
//! - [`app()`]: the plan as a document of its own, for the windows of agents.
//! - [`Play`]: a seat of a game, for a page of its own ([`Server::serve_seat`]).
//! - [`Gate`]: a server for other programs, behind the same checks, without a page.
#![deny(missing_docs)]
#![warn(clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing)]

mod access;
mod app;
mod assets;
mod commands;
mod desk;
mod gate;
mod guard;
mod log;
mod play;
mod server;
mod stream;
mod world;

pub use access::Reach;
pub use app::{LINKS_KEY, PLAN_KEY, app};
pub use desk::{
    Answer, Content, Desk, Entry, Incoming, Look, Page, Received, Refusal, Room, SessionLine, Step,
    Undo, Version, Wish,
};
pub use gate::Gate;
pub use log::{Log, Numbered};
pub use play::Play;
pub use server::{Links, Server};
