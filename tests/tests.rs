//! The tests of the program. They are one binary, so that the program is linked once.
//!
//! Each module is an area, with its helpers and a list of its files. To run one area:
//! `cargo test --locked --test integration exec::`. Tests run as threads of one process,
//! in any order: none changes the environment or the working directory of the process.
//!
//! | Module | What belongs in it |
//! |---|---|
//! | `dialogue` | the dialogue core: text in, text out |
//! | `agent` | the loop of a turn, prompts, examples, repairs of what a model says |
//! | `claims` | what replies state, and what supports it |
//! | `retrieval` | which examples are found, and the weights that this needs |
//! | `exec` | the sandbox: Python as programs see it, its limits, its boundary |
//! | `hostile` | programs that try to harm the host or the world |
//! | `injections` | texts of others that give orders to the model |
//! | `s3` | S3 with plans, policies and real boto3; its own tests are in `crates/s3-world` |
//! | `conformance` | S3 as programs see it, compared with recordings of boto3 |
//! | `backends` | the same programs on every backend |
//! | `overlay` | an overlay over a real server |
//! | `remote` | a real S3 server as a world, and what is sent to it |
//! | `serve` | a world as an S3 server, with real clients |
//! | `service` | conversations through the library, without a terminal |
//! | `signature` | the published vectors of the environment signature |
//! | `domain` | domains as data, and places: what is true of every domain |
//! | `folder` | domains that are folders |
//! | `policy` | which calls are allowed, denied or asked about |
//! | `plan` | plans, applies and undo on embedded worlds |
//! | `faults` | applies on a server that fails |
//! | `games` | models in decision games, and runs of them |
//! | `journal` | sessions: what is kept, resumed, replayed and undone |
//! | `llm` | clients of model providers, recordings, prices |
//! | `mcp` | servers of the Model Context Protocol as APIs |
//! | `mcp_server` | this program as a server of that protocol |
//! | `local` | model servers on this machine |
//! | `openapi` | APIs that OpenAPI documents describe: reading, requests, answers |
//! | `dataset` | reading, checking and converting datasets |
//! | `replay` | the dataset of the repository on every backend |
//! | `recorded` | the recorded conversation with a real model |
//! | `eval` | runs of evaluations, their logs and baselines |
//! | `score` | figures from logs |
//! | `report` | pages and tables from logs |
//! | `web` | the page in the browser over the agent; its own tests are in `crates/web-desk` |
//! | `worksheets` | conversations by worksheets |
//! | `python` | the Python package, and the lines that it speaks |
//! | `cli` | the command as users and scripts meet it |
//! | `examples` | the example programs |
//! | `readme` | the commands of the documentation |
//! | `distribution` | what people install: versions, names, licences |
//! | `tools` | what becomes of tests that lack a tool |
//! | `tidy` | rules about the files of the project |
//! | `support` | helpers of several areas; no tests |
//!
//! `missing_tools.rs` is a binary of its own: it runs last and lists what was left out for want of
//! a tool. A test that needs one begins with `needs!` (`support/tools.rs`).
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod agent;
mod backends;
mod claims;
mod cli;
mod conformance;
mod dataset;
mod dialogue;
mod distribution;
mod domain;
mod eval;
mod examples;
mod exec;
mod faults;
mod folder;
mod games;
mod hostile;
mod injections;
mod journal;
mod llm;
mod local;
mod mcp;
mod mcp_server;
mod openapi;
mod ordinary;
mod overlay;
mod plan;
mod policy;
mod python;
mod readme;
mod recorded;
mod remote;
mod replay;
mod report;
mod retrieval;
mod s3;
mod score;
mod serve;
mod service;
mod signature;
mod support;
mod tidy;
mod tools;
mod web;
mod worksheets;
