//! Tools that an MCP server has changed since its domain was made, and their approval.

use super::assemble::API;
use super::definition::{Definition, FILE};
use super::server::{TOOLS, listed};
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use crate::mcp::{Tool, ToolChange, Tools};
use std::path::{Path, PathBuf};
use toml_edit::DocumentMut;

/// The tools of a server as they are now, beside those that were approved.
pub struct Approval {
    path: PathBuf,
    approved: Tools,
    now: Tools,
    /// The operations among `reads` that no longer say that they only read, or are gone.
    no_reads: Vec<String>,
    /// The operations that cannot be called any more.
    pub gone: Vec<String>,
    /// What differs, a line each.
    pub changes: Vec<String>,
}

/// Asks the server of a folder's domain what it offers now.
///
/// # Errors
/// The folder is no domain of an MCP server, or the server does not answer.
pub async fn unapproved(path: &Path) -> Result<Approval> {
    let definition = Definition::read(path)?;
    let Some(server) = &definition.server else {
        return Err(Error::usage(format!(
            "{} is not the domain of an MCP server: there is nothing to approve",
            path.display()
        )));
    };
    let approved = Tools::read(&path.join(TOOLS))?;
    let now = listed(server).await?;
    let mut changes = Vec::new();
    let mut gone = Vec::new();
    for (name, change) in approved.changed(&now) {
        changes.push(match &change {
            ToolChange::Parts(_) => format!("{name}: the server has changed {}", change.parts()),
            _ => format!("{name}: it {change}"),
        });
        if let ToolChange::Several(documents) = &change {
            let documents = documents.iter().enumerate();
            changes
                .extend(documents.map(|(number, it)| {
                    format!("  {}. {}", number + 1, one_line(&it.to_string()))
                }));
        }
        let (Some(was), Some(is)) = (approved.tool(&name), now.by_wire(&approved, &name)) else {
            gone.push(name);
            continue;
        };
        changes.extend(differences(was, is));
        if is.hints.read_only != Some(true) && definition.reads.contains(&name) {
            changes.push("  it no longer says that it only reads".to_owned());
        }
    }
    let wires = |tools: &Tools| tools.iter().map(|it| it.wire.clone()).collect::<Vec<_>>();
    let (old, new) = (wires(&approved), wires(&now));
    let added = new.iter().filter(|it| !old.contains(it));
    changes.extend(added.map(|it| format!("{it}: is new")));
    let only_reads = |name: &&String| {
        let tool = now.tool(name);
        tool.is_some_and(|tool| tool.hints.read_only == Some(true))
    };
    let no_reads = definition.reads.iter().filter(|name| !only_reads(name));
    let no_reads = no_reads.cloned().collect();
    Ok(Approval {
        path: path.to_owned(),
        approved,
        now,
        no_reads,
        gone,
        changes,
    })
}

/// What a tool says now where it said something else, a line each.
fn differences(was: &Tool, is: &Tool) -> Vec<String> {
    let mut lines = Vec::new();
    if was.title != is.title {
        let title = is.title.as_deref().unwrap_or("none");
        lines.push(format!("  its title is now: {}", one_line(title)));
    }
    if was.description != is.description {
        lines.push(format!("  it says now: {}", one_line(&is.description)));
    }
    if was.input_schema != is.input_schema {
        let parameters: Vec<&str> = is.parameters().map(|(name, _)| name).collect();
        lines.push(format!(
            "  its arguments are now: {}",
            parameters.join(", ")
        ));
    }
    if was.output_schema != is.output_schema {
        let schema = is.output_schema.as_ref();
        let schema = schema.map_or("not described".to_owned(), |it| one_line(&it.to_string()));
        lines.push(format!("  its result is now: {schema}"));
    }
    if is.hints.destructive == Some(true) && was.hints.destructive != Some(true) {
        lines.push("  it says now that it may destroy something".to_owned());
    }
    if is.hints.open_world == Some(false) && was.hints.open_world != Some(false) {
        lines.push("  it says now that it reaches nothing outside of its server".to_owned());
    }
    lines
}

impl Approval {
    /// Writes the tools as they are now into the folder. `api.pyi` is written anew only if it is
    /// as it was made; returns whether it was. A tool that no longer says that it only reads is
    /// taken out of `reads`, and one that is gone out of all of `domain.toml`.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn approve(&self) -> Result<bool> {
        if !(self.no_reads.is_empty() && self.gone.is_empty()) {
            self.take_out()?;
        }
        let stub = self.path.join(API);
        let text = std::fs::read_to_string(&stub).map_err(Error::file("cannot read", &stub))?;
        let is_ours = text == self.approved.stub();
        if is_ours {
            files::replace(&stub, self.now.stub().as_bytes(), Readers::Umask)?;
        }
        self.now.save(&self.path.join(TOOLS))?;
        Ok(is_ours)
    }

    fn take_out(&self) -> Result<()> {
        let path = self.path.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
        let mut document: DocumentMut = text.parse().map_err(|_| Error::Content {
            path: path.clone(),
            problem: "is not TOML".to_owned(),
        })?;
        for (list, gone) in [("reads", &self.no_reads), ("destroys", &self.gone)] {
            let list = document
                .get_mut(list)
                .and_then(toml_edit::Item::as_array_mut);
            if let Some(list) = list {
                let stays = |name: &str| !gone.iter().any(|known| known == name);
                list.retain(|it| stays(it.as_str().unwrap_or_default()));
            }
        }
        let places = document.get_mut("places");
        if let Some(places) = places.and_then(toml_edit::Item::as_table_like_mut) {
            for name in &self.gone {
                places.remove(name);
            }
        }
        files::replace(&path, document.to_string().as_bytes(), Readers::Umask)
    }
}

/// A text of a server on one line, cut to a length that people read.
fn one_line(text: &str) -> String {
    const SHOWN: usize = 200;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
