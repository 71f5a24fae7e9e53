//! The functions that sheets call, and the calls of those that a folder lacks.

use super::PROGRAMS;
use crate::error::Result;
use crate::folder::assemble::{API, WORLD, files};
use crate::folder::check::{Finding, program_lines};
use crate::folder::definition::Definition;
use crate::folder::stub::Stub;
use std::path::Path;
use worksheets::dialogue::Dialogue;
use worksheets::{Problem, Sheets, check_calls, unknown_calls};

/// Where the dialogues of a folder are.
pub const DIALOGUES: [&str; 2] = ["examples", "tests"];

/// The calls in cells of sheets of what the folder has no function for.
///
/// # Errors
/// A file with functions is no Python.
pub fn check_cells(folder: &Path, sheets: &Sheets) -> Result<Vec<Problem>> {
    let functions = Functions::of(folder)?;
    Ok(check_calls(sheets, &|name| functions.lacking(name)))
}

/// The actions that call what writes. Of programs on another domain nobody knows before they run.
///
/// # Errors
/// A file with functions is no Python.
pub fn check_actions(folder: &Path, sheets: &Sheets) -> Result<Vec<Problem>> {
    // What is wrong with `domain.toml` is said by `domain check`.
    let Ok(definition) = Definition::read(folder) else {
        return Ok(Vec::new());
    };
    let functions = Functions::of(folder)?;
    let writes = |name: &str| {
        let is_own = functions.lacking(name).is_none();
        is_own && definition.domain.is_none() && !definition.reads.iter().any(|it| it == name)
    };
    Ok(worksheets::check_actions(sheets, &writes))
}

/// The calls in programs of dialogues of what no program of a turn can call. A dialogue that cannot
/// be read has none.
///
/// # Errors
/// A folder cannot be read.
pub fn check_programs(folder: &Path, sheets: &Sheets) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for part in DIALOGUES {
        for path in files(&folder.join(part))? {
            let text = match path.extension() {
                Some(end) if end == "xml" => std::fs::read_to_string(&path).unwrap_or_default(),
                _ => continue,
            };
            let turns = Dialogue::read(&text).map_or_else(|_| Vec::new(), |read| read.turns);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            for (turn, first) in turns.iter().zip(program_lines(&text)) {
                for (line, called) in unknown_calls(sheets, &turn.program) {
                    let problem = format!(
                        "the program calls {called}, which is neither a sheet nor a function of \
                         programs; the functions of the folder are called by sheets"
                    );
                    let file = format!("{part}/{name}");
                    findings.push(Finding::at(&file, first + line, problem));
                }
            }
        }
    }
    Ok(findings)
}

/// The most functions that a sentence lists.
const SHOWN: usize = 12;

/// The functions of a folder; none of a file that it does not have.
struct Functions {
    /// The file that defines them.
    file: &'static str,
    defined: Option<Stub>,
    /// What sheets see of `world.py`. They see all of `programs.py`.
    offered: Option<Stub>,
}

impl Functions {
    fn of(folder: &Path) -> Result<Self> {
        // What is wrong with `domain.toml` is said by `domain check`.
        let is_over = Definition::read(folder).is_ok_and(|it| it.domain.is_some());
        let file = if is_over { PROGRAMS } else { WORLD };
        let defined = stub(&folder.join(file))?;
        let offered = match is_over {
            true => defined.clone(),
            false => stub(&folder.join(API))?,
        };
        Ok(Functions {
            file,
            defined,
            offered,
        })
    }

    /// What keeps sheets from calling this, in a sentence.
    fn lacking(&self, name: &str) -> Option<String> {
        let file = self.file;
        let Some(defined) = &self.defined else {
            return Some(format!(
                "{name} is called, and the folder has no {file}: write one that defines it"
            ));
        };
        let has = |stub: &Stub| stub.function(name).is_some() || stub.names.contains(name);
        let known = || {
            let names = defined.functions.iter().map(|it| it.name.as_str());
            let names: Vec<&str> = names.collect();
            match names.len() {
                1..=SHOWN => format!(", but {}", names.join(", ")),
                _ => String::new(),
            }
        };
        match &self.offered {
            _ if !has(defined) => Some(format!("{file} has no function {name}{}", known())),
            None => Some(format!(
                "{name} is called, and the folder has no {API}: write one with its signature"
            )),
            Some(offered) if !has(offered) => {
                Some(format!("{API} lacks {name}, so that no sheet can call it"))
            }
            Some(_) => None,
        }
    }
}

fn stub(path: &Path) -> Result<Option<Stub>> {
    match path.exists() {
        true => Stub::read(path).map(|(_, stub)| Some(stub)),
        false => Ok(None),
    }
}
