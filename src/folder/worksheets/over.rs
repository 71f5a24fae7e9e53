//! Sheets over a domain that comes with the program: their calls are programs on it.
//!
//! | file | what it holds |
//! |---|---|
//! | `programs.py` | the functions that sheets call; each may do what a program of the domain may |
//! | `worlds/NAME.*` | initial states, in the domain's own form, beside those it comes with |
//!
//! A call of a sheet runs in the sandbox as the turn's programs do, so what it calls on the world
//! is planned, agreed to, judged by the policy, kept in the journal and undone as ever.

use super::own_worlds::OwnWorlds;
use crate::domain::{Domain, DomainApi, Words};
use crate::error::{Error, Result};
use crate::folder::assemble::{self, POLICY, optional};
use crate::folder::definition::{Definition, FILE};
use crate::folder::runtime::NUMBERS;
use crate::folder::stub::Stub;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The functions that sheets call.
pub const PROGRAMS: &str = "programs.py";

/// The name under which the client gives these functions to the sheets' client.
const HANDLE: &str = "_programs";

/// The folder of a domain on another one.
#[derive(Clone)]
pub struct Over {
    pub path: PathBuf,
    pub sheets: PathBuf,
    pub definition: Definition,
    /// The initial states by name; the default is the first.
    pub worlds: Vec<(String, PathBuf)>,
}

impl Over {
    /// The folder, if `domain.toml` names another domain.
    ///
    /// # Errors
    /// The folder has no sheets, or its worlds cannot be read.
    pub fn of(path: &Path, definition: &Definition) -> Result<Over> {
        let sheets = super::find(path).ok_or_else(|| Error::Content {
            path: path.join(FILE),
            problem: format!(
                "line {}: a domain over another one is made of sheets, and there is no \
                 worksheets.csv",
                definition.lines.domain
            ),
        })?;
        Ok(Over {
            path: path.to_owned(),
            sheets,
            definition: definition.clone(),
            worlds: assemble::worlds(path, definition, described)?,
        })
    }

    /// The domain that it is over.
    ///
    /// # Errors
    /// No domain of this name comes with the program.
    pub fn base(&self) -> Result<Arc<Domain>> {
        let name = self.definition.domain.as_deref().unwrap_or_default();
        crate::domain::named(name).ok_or_else(|| {
            let known = crate::domain::domains();
            let known: Vec<&str> = known.iter().map(|domain| &*domain.name).collect();
            Error::Content {
                path: self.path.join(FILE),
                problem: format!(
                    "line {}: no domain {name:?} comes with the program, but {}",
                    self.definition.lines.domain,
                    known.join(", ")
                ),
            }
        })
    }

    /// The domain of the folder over this one.
    ///
    /// # Errors
    /// A file is missing or wrong.
    pub fn domain(&self, base: Arc<Domain>) -> Result<Domain> {
        let (path, definition) = (&self.path, &self.definition);
        let (source, stub) = Stub::read(&path.join(PROGRAMS))?;
        let domain = Domain {
            name: definition.name.clone().into(),
            api: DomainApi {
                client: client(&base).into(),
                setup: setup(&base, &source, &stub).into(),
                // A prompt shows the sheets.
                selection: None,
                ..base.api.clone()
            },
            teaching: assemble::teaching(path)?,
            policy: optional(&path.join(POLICY))?.map(Into::into),
            words: match definition.words == Words::default() {
                true => base.words.clone(),
                false => definition.words.clone(),
            },
            worlds: Some(Arc::new(OwnWorlds {
                over: self.clone(),
                base: base.clone(),
            })),
            folder: assemble::absolute(path),
            facts: crate::folder::facts::facts(path)?.or_else(|| base.facts.clone()),
            ..Domain::clone(&base)
        };
        super::worksheets(path, &self.sheets, definition, domain)
    }
}

/// The name of a world that a file describes, in whatever form its domain has.
fn described(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?;
    (!name.starts_with('.')).then(|| name.to_owned())
}

/// The client of the other domain inside one that gives its names to the owner's functions alone.
fn client(base: &Domain) -> String {
    // A text of JSON is one of Python, too.
    let source = serde_json::Value::from(&*base.api.client);
    let programs = include_str!("programs.py");
    format!("_BASE = {source}\n\n{NUMBERS}\n\n{programs}")
}

fn setup(base: &Domain, source: &str, stub: &Stub) -> String {
    let functions = stub.functions.iter().map(|function| &function.name);
    let operations: Vec<_> = functions.map(|name| json!([name, []])).collect();
    json!({
        "handle": HANDLE, "exceptions": [], "operations": operations,
        "base": base.api.setup, "source": source,
    })
    .to_string()
}
