//! `dialog2api worksheet`: forms that say what an agent must ask, say and do.

use super::{Exit, terminal};
use crate::error::{Error, Result};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use worksheets::{Format, Problem, Severity, Sheets};

/// The arguments of `worksheet`.
#[derive(Debug, Args)]
pub struct WorksheetArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what is wrong with sheets, each with its rule, line and cell
    Check {
        /// A file (csv, tsv, xlsx, toml, or json of the original), or a folder with worksheets.csv
        #[arg(value_name = "PATH")]
        path: PathBuf,

        /// Print one JSON object: problems, each with rule, severity, place, line, cell, message
        #[arg(long)]
        json: bool,
    },
    /// Show the sheets as a tree: what is asked, when, and what depends on what
    Show {
        /// A file of sheets, or a folder with one
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
    /// Print sheets in another form. Nothing is lost on the way and back
    Convert {
        /// A file of sheets, or a folder with one
        #[arg(value_name = "PATH")]
        path: PathBuf,

        /// The form to print
        #[arg(long, value_name = "FORM")]
        to: Form,
    },
}

/// The forms that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Comma-separated values, which spreadsheets open
    Csv,
    /// Tab-separated values
    Tsv,
    /// For changes that are reviewed
    Toml,
    /// The JSON of the original's code
    Json,
}

impl From<Form> for Format {
    fn from(form: Form) -> Format {
        match form {
            Form::Csv => Format::Csv,
            Form::Tsv => Format::Tsv,
            Form::Toml => Format::Toml,
            Form::Json => Format::Original,
        }
    }
}

/// Carries out a subcommand of `worksheet`.
pub fn worksheet(args: &WorksheetArgs) -> Result<Exit> {
    match &args.command {
        Command::Check { path, json } => check(path, *json),
        Command::Show { path } => {
            let sheets = sheets(path)?;
            terminal::print(terminal::clean(&worksheets::show(&sheets)))?;
            Ok(Exit::Done)
        }
        Command::Convert { path, to } => convert(path, *to),
    }
}

fn check(path: &Path, as_json: bool) -> Result<Exit> {
    let problems = match read(path)? {
        Ok(sheets) => worksheets::check(&sheets),
        Err(problems) => problems,
    };
    match as_json {
        true => terminal::print_json(&json!({ "problems": problems }))?,
        false if problems.is_empty() => terminal::print("nothing is wrong\n")?,
        false => terminal::print(lines(&problems))?,
    }
    let is_wrong = |problem: &Problem| problem.severity == Severity::Error;
    Ok(match problems.iter().any(is_wrong) {
        true => Exit::Findings,
        false => Exit::Done,
    })
}

fn convert(path: &Path, to: Form) -> Result<Exit> {
    let written = worksheets::write(&sheets(path)?, to.into()).ok_or_else(|| {
        Error::Usage(format!(
            "{} cannot be written in this form; `worksheet check` says what is wrong with it",
            path.display()
        ))
    })?;
    match io::stdout().is_terminal() {
        true => terminal::print(terminal::clean(&written))?,
        false => terminal::print(written)?,
    }
    Ok(Exit::Done)
}

/// The sheets of a file, which can be read.
fn sheets(path: &Path) -> Result<Sheets> {
    read(path)?.map_err(|problems| {
        let path = path.display();
        Error::Usage(format!("{path} cannot be read:\n{}", lines(&problems)))
    })
}

/// Reads a file of sheets, or that of a folder.
fn read(path: &Path) -> Result<std::result::Result<Sheets, Vec<Problem>>> {
    let path = match path.is_dir() {
        true => of_folder(path)?,
        false => path.to_owned(),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let format = Format::of(&name).ok_or_else(|| {
        Error::Usage(format!(
            "{}: the form of sheets is told by the end of the name: {}",
            path.display(),
            ENDS.join(", ")
        ))
    })?;
    let bytes = std::fs::read(&path).map_err(Error::file("cannot read", &path))?;
    Ok(worksheets::read(&bytes, format))
}

/// The ends of the names of sheets, in the order in which a folder is searched.
const ENDS: [&str; 5] = ["csv", "tsv", "toml", "xlsx", "json"];

fn of_folder(folder: &Path) -> Result<PathBuf> {
    let names = ENDS.iter().map(|end| format!("worksheets.{end}"));
    let mut paths = names.map(|name| folder.join(name));
    paths.find(|path| path.is_file()).ok_or_else(|| {
        Error::Usage(format!(
            "{} has no worksheets.csv (or .{})",
            folder.display(),
            ENDS[1..].join(", .")
        ))
    })
}

fn lines(problems: &[Problem]) -> String {
    let lines = problems.iter().map(ToString::to_string);
    lines
        .map(|line| format!("{}\n", terminal::one_line(&line)))
        .collect()
}
