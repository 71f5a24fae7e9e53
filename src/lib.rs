//! dialog2api: **an utterance becomes a program, the program runs in a sandbox, the world
//! changes, and the agent replies.**
//!
//! ```text
//! utterance ─► service ─► agent ─► prompt ─► llm ─► updates ─► stack ─► exec (sandbox)
//!                           ▲                                              │ calls
//!              retrieval ───┘                                              ▼
//!         (datasets, api-docs)                               policy ─► plan ─► world (S3 …)
//!                                                                              │
//! reply ◄─ claims ◄─ llm ◄─ prompt ◄──────────────────── outcome, signature ◄──┘
//! ```
//!
//! [The path of one utterance](documentation::utterance) follows a sentence along these
//! arrows, through the code. The [glossary](documentation::glossary) has the words. The
//! [guides](documentation) say how to use the program.
//!
//! # Code map
//!
//! In reading order; the page of each module says more.
//!
//! - [`error`]: the failures of this program. Mistakes of programs and users are data.
//! - [`dialogue`]: programs, the stack of goals and its rules, outcomes, transcripts, and
//!   the text format for all of them. Pure data, no I/O.
//! - [`claims`]: what a reply states, and whether anything in the dialogue supports it. No
//!   I/O either.
//! - [`domain`]: what programs act on. A [`Domain`](domain::Domain) is what is always
//!   true of a kind of environment, a [`World`](domain::World) is one live state of it,
//!   and its [`Signature`](domain::Signature) tells two states apart. `code/` reads from a
//!   program's syntax tree which operations it [`Calls`](domain::Calls).
//!   - [`domain::s3`]: the first domain. Its worlds are the crate `crates/s3-world`, which others
//!     can use by itself: `memory/` is S3 as one function over a persistent value, `world/` reads worlds from files and keeps them on disk,
//!     `overlay/` keeps the writes to a world apart from it and lists what they change,
//!     `remote/` is any S3 server, `serve/` makes one of any world, `files/` moves files of the
//!     user to and from a world, `links/` is about links that are signed ahead, and `client/`
//!     is what programs see, in Python.
//! - [`policy`]: what programs may do. A [`Policy`](policy::Policy) is read from TOML, and a
//!   [`Guard`](policy::Guard) is a world around a world that refuses all else.
//! - [`exec`]: the host side of the sandbox. `prepare.rs` takes the interpreter's snapshot,
//!   [`Engine`](exec::Engine) runs a program in a fresh instance of it,
//!   [`Limits`](exec::Limits) holds what one program may use, and `link.rs` is the
//!   boundary: the only file that links host functions. The guest is a crate of its own in
//!   `sandbox/` (RustPython for `wasm32-wasip1`). It lies compiled in `crates/dialog2api-guest`;
//!   `build.rs` compiles it where its files have changed.
//! - [`folder`]: domains that are folders: an API document, Python functions over a state,
//!   and states. Their code runs in instances that stay ([`Resident`](exec::Resident)).
//! - [`mcp`]: servers of the Model Context Protocol as APIs. [`Tools`](mcp::Tools) writes
//!   what a server can do as Python stubs, and [`McpWorld`](mcp::McpWorld) is a world whose
//!   operations are its tools. Everything of the server's is untrusted text.
//! - [`mcp_server`]: this program as a server of that protocol, for agents that bring their own
//!   model. A front end of [`service`]: only a person's answer applies a plan.
//! - [`plan`]: what a program would do, shown before it is done, carried out exactly, and
//!   taken back.
//! - [`llm`]: the trait [`Model`](llm::Model), and its implementations: servers with the
//!   protocols of OpenAI, Anthropic and Amazon Bedrock, models on this machine
//!   ([`llm::local`]), and recordings; and what tokens cost.
//! - [`openapi`]: APIs that an OpenAPI document describes: calls become HTTP requests.
//!   [`Api`](openapi::Api) is the document as a small model, and
//!   [`HttpWorld`](openapi::HttpWorld) sends the requests.
//! - [`weights`]: the files of models on this machine, and their download.
//! - [`retrieval`]: the pool of example turns, and the search for those most similar to the
//!   turn at hand.
//! - [`prompts`]: the messages that a model reads, as templates that know no domain, and the
//!   part of a long dialogue that they show.
//! - [`agent`]: the loop of a turn. [`Agent::turn`](agent::Agent::turn) predicts, checks,
//!   executes and responds. Its phases are lists: `normalize/`
//!   corrects predictions, `lint/` and `reply_check/` send answers back once, and
//!   [`Assist`](agent::Assist) switches each of them by name. `question.rs` makes a prompt
//!   fit its budget. `stepwise.rs` runs a program write by write where a world has no copies.
//! - [`journal`]: every step of a session, on disk before the step has consequences, and
//!   the session rebuilt from there.
//! - [`service`]: a conversation as a library, which every front end goes through. A front
//!   end opens a [`Conversation`](service::Conversation) by a [`Setup`](service::Setup), says
//!   something, answers plans, cancels and undoes, and draws the [`Event`](service::Event)s.
//! - [`dataset`]: dialogues with their truth, and what their programs really do.
//! - [`games`]: models in decision games: they read for the solver of a seat, talk, or play it by
//!   programs; and the seats as worlds.
//! - [`eval`]: what a model does on a dataset, logged turn by turn, and the figures;
//!   [`eval::score`] has their definitions.
//! - [`web`]: the agent behind the page of `dialog2api web`, which is the crate
//!   `crates/web-desk`.
//! - [`worker`]: this program as a worker of another one, by JSON Lines: what the Python package
//!   in `python/` starts.
//! - [`cli`]: the command line, one file for each subcommand. Text that others wrote reaches
//!   a terminal only through its `terminal.rs`.
//! - [`documentation`]: guides for users, and the [glossary](documentation::glossary) of the
//!   words that the code uses.
//!
//! `crates/dialog2api-core` has what all of this speaks of: `dialogue`, the traits of `domain`, the
//! data of `exec`, and [`Conduct`](agent::Conduct). It knows no model, no Python engine and no S3;
//! `cargo` holds that. Its modules are re-exported here under the names above.
//!
//! `stubs/` writes what OpenAPI documents and MCP servers say as Python stubs. `secrets/` knows
//! the secrets and takes them out of everything that is shown, recorded or given to programs.
//! Six small files
//! serve several modules: `http.rs` sets up clients, `aws.rs` of `s3-world` finds Amazon's credentials, `keyring.rs`
//! asks the system for secrets; in the core, `files.rs` replaces and extends files, `lock.rs` gives
//! one process the right to write, and `blocking.rs` moves long work to threads of its own.
//!
//! `crates/decision-games` is a crate of its own: decision games between parties who know
//! different things, without I/O. The commands `game`, `play` and `replay` use it.
//! `crates/worksheets` is another: sheets in which their owner writes what an agent must ask,
//! say and do, which `folder/worksheets` brings into conversations. So is
//! `crates/typed-claims`: what a reply claims about rows, and whether it is so. The commands
//! `worksheet` and `claims` use them.
//!
//! Beside the code: `api-docs/` has what models read about a domain, `datasets/` its
//! worlds and example dialogues, `tests/` one binary with a module for each area
//! (`tests/tests.rs` says what belongs in which), `fuzz/` what is fuzzed, `benches/` the
//! figures, `python/` the package for Python.
//!
//! # Invariants
//!
//! What is *absent* matters as much as what is there.
//!
//! 1. `dialogue` does no I/O and knows no model, no Python engine and no S3. Neither does
//!    `claims`, which knows `dialogue` alone. *`tests/tidy.rs` reads their imports.*
//! 2. `exec` knows no domain; a domain knows no Python engine. They meet in a call
//!    (operation name, a [`Value`](domain::Value)) and an [`Answer`](domain::Answer).
//!    *`tests/tidy.rs`; `tests/exec.rs` runs programs against a world that is not S3.*
//! 3. Two levels of failure. What the *program* did wrong (exception, S3 error, limit
//!    reached) is an [`Outcome`](dialogue::Outcome): data, shown to the model, scored.
//!    What *we* failed at (lost connection, corrupt file) is an [`Error`], never scored
//!    as a wrong program. *Held by types: [`World::call`](domain::World::call) answers
//!    `Result<Answer>`, a result in a result.*
//! 4. The guest has no files, environment, network, clock or randomness of its own. Its
//!    only way out is the host call, and every program gets a fresh instance.
//!    *Held in `exec/link.rs`; `tests/exec.rs` lists everything the guest imports.*
//! 5. Everything has a limit, in one struct, passed in: [`Limits`](exec::Limits). A
//!    breach is an outcome with a name of its own. The host says that it is one
//!    ([`EndedBy`](exec::EndedBy)): a program cannot forge it by the name of its error.
//!    *`tests/hostile.rs` runs programs that mean harm.*
//! 6. What may not happen is stopped by code on the host side, whatever the model or the
//!    program says. *Its place is [`Guard`](policy::Guard), a `World` around the world, so
//!    that programs cannot go past it; `tests/policy.rs` tries. It knows of a call only what
//!    [`Domain::touches()`](domain::Domain::touches()) says.*
//! 7. The same seed gives the same bytes: clock, randomness and sampling of a dialogue
//!    start from [`Seed`](exec::Seed), and maps that are shown or hashed keep their order.
//! 8. Only `llm` speaks to model providers, only `weights` downloads models, only
//!    `remote` of `s3-world` speaks to S3 servers (it shares `aws.rs` with Bedrock's client), only
//!    `openapi` speaks to the servers of OpenAPI documents, only `mcp` to MCP servers, and
//!    only `serve` of `s3-world` and `web-desk` listen. *`tests/tidy.rs` looks for all of them
//!    elsewhere.*
//! 9. Tests need no network beyond loopback, no real clock and no order, and a test that
//!    lacks a tool says so. *`tests/tidy.rs` finds tests that sleep.*
//!
//! # Another domain
//!
//! A [`Domain`](domain::Domain) is owned data: name, operations with their parameters and
//! effects, API document, Python client, examples. Its code is a [`World`](domain::World)
//! (call, fork, canonical state) and those parts that it has:
//! [`Worlds`](domain::Worlds) opens worlds, [`Touches`](domain::Touches) says which
//! places a call names, [`Planning`](domain::Planning) plans writes and takes them back,
//! [`Contents`](domain::Contents) reads and replaces what a world holds. A domain can be
//! made while a program runs: [`folder`] makes one of files, and needs no line of Rust for it.
//! A built-in domain is a folder
//! in `src/domain/`, a page in `api-docs/`, a folder in `datasets/` and one line in
//! [`domain::domains`]. An edit in `agent`, `exec`, `llm`, `prompts` or `cli` that only the
//! new domain needs means that a trait is wrong: mend the trait.

#![deny(missing_docs)]

mod http;

mod keyring;

mod secrets;

mod stubs;

use dialog2api_core::{blocking, files, lock};
pub use dialog2api_core::{dialogue, error};
use s3_world::aws;

pub mod claims;

pub mod domain;

pub mod policy;

pub mod exec;

pub mod folder;

pub mod games;

pub mod mcp;

pub mod mcp_server;

pub mod plan;

pub mod llm;

pub mod openapi;

pub mod web;
pub mod weights;
pub mod worker;

pub mod retrieval;

pub mod prompts;

pub mod agent;

pub mod journal;

pub mod service;

pub mod dataset;

pub mod eval;

pub mod cli;

pub mod documentation;

pub use error::{Error, ErrorKind, FailureReason, Result};
