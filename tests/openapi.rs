//! APIs that OpenAPI documents describe: reading them, what models see, requests, answers.
//!
//! What belongs here: documents as text in, and what `src/openapi` makes of them out. The
//! servers are in this process.

mod credentials;
mod documents;
mod linked;
mod names;
mod odd;
mod others;
mod pages;
mod reading;
mod requests;
mod restbench;
mod search;
mod secrets;
pub mod server;
mod styles;
mod types;
mod walks;
mod world;

use dialog2api::domain::Value;
use dialog2api::openapi::Api;
use serde_json::{Value as Json, json};

/// The API of a document that is right.
fn api(document: &Json) -> Api {
    read(&document.to_string())
}

fn read(text: &str) -> Api {
    Api::read(text).unwrap_or_else(|problem| panic!("{problem}"))
}

/// A document of OpenAPI 3 with these paths.
fn v3(paths: Json) -> Json {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://api.pets.test/v1"}],
        "paths": paths,
    })
}

/// A document of OpenAPI 3 with one operation, `do_it`.
fn one(operation: Json) -> Json {
    let mut operation = operation;
    operation["operationId"] = json!("doIt");
    v3(json!({"/it": {"post": operation}}))
}

/// The parameters of a call, from JSON.
fn params(json: Json) -> Value {
    crate::support::value::value(&json)
}

/// Whether the text is valid Python.
fn is_python(text: &str) -> bool {
    ruff_python_parser::parse_module(text).is_ok()
}
