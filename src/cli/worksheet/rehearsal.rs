//! `dialog2api worksheet test`: plays the recorded dialogues of a folder again.

use super::{Exit, lines, terminal};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};
use worksheets::Settings;
use worksheets::dialogue::{Dialogue, rehearse};
use worksheets::knowledge::{Content, Knowledge, Limits, rows};

/// Where the dialogues of a folder are.
const DIALOGUES: [&str; 2] = ["examples", "tests"];

/// Says what goes otherwise than it was recorded, and which cells no dialogue reaches.
pub(super) fn test(folder: &Path, as_json: bool, html: Option<&Path>) -> Result<Exit> {
    let sheets = super::sheets(folder)?;
    let content = content(&folder.join("kb"))?;
    let mut knowledge = Knowledge::open(&sheets, &content, Limits::default())
        .map_err(|problems| Error::Usage(format!("kb cannot be used:\n{}", lines(&problems))))?;
    let dialogues = dialogues(folder)?;
    let settings = Settings::default();
    let rehearsed =
        rehearse(&sheets, settings, &mut knowledge, &dialogues).map_err(Error::Usage)?;
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

/// The rows and documents of the KB sheets: `NAME.csv`, `NAME.jsonl`, `NAME.md`.
fn content(folder: &Path) -> Result<Content> {
    let mut content = Content::default();
    for (path, text) in files(folder, &["csv", "jsonl", "md"])? {
        let name = path.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        if path.extension().is_some_and(|end| end == "md") {
            content.documents.insert(name, text);
        } else {
            let rows = rows(&text).map_err(|problem| wrong(&path, problem.to_string()))?;
            content.tables.insert(name, rows);
        }
    }
    Ok(content)
}

fn dialogues(folder: &Path) -> Result<Vec<Dialogue>> {
    let mut found = Vec::new();
    for name in DIALOGUES {
        for (path, text) in files(&folder.join(name), &["xml"])? {
            found.push(Dialogue::read(&text).map_err(|why| wrong(&path, why))?);
        }
    }
    match found.is_empty() {
        true => Err(Error::Usage(format!(
            "{} has no dialogues: examples/*.xml, tests/*.xml",
            folder.display()
        ))),
        false => Ok(found),
    }
}

/// The files of a folder whose names end so, with their texts, by name; none where there is no
/// folder.
fn files(folder: &Path, ends: &[&str]) -> Result<Vec<(PathBuf, String)>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder).map_err(Error::file("cannot read", folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::file("cannot read", folder))?.path();
        let end = path.extension().unwrap_or_default();
        if ends.iter().any(|wanted| end == *wanted) {
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
