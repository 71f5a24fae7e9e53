//! `dialog2api dataset check`.

use super::table;
use crate::cli::progress::Spinner;
use crate::cli::terminal::{self, BAD, BOLD, DIM, GOOD, Styled, clean};
use crate::cli::{Exit, prepare};
use crate::dataset::check::duplicates::{self, Alike, Duplicates};
use crate::dataset::check::{Finding, Report, check as look, checks};
use crate::dataset::stats::{Part, Statistics};
use crate::dataset::{Replayer, Set};
use crate::domain::Domain;
use crate::error::Result;
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// What was typed.
#[derive(Debug, Args)]
#[command(after_help = "Exit code 0 only where nothing is found, else 3.")]
pub struct CheckArgs {
    /// The dataset: a folder with train/, test/ and goals.toml
    #[arg(default_value = "datasets/s3")]
    folder: PathBuf,

    /// One JSON object: statistics, duplicates, findings
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    statistics: &'a Statistics,
    means: Means,
    duplicates: &'a Duplicates,
    findings: &'a [Finding],
}

#[derive(Serialize)]
struct Means {
    train: Mean,
    test: Mean,
    all: Mean,
}

/// The means of a part; see [`Part`].
#[derive(Serialize)]
struct Mean {
    utterances: f64,
    goals: f64,
    lines: f64,
    apis: f64,
}

impl Mean {
    fn of(part: &Part) -> Self {
        Mean {
            utterances: part.utterances_a_dialogue(),
            goals: part.goals_a_dialogue(),
            lines: part.lines_a_program(),
            apis: part.apis_a_program(),
        }
    }
}

/// Checks the dataset, and prints what there is and what is wrong.
pub async fn check(args: &CheckArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let set = Set::read(&args.folder, domain)?;
    let engine = prepare::engine(domain, quiet).await?;
    let spinner = Spinner::new(quiet);
    spinner.say("running every program");
    let report = look(&set, &Replayer::new(Arc::new(engine))).await?;
    spinner.done();
    match args.json {
        true => terminal::print_json(&Json {
            statistics: &report.statistics,
            means: Means {
                train: Mean::of(&report.statistics.train),
                test: Mean::of(&report.statistics.test),
                all: Mean::of(&report.statistics.all),
            },
            duplicates: &report.duplicates,
            findings: &report.findings,
        })?,
        false => terminal::print(human(&set, &report))?,
    }
    Ok(match report.findings.is_empty() {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

fn human(set: &Set, report: &Report) -> String {
    let mut text = table::figures(set, &report.statistics);
    let _ = writeln!(text, "\n{}", table::complexities(set, &report.statistics));
    text.push_str(&alike(&report.duplicates));
    text.push('\n');
    for check in checks() {
        let of_check = |finding: &&Finding| finding.check == check.name();
        let findings: Vec<&Finding> = report.findings.iter().filter(of_check).collect();
        let (style, said) = match findings.len() {
            0 => (GOOD, "ok".to_owned()),
            n => (BAD, n.to_string()),
        };
        let (name, rule) = (check.name(), Styled(DIM, check.rule()));
        let _ = writeln!(
            text,
            "{}  {name:14} {rule}",
            Styled(style, format!("{said:>4}"))
        );
        for finding in findings {
            let _ = writeln!(text, "      {}", one_line(&finding.to_string()));
        }
    }
    let _ = match report.findings.len() {
        0 => writeln!(text, "\n{}", Styled(GOOD, "Nothing is wrong.")),
        1 => writeln!(text, "\n{}", Styled(BAD, "1 finding.")),
        n => writeln!(text, "\n{}", Styled(BAD, format!("{n} findings."))),
    };
    text
}

/// What others wrote, on one line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    clean(&words.join(" ")).into_owned()
}

/// The figures of duplicates.
fn alike(duplicates: &Duplicates) -> String {
    let mut text = format!("{}\n", Styled(BOLD, "Most alike (n-grams in common)"));
    let mut line = |what: &str, alike: Option<&Alike>, limit: f64| {
        let figure = alike.map_or(0.0, |alike| alike.similarity);
        let place = alike.map_or_else(String::new, |alike| {
            let places = alike.places.iter().map(|(path, turn)| match turn {
                Some(turn) => format!("{}, turn {turn}", path.display()),
                None => path.display().to_string(),
            });
            one_line(&places.collect::<Vec<_>>().join(" and "))
        });
        let _ = write!(text, "  {what:28} {figure:.2} (limit {limit:.2})");
        let _ = match place.is_empty() {
            true => writeln!(text),
            false => writeln!(text, "  {}", Styled(DIM, place)),
        };
    };
    line(
        "utterances of train and test",
        duplicates.utterances.first(),
        duplicates::UTTERANCES,
    );
    line(
        "dialogues",
        duplicates.dialogues.first(),
        duplicates::DIALOGUES,
    );
    let _ = writeln!(
        text,
        "  {} utterances compared; {} have fewer than {} words, {} of these are said in both parts",
        duplicates.compared,
        duplicates.short,
        duplicates::SHORT,
        duplicates.short_in_both
    );
    text
}
