//! `dialog2api dataset import`: converts JSON Lines back to dialogue files.

use crate::cli::{Exit, terminal};
use crate::dataset::{self, rows};
use crate::domain::counted;
use crate::error::{Error, Result};
use clap::Args;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The arguments of `dataset import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Rows written by `dialog2api dataset export`, in any order; - for standard input
    #[arg(value_name = "FILE.jsonl")]
    rows: PathBuf,

    /// The dataset to write to; missing folders are created
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Replace dialogues that have other content
    #[arg(long)]
    force: bool,
}

/// Writes all dialogues or none, and prints what was written.
pub fn import(args: &ImportArgs, quiet: bool) -> Result<Exit> {
    let text = read(&args.rows)?;
    let dialogues = rows::dialogues(&text).map_err(|problem| Error::Content {
        path: args.rows.clone(),
        problem,
    })?;
    let files: Vec<(PathBuf, String)> = dialogues
        .into_iter()
        .map(|dialogue| (args.folder.join(dialogue.path), dialogue.text))
        .collect();
    let written = dataset::write(&files, args.force)?;
    if !quiet {
        let parts = [
            (written.new, "new"),
            (written.replaced, "replaced"),
            (written.same, "there already"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let folder = args.folder.display().to_string();
        terminal::print(format_args!(
            "{} in {}: {}\n",
            counted(files.len(), "dialogue"),
            terminal::clean(&folder),
            parts.join(", ")
        ))?;
    }
    Ok(Exit::Done)
}

fn read(path: &Path) -> Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(Error::file("cannot read", "standard input"))?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(Error::file("cannot read", path))
}
