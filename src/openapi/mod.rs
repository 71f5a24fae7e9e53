//! APIs with an OpenAPI document: calls become HTTP requests.
//!
//! [`Api::read`] turns a document, in JSON or YAML and of OpenAPI 2.0, 3.0 or 3.1, into one
//! small model: [`HttpOperation`]s with [`Parameter`]s that have Python names. From there:
//!
//! - [`Api::stub`] is what models read,
//! - [`Api::request`] turns a call into an [`HttpRequest`], and [`HttpRequest::lines`] shows
//!   it to people,
//! - [`HttpWorld`] is a [`World`](crate::domain::World) that sends it,
//! - [`Api::search`] finds the operations that a question may need, if a document has too
//!   many for a prompt.
//!
//! Documents are written by strangers. Reading one does no I/O, follows only references
//! within it, and takes bounded time and space: references are followed where they are
//! needed, and types are texts with a greatest length. Secrets are [`Credentials`], which no
//! message, plan or `Debug` output shows.

mod answer;
mod base;
mod body;
mod credentials;
mod document;
mod download;
mod encode;
mod follow;
mod model;
mod multipart;
mod names;
mod pages;
mod parameters;
mod payload;
mod prose;
mod read;
mod request;
mod schema;
mod search;
mod secret_parameters;
mod security;
mod send;
mod stub;
mod text;
mod types;
mod words;
mod world;
mod yaml;

pub use answer::{Response, error_names};
pub use credentials::{Credentials, Variable};
pub use document::OpenapiVersion;
pub use download::download;
pub use model::{
    Body, HttpOperation, Media, Method, Parameter, ParameterLocation, PythonType, Scheme,
    SchemeKind, Style, StyleKind,
};
pub use pages::{ApiPages, Paging};
pub use request::{HttpRequest, Payload};
pub use send::HttpLimits;
pub use world::HttpWorld;

use crate::domain::Value;
use document::Document;
use search::Index;
use std::collections::HashMap;

/// An API, as its document describes it.
#[derive(Debug, Clone)]
pub struct Api {
    /// The title.
    pub title: String,
    /// A description in a few sentences.
    pub description: String,
    /// The version of OpenAPI that the document is written in.
    pub version: OpenapiVersion,
    /// The base URLs, the first being the default. They may be relative (`/v1`), and there
    /// may be none: [`Api::base`].
    pub servers: Vec<String>,
    /// The operations, in the order of the document.
    pub operations: Vec<HttpOperation>,
    /// The authentication schemes.
    pub schemes: Vec<Scheme>,
    /// Parts of the document that could not be read fully, a sentence each.
    pub notes: Vec<String>,
    by_name: HashMap<String, usize>,
    index: Index,
}

impl Api {
    /// Reads a document.
    ///
    /// # Errors
    /// A sentence: it is neither JSON nor YAML, is not an OpenAPI document of a known version,
    /// or is too large. Single parts that cannot be read are left out or become `Any`, with a
    /// note.
    pub fn read(text: &str) -> Result<Self, String> {
        let document = Document::parse(text)?;
        let read = read::operations(&document)?;
        let info = document.root.get("info");
        let of_info = |key| info.and_then(|info| document::text(info, key));
        let by_name = read.operations.iter().enumerate();
        let title = prose::sentences(of_info("title").unwrap_or_default(), 200);
        let repeated = document.repeated.iter().take(100);
        let repeated =
            repeated.map(|key| format!("the key {key} is written twice; the last one counts"));
        let mut notes: Vec<String> = repeated.chain(read.notes).collect();
        if read.operations.is_empty() {
            notes.push("the document has no operations".to_owned());
        }
        Ok(Api {
            title: if title.is_empty() {
                "API".to_owned()
            } else {
                title
            },
            description: prose::sentences(of_info("description").unwrap_or_default(), 600),
            version: document.version,
            servers: security::servers(&document),
            schemes: security::schemes(&document),
            by_name: by_name.map(|(at, it)| (it.name.clone(), at)).collect(),
            index: Index::new(&read.operations),
            operations: read.operations,
            notes,
        })
    }

    /// The operation of this Python name.
    pub fn operation(&self, name: &str) -> Option<&HttpOperation> {
        self.by_name
            .get(name)
            .and_then(|at| self.operations.get(*at))
    }

    /// The operations that change nothing: those whose method is safe.
    pub fn reads(&self) -> Vec<&str> {
        self.named(|operation| operation.method.is_safe())
    }

    /// The operations that remove something: those with `DELETE`.
    pub fn destroys(&self) -> Vec<&str> {
        self.named(|operation| operation.method == Method::Delete)
    }

    fn named(&self, is_meant: impl Fn(&HttpOperation) -> bool) -> Vec<&str> {
        let meant = self.operations.iter().filter(|it| is_meant(it));
        meant.map(|it| it.name.as_str()).collect()
    }

    /// The parameters of the call for the next page of a result. `None` after the last one,
    /// for an operation without [`Paging`], and if the answer does not show that there is one.
    pub fn next_page(&self, operation: &str, params: &Value, response: &Response) -> Option<Value> {
        let operation = self.operation(operation)?;
        operation.pages.as_ref()?.next(operation, params, response)
    }

    /// The `k` operations that fit these words best, the best first. Operations that have
    /// nothing in common with the words are left out.
    pub fn search(&self, words: &str, k: usize) -> Vec<&HttpOperation> {
        self.search_near(words, &[], k)
    }

    /// Like [`search`](Self::search), but ranks operations on the same resources as `near`, the
    /// operations called before, higher: consecutive calls are often about the same resource.
    pub fn search_near(&self, words: &str, near: &[&str], k: usize) -> Vec<&HttpOperation> {
        let positions = near.iter().filter_map(|name| {
            let mut operations = self.operations.iter();
            operations.position(|operation| operation.name == *name)
        });
        let near: Vec<usize> = positions.collect();
        let found = self.index.search(words, &near, k).into_iter();
        found.filter_map(|at| self.operations.get(at)).collect()
    }
}
