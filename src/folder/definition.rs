//! `domain.toml`: what a folder says about its domain.

use crate::domain::{Words, is_keyword};
use crate::error::{Error, Result, line_of};
use crate::mcp::{Address, Server};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::Path;
use toml::Spanned;

/// The file that makes a folder a domain.
pub const FILE: &str = "domain.toml";

/// The contents of `domain.toml`.
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
    /// The part that answers the calls.
    #[serde(default)]
    pub kind: DomainKind,
    /// The domain that comes with the program and whose worlds are those of this one: its sheets
    /// call programs on it, which are in `programs.py`.
    #[serde(default)]
    pub domain: Option<String>,
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
    /// The time at which every world starts; each change takes a second. Without it worlds
    /// have the machine's time, and in evaluations 2024-01-01.
    #[serde(default)]
    #[serde(deserialize_with = "timestamp")]
    pub now: Option<jiff::Timestamp>,
    /// The base URL of a domain whose kind is `openapi`, if its document names none or
    /// another one is meant.
    #[serde(default)]
    pub url: Option<String>,
    /// Other servers that may get the credentials of a domain whose kind is `openapi`, because
    /// its document sends single operations there.
    #[serde(default)]
    pub trusted_servers: Vec<String>,
    /// The server of a domain whose kind is `mcp`.
    #[serde(default)]
    pub server: Option<Server>,
    /// The record that a call names, by operation: `orders/{order_id}`. Policies judge it.
    #[serde(default)]
    pub places: BTreeMap<String, String>,
    /// What people call what the state holds.
    #[serde(default)]
    pub words: Words,
    /// What its worksheets leave to the owner.
    #[serde(default)]
    pub worksheets: WorksheetOptions,
    /// Where in the file the names stand that other files can contradict.
    #[serde(skip)]
    pub(super) lines: Lines,
}

/// The lines of names in `domain.toml`, from 1; 0 for what is not there.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    pub name: usize,
    /// The handle, or the name that it is made of.
    pub handle: usize,
    /// The default world.
    pub world: usize,
    /// The domain whose worlds are those of this one.
    pub domain: usize,
    /// The operations in `reads`, `destroys` and `[places]`, in this order.
    pub operations: Vec<(String, usize)>,
    /// The exceptions in `errors`.
    pub errors: Vec<(String, usize)>,
}

impl Lines {
    /// The line of the last place that names an operation: `[places]` before the lists.
    pub fn operation(&self, operation: &str) -> usize {
        let mut from_end = self.operations.iter().rev();
        let found = from_end.find(|(name, _)| name == operation);
        found.map_or(0, |(_, line)| *line)
    }

    fn of(text: &str) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Names {
            name: Option<Spanned<String>>,
            handle: Option<Spanned<String>>,
            world: Option<Spanned<String>>,
            domain: Option<Spanned<String>>,
            reads: Vec<Spanned<String>>,
            destroys: Vec<Spanned<String>>,
            errors: Vec<Spanned<String>>,
            places: BTreeMap<Spanned<String>, String>,
        }
        let names: Names = toml::from_str(text).unwrap_or_default();
        let line = |name: &Spanned<String>| line_of(text, name.span().start);
        let with_line = |name: &Spanned<String>| (name.get_ref().clone(), line(name));
        let listed = names.reads.iter().chain(&names.destroys);
        Lines {
            name: names.name.as_ref().map_or(0, line),
            handle: names
                .handle
                .as_ref()
                .or(names.name.as_ref())
                .map_or(0, line),
            world: names.world.as_ref().map_or(0, line),
            domain: names.domain.as_ref().map_or(0, line),
            operations: listed.chain(names.places.keys()).map(with_line).collect(),
            errors: names.errors.iter().map(with_line).collect(),
        }
    }
}

/// What the owner of worksheets decides beside them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorksheetOptions {
    /// Who opens forms that nobody has spoken of.
    #[serde(default)]
    pub initiative: Initiative,
    /// Whether forms that a program leaves without a place are given one. By default they are.
    #[serde(default)]
    pub adopt: Option<bool>,
    /// What is said word by word where a person takes over: an address, or when somebody calls
    /// back. With it, a person also takes over a field that is asked for again and again.
    #[serde(default)]
    pub handoff: Option<String>,
    /// What a model that writes queries has to know of the tables beside their columns: habits of
    /// the house, and examples.
    #[serde(default)]
    pub queries: Option<String>,
}

impl WorksheetOptions {
    /// The same for the agenda.
    pub fn settings(&self) -> worksheets::Settings {
        worksheets::Settings {
            opens: self.initiative == Initiative::Agent,
            adopts: self.adopt.unwrap_or(true),
            hands_off: self.handoff.is_some(),
        }
    }
}

/// Who opens forms that nobody has spoken of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Initiative {
    /// The agent, where a form may be opened and nothing else is to be asked.
    #[default]
    Agent,
    /// The user alone.
    User,
}

/// The part that answers the calls of a domain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DomainKind {
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
        definition.lines = Lines::of(&text);
        if definition.domain.is_some() && definition.kind != DomainKind::Python {
            return Err(wrong(format!(
                "line {}: a domain over another one has no kind of its own",
                definition.lines.domain
            )));
        }
        // The folder of a server does not depend on where one starts.
        if let Some(Address::Command(command)) = definition.server.as_mut().map(|it| &mut it.at)
            && let Some(server) = &mut command.folder
        {
            let whole = std::path::absolute(folder).map_err(Error::file("cannot read", folder))?;
            *server = whole.join(&*server);
        }
        if !is_name(&definition.name) {
            return Err(wrong(format!(
                "line {}: the name {:?} must have lower-case letters, digits and hyphens, and begin with \
                 a letter",
                definition.lines.name, definition.name
            )));
        }
        if definition.handle.is_empty() {
            definition.handle = definition.name.replace('-', "_");
        }
        if !is_identifier(&definition.handle) {
            return Err(wrong(format!(
                "line {}: the handle {:?} is not a name that a Python program can use",
                definition.lines.handle, definition.handle
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
