//! A folder with worksheets as a domain.

use super::changed;
use super::document::document;
use super::forms_world::FormsWorlds;
use super::knowledge::Knowledge;
use super::{CLIENT, Worksheets};
use crate::domain::{Access, Domain, DomainApi};
use crate::error::{Error, Result};
use crate::folder::assemble::{GUIDE, optional};
use crate::folder::definition::{self, Definition};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use worksheets::{Format, Problem, Settings, Sheets, check};

/// The files that may hold the sheets, in the order in which they are looked for.
const FILES: [&str; 5] = [
    "worksheets.csv",
    "worksheets.tsv",
    "worksheets.toml",
    "worksheets.xlsx",
    "worksheets.json",
];

/// The file with the sheets of a folder, if it has one.
pub fn find(folder: &Path) -> Option<PathBuf> {
    let mut paths = FILES.iter().map(|name| folder.join(name));
    paths.find(|path| path.is_file())
}

/// What the owner of a folder decides beside the sheets: the usual where it has no `domain.toml`.
///
/// # Errors
/// `domain.toml` is wrong.
pub fn settings(folder: &Path) -> Result<Settings> {
    match folder.join(definition::FILE).exists() {
        true => Ok(Definition::read(folder)?.worksheets.settings()),
        false => Ok(Settings::default()),
    }
}

/// Reads a file of sheets; the inner error is what is wrong in it.
///
/// # Errors
/// It cannot be read.
pub fn read(path: &Path) -> Result<std::result::Result<Sheets, Vec<Problem>>> {
    let bytes = std::fs::read(path).map_err(Error::file("cannot read", path))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let format = Format::of(&name).unwrap_or(Format::Csv);
    Ok(worksheets::read(&bytes, format).and_then(|sheets| {
        let mut problems = check(&sheets);
        problems.retain(Problem::is_error);
        match problems.is_empty() {
            true => Ok(sheets),
            false => Err(problems),
        }
    }))
}

/// The domain of a folder, with its worksheets: programs act on forms, and the operations of the
/// folder are what the sheets call.
///
/// # Errors
/// The sheets or the knowledge cannot be read.
pub fn worksheets(
    path: &Path,
    sheets_at: &Path,
    definition: &Definition,
    domain: Domain,
) -> Result<Domain> {
    let sheets = read(sheets_at)?.map_err(|problems| Error::Content {
        path: sheets_at.to_owned(),
        problem: problems
            .first()
            .map_or_else(String::new, ToString::to_string),
    })?;
    let sheets = Arc::new(sheets);
    let title = match definition.title.as_str() {
        "" => &definition.name,
        title => title,
    };
    let guide = optional(&path.join(GUIDE))?.unwrap_or_default();
    let operations = || domain.api.operations.iter();
    let conduct = Worksheets {
        document: document(title, guide.trim(), &sheets),
        settings: definition.worksheets.settings(),
        handoff: definition.worksheets.handoff.clone().unwrap_or_default(),
        queries: definition.worksheets.queries.clone().unwrap_or_default(),
        backend: Arc::new(operations().map(|it| it.name.to_string()).collect()),
        writing: operations()
            .filter(|it| it.effect != Access::Read)
            .map(|it| it.name.to_string())
            .collect(),
        knowledge: Knowledge::read(path, &sheets)?,
        digest: changed::digest(&sheets),
        sheets: sheets.clone(),
    };
    Ok(Domain {
        api: DomainApi {
            document: conduct.document.clone().into(),
            client: format!("{}\n\n{CLIENT}", domain.api.client).into(),
            // Programs act on forms; the functions are called by sheets alone.
            handle: None,
            ..domain.api
        },
        worlds: domain.worlds.clone().map(|backend| {
            let worlds: Arc<dyn crate::domain::Worlds> = Arc::new(FormsWorlds { backend, sheets });
            worlds
        }),
        conduct: Some(Arc::new(conduct)),
        ..domain
    })
}
