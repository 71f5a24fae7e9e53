//! `dialog2api eval report`.

use crate::cli::options;
use crate::cli::progress::Spinner;
use crate::cli::terminal;
use crate::cli::{Exit, prepare};
use crate::dataset::{self, Replayer};
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::eval::report::{
    DialogueKey, Format, Report, ReportWorlds, StateDifference, differences, page, table,
};
use crate::eval::reward;
use crate::eval::score::Options;
use crate::llm::Prices;
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const ABOUT: &str = "\
html: one file that loads no others. It has the runs next to the paper's figures; EMR by
  model and setting with 95 % intervals, by turn, by class of error and by API; and every
  dialogue with its differences from the truth. For the first wrong turn of each dialogue,
  the programs run again to find the differences between the worlds, unless --no-states.
json, csv, markdown: only the figures.";

/// The arguments of `eval report`.
#[derive(Debug, Args)]
#[command(after_help = ABOUT)]
pub struct ReportArgs {
    /// The runs: folders with run.json and log.jsonl
    #[arg(required = true, value_name = "LOG_DIR")]
    folders: Vec<PathBuf>,

    /// Write to this file, or replace it [default: report.html; else standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// html, json, csv or markdown
    #[arg(long, value_enum, default_value_t = Form::Html, value_name = "FORMAT")]
    #[arg(hide_possible_values = true)]
    format: Form,

    /// Report the finished dialogues of incomplete runs
    #[arg(long)]
    partial: bool,

    /// Run no programs, and leave out the differences between worlds
    #[arg(long)]
    no_states: bool,

    /// The dataset, which has the descriptions of the worlds [default: the domain's]
    #[arg(long, value_name = "DIR")]
    dataset: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Html,
    Json,
    Csv,
    Markdown,
}

/// Reads the runs and writes the report.
pub async fn report(args: &ReportArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let text = if are_games(&args.folders) {
        games(&args.folders, args.format, args.partial)?
    } else {
        let report = read(&args.folders, domain, args.partial)?;
        match args.format {
            Form::Html => page(&report, &states(args, &report, domain, quiet).await)?,
            Form::Json => table(&report, Format::Json)?,
            Form::Csv => table(&report, Format::Csv)?,
            Form::Markdown => table(&report, Format::Markdown)?,
        }
    };
    write(args, text, quiet)
}

/// The page on these runs, of which some may still go on.
///
/// # Errors
/// A folder is not a run, or its log is damaged.
pub async fn page_of(folders: &[PathBuf], domain: &Arc<Domain>) -> Result<String> {
    if are_games(folders) {
        return games(folders, Form::Html, true);
    }
    let report = read(folders, domain, true)?;
    page(&report, &differing(&report, None, domain, true).await)
}

fn are_games(folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| reward::is_run(folder))
}

fn read(folders: &[PathBuf], domain: &Arc<Domain>, partial: bool) -> Result<Report> {
    let options = Options {
        partial,
        domain: Some(domain.clone()),
        ..Options::default()
    };
    let mut report = Report::read(folders, &options)?;
    report.price(&Prices::of_user(None)?);
    Ok(report)
}

/// The report of runs of games.
fn games(folders: &[PathBuf], format: Form, partial: bool) -> Result<String> {
    let (mut runs, mut scores) = (Vec::new(), Vec::new());
    let prices = Prices::of_user(None)?;
    for folder in folders {
        let run = reward::read(folder)?;
        scores.push(reward::score(&run, &prices, partial)?);
        runs.push(run);
    }
    Ok(match format {
        Form::Html => reward::page(&runs, &scores),
        Form::Csv => reward::csv(&scores),
        Form::Markdown => reward::markdown(&scores),
        Form::Json => {
            let text = serde_json::to_string_pretty(&scores)
                .map_err(Error::bug("an output cannot be written as JSON"))?;
            text + "\n"
        }
    })
}

/// Writes a report to its file, or prints it.
fn write(args: &ReportArgs, text: String, quiet: bool) -> Result<Exit> {
    let default = PathBuf::from("report.html");
    let output = args.output.as_ref();
    let is_page = args.format == Form::Html;
    let Some(path) = output.or(is_page.then_some(&default)) else {
        let shown = match args.format {
            Form::Json => terminal::clean_json(&text),
            _ => terminal::clean(&text).into_owned(),
        };
        terminal::print(shown)?;
        return Ok(Exit::Done);
    };
    dataset::write(&[(path.clone(), text)], true)?;
    let (count, path) = (args.folders.len(), path.display());
    let runs = if count == 1 { "run" } else { "runs" };
    Spinner::new(quiet).note(&format!("{count} {runs} in {path}"));
    Ok(Exit::Done)
}

/// The differences between the worlds, unless they are not wanted.
async fn states(
    args: &ReportArgs,
    report: &Report,
    domain: &Arc<Domain>,
    quiet: bool,
) -> Result<BTreeMap<DialogueKey, StateDifference>, String> {
    if args.no_states {
        return Err("The differences between the worlds were left out (--no-states).".to_owned());
    }
    differing(report, args.dataset.as_deref(), domain, quiet).await
}

/// The differences between the worlds. A report is useful without them. If they are
/// missing, it says why.
async fn differing(
    report: &Report,
    dataset: Option<&Path>,
    domain: &Arc<Domain>,
    quiet: bool,
) -> Result<BTreeMap<DialogueKey, StateDifference>, String> {
    let found = async {
        let worlds = ReportWorlds {
            replayer: Replayer::new(Arc::new(prepare::engine(domain, quiet).await?), domain),
            dataset: options::dataset(dataset, domain),
        };
        let spinner = Spinner::new(quiet);
        spinner.say("running programs again, to compare worlds");
        differences(report, &worlds).await
    };
    found
        .await
        .map_err(|error: Error| format!("The differences between the worlds are missing: {error}."))
}
