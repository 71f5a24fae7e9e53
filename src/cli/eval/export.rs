//! `dialog2api eval export`.

use crate::cli::Exit;
use crate::cli::progress::Spinner;
use crate::dataset;
use crate::domain::{Domain, counted};
use crate::error::{Error, Result};
use crate::eval::report::{Report, inspect};
use crate::eval::score::Options;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;

const ABOUT: &str = "\
inspect: an eval log of inspect_ai, for its viewer and its `read_eval_log`. A dialogue is a
  sample with the scores emr, complete, turn_match and state_emr. Prompts are left out.";

/// The arguments of `eval export`.
#[derive(Debug, Args)]
#[command(after_help = ABOUT)]
pub struct ExportArgs {
    /// The run: a folder with run.json and log.jsonl
    #[arg(value_name = "LOG_DIR")]
    folder: PathBuf,

    /// The program to export for: inspect
    #[arg(long, value_enum, default_value_t = Form::Inspect, value_name = "FORMAT")]
    #[arg(hide_possible_values = true)]
    format: Form,

    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Replace the file if it has other content
    #[arg(long)]
    force: bool,

    /// Export the finished dialogues of an incomplete log
    #[arg(long)]
    partial: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Inspect,
}

/// Reads a run and writes it in another format.
pub fn export(args: &ExportArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let options = Options {
        partial: args.partial,
        domain: Some(domain.clone()),
        ..Options::default()
    };
    let report = Report::read(std::slice::from_ref(&args.folder), &options)?;
    let Form::Inspect = args.format;
    let created = created(args)?;
    for shown in &report.runs {
        let log = inspect(shown, created)?;
        let text = serde_json::to_string_pretty(&log)
            .map_err(Error::bug("an output cannot be written as JSON"))?;
        dataset::write(&[(args.output.clone(), text + "\n")], args.force)?;
        let scored = counted(shown.score.coverage.scored, "scored dialogue");
        Spinner::new(quiet).note(&format!("{scored} in {}", args.output.display()));
    }
    Ok(Exit::Done)
}

/// When the run was made. Runs do not record times, so this is the time of its file.
fn created(args: &ExportArgs) -> Result<jiff::Timestamp> {
    let path = args.folder.join("run.json");
    let modified = std::fs::metadata(&path).and_then(|about| about.modified());
    let modified = modified.map_err(Error::file("cannot read", &path))?;
    jiff::Timestamp::try_from(modified).map_err(|error| Error::Content {
        path,
        problem: format!("has an invalid modification time: {error}"),
    })
}
