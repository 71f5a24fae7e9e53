//! `dialog2api worksheet`: forms that say what an agent must ask, say and do.

mod grounded;
mod rehearsal;
mod score;
mod simulation;
mod stats;

use super::{Exit, terminal};
use crate::error::{Error, Result};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use std::io::{self, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use worksheets::knowledge::{Knowledge, Limits};
use worksheets::{Format, Problem, Sheets};

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

        /// Write a page: the tree, and a diagram with an arrow for each dependence
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Print sheets in another form. Nothing is lost on the way and back
    Convert {
        /// A file of sheets, or a folder with one
        #[arg(value_name = "PATH")]
        path: PathBuf,

        /// The form to print; a workbook is printed into a file (`> sheets.xlsx`)
        #[arg(long, value_name = "FORM")]
        to: Form,
    },
    /// Count what was asked, answered, refused, corrected and given up in sessions, or in recorded
    /// dialogues
    Stats {
        /// A file of sheets, or a folder with one
        #[arg(value_name = "PATH")]
        path: PathBuf,

        /// Files of dialogues: a turn a line, {"before": state, "after": state}
        #[arg(value_name = "TURNS", required_unless_present = "session")]
        turns: Vec<PathBuf>,

        /// A session on this machine (`session list`); for several, again
        #[arg(long, value_name = "NAME")]
        session: Vec<String>,

        /// Print one JSON object: dialogues, turns, sheets with their fields
        #[arg(long)]
        json: bool,
    },
    /// Let a user without a model play dialogues through sheets, and say what broke and which
    /// cells none of them reached
    Simulate {
        /// A file of sheets, or a folder with one
        #[arg(value_name = "PATH")]
        path: PathBuf,

        /// How many dialogues. One alone is shown turn by turn
        #[arg(long, value_name = "COUNT", default_value_t = 1000)]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
        dialogues: u64,

        /// The seed of the first one; the next ones have the next numbers
        #[arg(long, value_name = "SEED", default_value_t = 1)]
        seed: u64,
    },
    /// Score a run of `eval` by what its programs fill in, ask, look up and call
    Score {
        /// A folder with sheets and kb
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,

        /// The folder of a run (`eval --domain FOLDER --out RUN`)
        #[arg(value_name = "RUN")]
        run: PathBuf,

        /// Print one JSON object: size, figures, completed, errors
        #[arg(long)]
        json: bool,
    },
    /// Play the recorded dialogues of a folder again, without a model, and say which cells of
    /// the sheets none of them reaches
    Test {
        /// A folder with sheets, kb, and dialogues in examples and tests
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,

        /// Print one JSON object: dialogues, turns, differences, cells, gaps, uses
        #[arg(long)]
        json: bool,

        /// Write a page: the sheets as tables, the darker the more a field was used
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
}

/// The forms that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Comma-separated values, which spreadsheets open
    Csv,
    /// Tab-separated values
    Tsv,
    /// A workbook
    Xlsx,
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
            Form::Xlsx => Format::Xlsx,
            Form::Toml => Format::Toml,
            Form::Json => Format::Original,
        }
    }
}

/// Carries out a subcommand of `worksheet`.
pub fn worksheet(args: &WorksheetArgs) -> Result<Exit> {
    match &args.command {
        Command::Check { path, json } => check(path, *json),
        Command::Show { path, html } => show(path, html.as_deref()),
        Command::Convert { path, to } => convert(path, *to),
        Command::Stats {
            path,
            turns,
            session,
            json,
        } => stats::stats(path, (turns, session), *json),
        Command::Simulate {
            path,
            dialogues,
            seed,
        } => simulation::simulate(path, *dialogues, *seed),
        Command::Score { folder, run, json } => score::score(folder, run, *json),
        Command::Test { folder, json, html } => rehearsal::test(folder, *json, html.as_deref()),
    }
}

fn check(path: &Path, as_json: bool) -> Result<Exit> {
    let problems = match read(path)? {
        Ok(sheets) => {
            let mut problems = worksheets::check(&sheets);
            if path.is_dir() {
                for found in [calls, crate::folder::check_knowledge] {
                    match found(path, &sheets) {
                        Ok(found) => problems.extend(found),
                        Err(error) => {
                            problems.push(Problem::error("unreadable", "", error.to_string()));
                        }
                    }
                }
            }
            problems
        }
        Err(problems) => problems,
    };
    tell(&problems, as_json)?;
    Ok(match problems.iter().any(Problem::is_error) {
        true => Exit::Findings,
        false => Exit::Done,
    })
}

