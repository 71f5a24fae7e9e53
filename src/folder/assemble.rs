//! A domain made of the files of a folder.

use super::check::Finding;
use super::contents::FolderContents;
use super::definition::{Definition, DomainKind, FILE};
use super::planning::FolderPlanning;
use super::runtime::{CLIENT, SharedRuntime};
use super::stub::{Function, Stub};
use super::touches::FolderTouches;
use super::world::{Facts, REMOVE, SET};
use super::worlds::FolderWorlds;
use crate::domain::{Access, Domain, DomainApi, Effects, Handle, Operation, Teaching, Text};
use crate::error::{Error, Result};
use crate::openapi::error_names;
use crate::weights::Adapter;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const API: &str = "api.pyi";
pub const WORLD: &str = "world.py";
pub const GUIDE: &str = "guide.md";
pub const POLICY: &str = "policy.toml";
pub const EXAMPLES: &str = "examples";
/// The folder of adapters.
pub const ADAPTERS: &str = "adapters";
const WORLDS: &str = "worlds";

/// The states in `worlds/` by name, the default first. `named` is the name of the world in a
/// file; none for other files.
///
/// # Errors
/// The folder cannot be read, or does not have the default world.
pub fn worlds(
    path: &Path,
    definition: &Definition,
    named: fn(&Path) -> Option<String>,
) -> Result<Vec<(String, PathBuf)>> {
    let mut worlds: Vec<(String, PathBuf)> = files(&path.join(WORLDS))?
        .into_iter()
        .filter_map(|path| Some((named(&path)?, path)))
        .collect();
    if let Some(default) = &definition.world {
        let Some(at) = worlds.iter().position(|(name, _)| name == default) else {
            return Err(Error::Content {
                path: path.join(FILE),
                problem: format!(
                    "line {}: the default world is {default:?}, and worlds/ has none of that name",
                    definition.lines.world
                ),
            });
        };
        worlds[..=at].rotate_right(1);
    }
    Ok(worlds)
}

