//! `dialog2api worksheet test`: plays the recorded dialogues of a folder again.

use super::{Exit, knowledge, playable, terminal};
use crate::error::{Error, Result};
use crate::folder::{DIALOGUES, worksheets_settings};
use std::path::{Path, PathBuf};
use worksheets::dialogue::{Dialogue, rehearse};

/// Says what goes otherwise than it was recorded, and which cells no dialogue reaches.
pub(super) fn test(folder: &Path, as_json: bool, html: Option<&Path>) -> Result<Exit> {
    let Some(sheets) = playable(folder, as_json)? else {
        return Ok(Exit::Findings);
    };
    let mut knowledge = knowledge(folder, &sheets)?;
    let dialogues = dialogues(folder)?;
    let settings = worksheets_settings(folder)?;
    let rehearsed =
        rehearse(&sheets, settings, &mut knowledge, &dialogues).map_err(Error::usage)?;
    if let Some(file) = html {
        std::fs::write(file, rehearsed.html()).map_err(Error::file("cannot write", file))?;
    }
    match as_json {
        true => terminal::print_json(&rehearsed.json())?,
        false => terminal::print(terminal::clean(&rehearsed.text()))?,
    }
    Ok(match rehearsed.passed() {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

fn dialogues(folder: &Path) -> Result<Vec<Dialogue>> {
    let mut found = Vec::new();
    for name in DIALOGUES {
        for (path, text) in files(&folder.join(name))? {
            found.push(Dialogue::read(&text).map_err(|why| wrong(&path, why))?);
        }
    }
    match found.is_empty() {
        true => Err(Error::usage(format!(
            "{} has no dialogues: examples/*.xml, tests/*.xml",
            folder.display()
        ))),
        false => Ok(found),
    }
}

/// The dialogues of a folder with their texts, by name; none where there is no folder.
fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder).map_err(Error::file("cannot read", folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::file("cannot read", folder))?.path();
        if path.extension().is_some_and(|end| end == "xml") {
            paths.push(path);
        }
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
        Ok((path, text))
    };
    paths.into_iter().map(read).collect()
}

fn wrong(path: &Path, problem: String) -> Error {
    Error::Content {
        path: path.to_owned(),
        problem,
    }
}