/// What sheets and recorded programs of a folder call, and it has no function for.
fn calls(folder: &Path, sheets: &Sheets) -> Result<Vec<Problem>> {
    let mut problems = crate::folder::check_cells(folder, sheets)?;
    problems.extend(crate::folder::check_actions(folder, sheets)?);
    let of_programs = crate::folder::check_programs(folder, sheets)?;
    problems.extend(
        of_programs.into_iter().map(|found| {
            Problem::error("unknown-call", found.file, found.problem).at(found.line, "")
        }),
    );
    Ok(problems)
}

/// Prints what `worksheet check` finds.
fn tell(problems: &[Problem], as_json: bool) -> Result<()> {
    match as_json {
        true => terminal::print_json(&json!({ "problems": problems })),
        false if problems.is_empty() => terminal::print("nothing is wrong\n"),
        false => terminal::print(lines(problems)),
    }
}

/// The sheets of a file. Where `worksheet check` finds errors, they cannot be played: its findings
/// are printed, and `None` is returned.
fn playable(path: &Path, as_json: bool) -> Result<Option<Sheets>> {
    let read = read(path)?.and_then(|sheets| {
        let problems = worksheets::check(&sheets);
        match problems.iter().any(Problem::is_error) {
            true => Err(problems),
            false => Ok(sheets),
        }
    });
    match read {
        Ok(sheets) => Ok(Some(sheets)),
        Err(problems) => tell(&problems, as_json).map(|()| None),
    }
}

/// The tables and documents of a folder with sheets.
fn knowledge<'s>(folder: &Path, sheets: &'s Sheets) -> Result<Knowledge<'s>> {
    let content = crate::folder::worksheets_content(folder, sheets)?;
    Knowledge::open(sheets, &content, Limits::default())
        .map_err(|problems| crate::folder::worksheets_unfit(folder, &problems))
}

fn convert(path: &Path, to: Form) -> Result<Exit> {
    let mut out = io::stdout();
    if to == Form::Xlsx && out.is_terminal() {
        return Err(Error::usage(
            "a workbook is not text; write it into a file: … --to xlsx > sheets.xlsx",
        ));
    }
    let written = worksheets::write_bytes(&sheets(path)?, to.into()).ok_or_else(|| {
        Error::usage(format!(
            "{} cannot be written in this form; `worksheet check` says what is wrong with it",
            path.display()
        ))
    })?;
    match out.is_terminal() {
        true => terminal::print(terminal::clean(&String::from_utf8_lossy(&written)))?,
        false => out
            .write_all(&written)
            .and_then(|()| out.flush())
            .map_err(Error::file("cannot write to", "standard output"))?,
    }
    Ok(Exit::Done)
}

fn show(path: &Path, html: Option<&Path>) -> Result<Exit> {
    let sheets = sheets(path)?;
    match html {
        Some(file) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let page = worksheets::show_page(&sheets, &name);
            std::fs::write(file, page).map_err(Error::file("cannot write", file))?;
        }
        None => terminal::print(terminal::clean(&worksheets::show(&sheets)))?,
    }
    Ok(Exit::Done)
}

/// The sheets of a file, which can be read.
fn sheets(path: &Path) -> Result<Sheets> {
    read(path)?.map_err(|problems| {
        let path = path.display();
        Error::usage(format!("{path} cannot be read:\n{}", lines(&problems)))
    })
}

/// Reads a file of sheets, or that of a folder.
fn read(path: &Path) -> Result<std::result::Result<Sheets, Vec<Problem>>> {
    let path = match path.is_dir() {
        true => of_folder(path)?,
        false => path.to_owned(),
    };
    let bytes = std::fs::read(&path).map_err(Error::file("cannot read", &path))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let format = Format::of(&name).ok_or_else(|| {
        Error::usage(format!(
            "{}: the form of sheets is told by the end of the name: {}",
            path.display(),
            ENDS.join(", ")
        ))
    })?;
    Ok(worksheets::read(&bytes, format))
}

/// The ends of the names of sheets, as messages list them.
const ENDS: [&str; 5] = ["csv", "tsv", "toml", "xlsx", "json"];

fn of_folder(folder: &Path) -> Result<PathBuf> {
    crate::folder::worksheets_of(folder).ok_or_else(|| {
        Error::usage(format!(
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
