//! `domain.toml`: what a folder says about its domain.

use crate::domain::is_keyword;
use crate::error::{Error, Result};
use crate::mcp::Server;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::Path;

/// The file that makes a folder a domain.
pub const FILE: &str = "domain.toml";

/// What `domain.toml` says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The name: lower-case letters, digits and hyphens.
    pub name: String,
    /// One line for people.
    #[serde(default)]
    pub title: String,
    /// The object whose methods the operations are; by default the name, with `_` for `-`.
    #[serde(default)]
    pub handle: String,
    /// What answers the calls.
    #[serde(default)]
    pub kind: Kind,
    /// The operations that leave the state as it is.
    #[serde(default)]
    pub reads: Vec<String>,
    /// The operations that remove what cannot be had back. All others write.
    #[serde(default)]
    pub destroys: Vec<String>,
    /// Exception classes of Python that are answers of the API. Those that `world.py`
    /// defines always are.
    #[serde(default)]
    pub errors: Vec<String>,
    /// The default world. By default the first by name.
    #[serde(default)]
    pub world: Option<String>,
    /// The time at which every world starts; each change takes a second. By default
    /// 2024-01-01, and for a world that is kept in a file the time when it is opened.
    #[serde(default)]
    #[serde(deserialize_with = "timestamp")]
    pub now: Option<jiff::Timestamp>,
    /// The base URL of a domain whose kind is `openapi`, if its document names none or
    /// another one is meant.
    #[serde(default)]
    pub url: Option<String>,
    /// The server of a domain whose kind is `mcp`.
    #[serde(default)]
    pub server: Option<Server>,
    /// Which record a call names, by operation: `orders/{order_id}`. What policies judge.
    #[serde(default)]
    pub places: BTreeMap<String, String>,
}

/// What answers the calls of a domain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The functions of `world.py`.
    #[default]
    Python,
    /// The requests that an OpenAPI document describes: `openapi.json` or `openapi.yaml`.
    Openapi,
    /// The tools of an MCP server: `[server]` says which, `tools.json` has what it offers.
    Mcp,
}

fn timestamp<'de, D: Deserializer<'de>>(from: D) -> Result<Option<jiff::Timestamp>, D::Error> {
    let text = String::deserialize(from)?;
    let wrong = |error| D::Error::custom(format!("{text:?} is not a time: {error}"));
    text.parse().map(Some).map_err(wrong)
}

impl Definition {
    /// Reads `domain.toml` of a folder.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read; [`Error::Content`] says what is wrong in it, and
    /// in which line.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
        let wrong = |problem: String| Error::Content {
            path: path.clone(),
            problem,
        };
        let mut definition: Definition = toml::from_str(&text).map_err(|error| {
            let line = error.span().map(|span| line_of(&text, span.start));
            let line = line
                .map(|line| format!("line {line}: "))
                .unwrap_or_default();
            wrong(format!("{line}{}", error.message().trim_end()))
        })?;
        if !is_name(&definition.name) {
            return Err(wrong(format!(
                "the name {:?} must have lower-case letters, digits and hyphens, and begin with \
                 a letter",
                definition.name
            )));
        }
        if definition.handle.is_empty() {
            definition.handle = definition.name.replace('-', "_");
        }
        if !is_identifier(&definition.handle) {
            return Err(wrong(format!(
                "the handle {:?} is not a name that a Python program can use",
                definition.handle
            )));
        }
        Ok(definition)
    }
}

/// Whether this can name a domain.
pub fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_part)
}

/// Whether this is a name in Python, and not a keyword.
pub fn is_identifier(name: &str) -> bool {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    name.starts_with(|c: char| c == '_' || c.is_alphabetic())
        && name.chars().all(is_part)
        && !is_keyword(name)
}

/// The line, from 1, on which a byte of a text is.
pub fn line_of(text: &str, byte: usize) -> usize {
    1 + text
        .bytes()
        .take(byte)
        .filter(|byte| *byte == b'\n')
        .count()
}
