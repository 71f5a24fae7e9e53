//! Reads a folder of worksheets: sheets, rows and documents, recorded dialogues.

use std::fs;
use std::path::{Path, PathBuf};

use worksheets::dialogue::Dialogue;
use worksheets::knowledge::{Content, Knowledge, Limits};
use worksheets::{Format, Problem, Sheets};

/// A folder as it was read.
pub struct Folder {
    pub sheets: Sheets,
    content: Content,
    /// The dialogues of `examples` and of `tests`, by their files.
    pub dialogues: Vec<(PathBuf, Dialogue)>,
}

impl Folder {
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = path.join("worksheets.csv");
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let sheets = worksheets::read(&bytes, Format::Csv).map_err(lines)?;
        let mut content = Content::default();
        for (file, text) in files(&path.join("kb"))? {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let added = content.add_file(&sheets, &name, &text);
            added.map_err(|problem| format!("{}: {problem}", file.display()))?;
        }
        let mut dialogues = Vec::new();
        for folder in ["examples", "tests"] {
            for (file, text) in files(&path.join(folder))? {
                let dialogue = Dialogue::read(&text);
                let dialogue = dialogue.map_err(|why| format!("{}: {why}", file.display()))?;
                dialogues.push((file, dialogue));
            }
        }
        Ok(Self {
            sheets,
            content,
            dialogues,
        })
    }

    pub fn knowledge(&self) -> Result<Knowledge<'_>, String> {
        Knowledge::open(&self.sheets, &self.content, Limits::default()).map_err(lines)
    }
}

/// The files of a folder with their texts, by name.
fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(failed)?;
        Ok((path, text))
    };
    paths.into_iter().map(read).collect()
}

fn lines(problems: Vec<Problem>) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