/// The files of a folder in the order of their names; none if it is missing.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let failed = || Error::file("cannot read", folder);
    let entries = std::fs::read_dir(folder).map_err(failed())?;
    let paths = entries.map(|entry| Ok(entry.map_err(failed())?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

/// The domain, and what its worlds know of it.
///
/// # Errors
/// A file cannot be read, or does not go with the others.
pub fn domain(
    path: &Path,
    definition: &Definition,
    api: &str,
    stub: &Stub,
    worlds: &[(String, PathBuf)],
    runtime: &SharedRuntime,
) -> Result<(Domain, Arc<Facts>)> {
    let mut domain = common(path, definition, api, stub)?;
    domain.effects.planning = Some(Arc::new(FolderPlanning));
    domain.effects.restoring = vec![
        Operation::new(SET, Access::Write, ["path", "value"], 2),
        Operation::new(REMOVE, Access::Delete, ["path"], 1),
    ];
    domain.contents = Some(Arc::new(FolderContents));
    let facts = Arc::new(Facts::of(&domain));
    domain.worlds = Some(Arc::new(FolderWorlds {
        name: definition.name.clone(),
        built_in: worlds.to_vec(),
        now: definition.now,
        runtime: runtime.clone(),
        facts: facts.clone(),
    }));
    Ok((domain, facts))
}

/// The parts that domains of all kinds have in common.
///
/// # Errors
/// As [`domain`].
pub fn common(path: &Path, definition: &Definition, api: &str, stub: &Stub) -> Result<Domain> {
    let operations = operations(path, definition, stub)?;
    Ok(Domain {
        name: definition.name.clone().into(),
        api: DomainApi {
            document: document(path, definition, api)?.into(),
            client: CLIENT.into(),
            setup: setup(definition, stub).into(),
            handle: Some(Handle {
                name: definition.handle.clone().into(),
                helpers: exceptions(definition, stub).map(Text::from).collect(),
                ..Handle::default()
            }),
            operations,
            errors: exceptions(definition, stub).map(Text::from).collect(),
            ..DomainApi::default()
        },
        teaching: teaching(path)?,
        policy: optional(&path.join(POLICY))?.map(Text::from),
        words: definition.words.clone(),
        effects: Effects {
            touches: Some(Arc::new(FolderTouches::new(definition))),
            ..Effects::default()
        },
        folder: absolute(path),
        facts: super::facts::facts(path)?,
        ..Domain::default()
    })
}

/// What models learn the domain of a folder from.
///
/// # Errors
/// A file cannot be read.
pub fn teaching(path: &Path) -> Result<Teaching> {
    Ok(Teaching {
        dataset: path.display().to_string().into(),
        examples: examples(path)?,
        adapters: adapters(path)?,
    })
}

/// The folder of a domain, as sessions keep it.
pub fn absolute(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// The operations, in the order of `api.pyi`.
fn operations(path: &Path, definition: &Definition, stub: &Stub) -> Result<Vec<Operation>> {
    if let Some(fault) = faults(definition, stub).into_iter().next() {
        return Err(Error::Content {
            path: path.join(&fault.file),
            problem: match fault.line {
                0 => fault.problem,
                line => format!("line {line}: {}", fault.problem),
            },
        });
    }
    let effect = |name: &String| match name {
        _ if definition.reads.contains(name) => Access::Read,
        _ if definition.destroys.contains(name) => Access::Delete,
        _ => Access::Write,
    };
    let functions = stub.functions.iter();
    Ok(functions
        .map(|function| operation_of(function, effect(&function.name)))
        .collect())
}

/// The mistakes that keep `domain.toml` and `api.pyi` from making a domain.
pub fn faults(definition: &Definition, stub: &Stub) -> Vec<Finding> {
    let mut faults = Vec::new();
    if stub.functions.is_empty() {
        let problem = "has no function: each operation is one";
        faults.push(Finding::at(API, 0, problem));
    }
    for function in &stub.functions {
        let (name, line) = (&function.name, function.line);
        if let Some(first) = stub.function(name).filter(|first| first.line != line) {
            let problem = format!("{name} is defined twice, first in line {}", first.line);
            faults.push(Finding::at(API, line, problem));
        }
    }
    for (name, line) in &definition.lines.operations {
        if stub.function(name).is_none() {
            let problem = format!("names {name}, which {API} does not have");
            faults.push(Finding::at(FILE, *line, problem));
        }
    }
    for name in &definition.destroys {
        if definition.reads.contains(name) {
            let problem = format!("{name} is among both reads and destroys");
            let line = definition.lines.operation(name);
            faults.push(Finding::at(FILE, line, problem));
        }
    }
    faults
}

/// The operation of a stub.
pub fn operation_of(function: &Function, effect: Access) -> Operation {
    let required = function.parameters.iter().filter(|it| it.is_required);
    let optional = function.parameters.iter().filter(|it| !it.is_required);
    let count = required.clone().count();
    let names = required.chain(optional).map(|it| it.name.clone());
    Operation::new(function.name.clone(), effect, names, count)
}

/// The exceptions with which the API answers.
fn exceptions<'a>(
    definition: &'a Definition,
    stub: &'a Stub,
) -> impl Iterator<Item = String> + use<'a> {
    let own = stub.exceptions.iter().map(|(name, _)| name.clone());
    let of_http = match definition.kind {
        DomainKind::Openapi => error_names(),
        DomainKind::Mcp | DomainKind::Python => Vec::new(),
    };
    let declared = definition.errors.iter().cloned().chain(own);
    let declared: Vec<String> = declared.collect();
    let of_http = of_http.into_iter().filter(|name| !declared.contains(name));
    let of_http: Vec<String> = of_http.collect();
    declared.into_iter().chain(of_http)
}

/// The description from which `client.py` makes the handle.
fn setup(definition: &Definition, stub: &Stub) -> String {
    let exceptions: Vec<String> = exceptions(definition, stub).collect();
    set_up(&definition.handle, &exceptions, stub)
}

/// The same for a handle of this name, with these exceptions.
pub fn set_up(handle: &str, exceptions: &[String], stub: &Stub) -> String {
    let operations = stub.functions.iter().map(|function| {
        let parameters = function.parameters.iter();
        let parameters = parameters.map(|it| json!([it.name, it.is_required, it.is_keyword_only]));
        json!([function.name, parameters.collect::<Vec<_>>()])
    });
    json!({
        "handle": handle,
        "exceptions": exceptions,
        "operations": operations.collect::<Vec<_>>(),
    })
    .to_string()
}

/// The API document for models: how to use the API, the guide, and the stubs.
fn document(path: &Path, definition: &Definition, api: &str) -> Result<String> {
    let handle = &definition.handle;
    let title = match definition.title.as_str() {
        "" => &definition.name,
        title => title,
    };
    let errors = match definition.kind {
        DomainKind::Openapi => format!(
            "\n# A refusal is an exception by the name of its status: {handle}.NotFound is 404. It has\n\
             # `status`, `message` and `details`."
        ),
        DomainKind::Mcp | DomainKind::Python => String::new(),
    };
    let guide = optional(&path.join(GUIDE))?;
    let guide = guide.map(|guide| format!("\n\nRules:\n{}", guide.trim()));
    let guide = guide.unwrap_or_default();
    Ok(format!(
        "{heading}{errors}{guide}\n\n{api}",
        heading = heading(title, handle),
        guide = guide.replace('\n', "\n# ").replace("\n# \n", "\n#\n"),
    ))
}

/// How programs use a handle, above the stubs of its methods.
pub fn heading(title: &str, handle: &str) -> String {
    let title = title.trim_end_matches('.');
    format!(
        "# {title}: what a program can use.\n#\n\
         # A program is a module. The functions below are methods of `{handle}`:\n\
         # for `def name(...)` write {handle}.name(...). Python's builtins and its pure standard\n\
         # library are there too. `return` at the top gives the result, which must be JSON."
    )
}

/// The example dialogues, as file name and text.
pub fn examples(path: &Path) -> Result<Vec<(Text, Text)>> {
    let files = files(&path.join(EXAMPLES))?.into_iter();
    let dialogues = files.filter(|path| path.extension().is_some_and(|it| it == "xml"));
    dialogues
        .map(|path| {
            let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
            Ok((path.display().to_string().into(), text.into()))
        })
        .collect()
}

/// The adapters: `adapters/MODEL.gguf`.
pub fn adapters(path: &Path) -> Result<Vec<Adapter>> {
    let files = files(&path.join(ADAPTERS))?.into_iter();
    let adapters = files.filter(|path| path.extension().is_some_and(|it| it == "gguf"));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    adapters
        .map(|file| {
            let model = file.file_stem().unwrap_or_default().to_string_lossy();
            let adapter = Adapter::of_file(&file, &model)?;
            Ok(Adapter {
                name: name.clone().into_owned(),
                ..adapter
            })
        })
        .collect()
}

/// The text of a file that may be missing.
pub fn optional(path: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file("cannot read", path)(error)),
    }
}
