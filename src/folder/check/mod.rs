//! `domain check`: finds mistakes in the files of a folder.

mod examples;
mod functions;
mod places;
mod policy;
mod recordings;
mod sheets;
mod worlds;

pub(super) use examples::program_lines;

use super::assemble::{API, WORLD, faults};
use super::definition::{Definition, DomainKind, FILE};
use super::open;
use super::stub::Stub;
use super::worksheets::PROGRAMS;
use crate::error::{Error, Result};
use crate::exec::Cache;
use std::fmt;
use std::path::Path;

/// Something that does not go together, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, relative to the folder.
    pub file: String,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The mistake, and what is expected.
    pub problem: String,
}

impl Finding {
    pub(super) fn at(file: &str, line: usize, problem: impl Into<String>) -> Self {
        Finding {
            file: file.to_owned(),
            line,
            problem: problem.into(),
        }
    }

    /// Turns an error about a file into a finding.
    ///
    /// # Errors
    /// The error is about something else.
    fn of(folder: &Path, error: Error) -> Result<Self> {
        match error {
            Error::Content { path, problem } => {
                let (line, problem) = line_and_problem(&problem);
                Ok(Finding::at(&relative(folder, &path), line, problem))
            }
            Error::File {
                action,
                path,
                source,
            } => {
                let problem = format!("{action}: {source}");
                Ok(Finding::at(&relative(folder, &path), 0, problem))
            }
            other => Err(other),
        }
    }
}

impl fmt::Display for Finding {
    /// `api.pyi:12: …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.problem),
            line => write!(f, "{}:{line}: {}", self.file, self.problem),
        }
    }
}

/// Checks a folder. Where it has a `world.py`, that is loaded with every world, so the sandbox is
/// prepared if it is not yet.
///
/// # Errors
/// The sandbox failed. Mistakes in the folder are findings.
pub async fn check(path: &Path, cache: &Cache) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let api = sources(path, &mut findings)?.unwrap_or_default();
    sheets::check(path, &mut findings)?;
    let folder = match open(path, cache) {
        Ok(folder) => folder,
        Err(error) => {
            let finding = Finding::of(path, error)?;
            let of_sheets = findings
                .iter()
                .any(|it| it.file == finding.file && it.file.starts_with("worksheets."));
            if !of_sheets && !findings.contains(&finding) {
                findings.push(finding);
            }
            return Ok(findings);
        }
    };
    policy::check(&folder, &mut findings);
    examples::check(&folder, &api, &mut findings);
    if folder.definition.domain.is_some() {
        worlds::described(&folder, &mut findings)?;
    }
    if let Some(code) = &folder.code {
        worlds::check(&folder, &code.runtime, &mut findings).await?;
        recordings::check(&folder, &api, &mut findings)?;
    }
    Ok(findings)
}

/// Compares `domain.toml`, `api.pyi` and `world.py`, of which each may be wrong by itself.
/// Returns what `api.pyi` has.
fn sources(path: &Path, findings: &mut Vec<Finding>) -> Result<Option<Stub>> {
    if !path.join(FILE).exists() {
        return Ok(None);
    }
    let mut wrong = Vec::new();
    let definition = Definition::read(path).map_err(|error| wrong.push(error));
    if matches!(&definition, Ok(definition) if definition.domain.is_some()) {
        if let Err(error) = Stub::read(&path.join(PROGRAMS)) {
            findings.push(Finding::of(path, error)?);
        }
        return Ok(None);
    }
    let api = Stub::read(&path.join(API)).map_err(|error| wrong.push(error));
    let is_code = match &definition {
        Ok(definition) => definition.kind == DomainKind::Python,
        Err(()) => path.join(WORLD).exists(),
    };
    let world = is_code.then(|| Stub::read(&path.join(WORLD)).map_err(|error| wrong.push(error)));
    for error in wrong {
        findings.push(Finding::of(path, error)?);
    }
    let Ok((_, api)) = api else {
        return Ok(None);
    };
    if let Ok(definition) = &definition {
        findings.extend(faults(definition, &api));
        places::check(definition, &api, findings);
        if let Some(Ok((_, world))) = &world {
            functions::check(&api, world, &definition.errors, findings);
        }
    }
    Ok(Some(api))
}

/// The line that a problem begins with, as `line 3: …` or `line 3, column 4: …`, and the
/// rest; 0 if it names none.
fn line_and_problem(problem: &str) -> (usize, String) {
    let parts = || {
        let (place, rest) = problem.strip_prefix("line ")?.split_once(": ")?;
        let line = place.split(", column ").next()?;
        Some((line.parse().ok()?, rest.to_owned()))
    };
    parts().unwrap_or_else(|| (0, problem.to_owned()))
}

fn relative(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder)
        .unwrap_or(path)
        .display()
        .to_string()
}
