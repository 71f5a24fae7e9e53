//! Tools that an MCP server has changed since its domain was made, and their approval.

use super::assemble::API;
use super::definition::{Definition, FILE};
use super::server::{TOOLS, listed};
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use crate::mcp::Tools;
use std::path::{Path, PathBuf};
use toml_edit::DocumentMut;

/// The tools of a server as they are now, beside those that were approved.
pub struct Approval {
    path: PathBuf,
    approved: Tools,
    now: Tools,
    /// The operations that no longer say that they only read, though they are among `reads`.
    no_reads: Vec<String>,
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
        return Err(Error::Usage(format!(
            "{} is not the domain of an MCP server: there is nothing to approve",
            path.display()
        )));
    };
    let approved = Tools::read(&path.join(TOOLS))?;
    let now = listed(server).await?;
    let mut changes = Vec::new();
    let mut no_reads = Vec::new();
    for (name, differs) in approved.changed(&now) {
        changes.push(format!("{name}: the server has changed {differs}"));
        let (Some(was), Some(is)) = (approved.tool(&name), now.by_wire(&approved, &name)) else {
            continue;
        };
        if was.description != is.description {
            changes.push(format!("  it says now: {}", one_line(&is.description)));
        }
        let parameters = is.parameters().map(|(name, _)| name);
        let parameters: Vec<&str> = parameters.collect();
        if was.input_schema != is.input_schema {
            changes.push(format!(
                "  its arguments are now: {}",
                parameters.join(", ")
            ));
        }
        if is.hints.destructive == Some(true) && was.hints.destructive != Some(true) {
            changes.push("  it says now that it may destroy something".to_owned());
        }
        if is.hints.read_only != Some(true) && definition.reads.contains(&name) {
            changes.push("  it no longer says that it only reads".to_owned());
            no_reads.push(name);
        }
    }
    let wires = |tools: &Tools| tools.iter().map(|it| it.wire.clone()).collect::<Vec<_>>();
    let (old, new) = (wires(&approved), wires(&now));
    let added = new.iter().filter(|it| !old.contains(it));
    changes.extend(added.map(|it| format!("{it}: is new")));
    let gone = old.iter().filter(|it| !new.contains(it));
    changes.extend(gone.map(|it| format!("{it}: is gone")));
    Ok(Approval {
        path: path.to_owned(),
        approved,
        now,
        no_reads,
        changes,
    })
}

impl Approval {
    /// Writes the tools as they are now into the folder. `api.pyi` is written anew only if it is
    /// as it was made; returns whether it was. A tool that no longer says that it only reads is
    /// taken out of `reads`.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn approve(&self) -> Result<bool> {
        if !self.no_reads.is_empty() {
            self.take_out_of_reads()?;
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

    fn take_out_of_reads(&self) -> Result<()> {
        let path = self.path.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
        let mut document: DocumentMut = text.parse().map_err(|_| Error::Content {
            path: path.clone(),
            problem: "is not TOML".to_owned(),
        })?;
        let reads = document
            .get_mut("reads")
            .and_then(toml_edit::Item::as_array_mut);
        if let Some(reads) = reads {
            let stays = |it: &toml_edit::Value| {
                let name = it.as_str().unwrap_or_default();
                !self.no_reads.iter().any(|known| known == name)
            };
            reads.retain(stays);
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
