//! `dialog2api dataset check`.

use super::table;
use crate::cli::options;
use crate::cli::progress::Spinner;
use crate::cli::terminal::{self, BAD, BOLD, DIM, GOOD, OPEN, Styled, clean};
use crate::cli::{Exit, prepare};
use crate::dataset::check::duplicates::{self, Alike, Duplicates};
use crate::dataset::check::{CheckFinding, CheckReport, Skipped, check as look, checks};
use crate::dataset::stats::{PartFigures, Statistics};
use crate::dataset::{ExampleDialogues, Replayer, Set};
use crate::domain::{Domain, counted, plural};
use crate::error::Result;
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `dataset check`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAINED)]
pub struct CheckArgs {
    /// The dataset: a folder with train/, test/ and goals.toml [default: the domain's]
    folder: Option<PathBuf>,

    /// Compare the test part with these dialogues as well: `builtin`, or a folder. For a
    /// dataset that is evaluated with examples from another source
    #[arg(long, value_name = "DIR")]
    examples: Option<PathBuf>,

    /// Print one JSON object: statistics, duplicates, findings, skipped checks
    #[arg(long)]
    json: bool,
}

const EXPLAINED: &str = "\
An incomplete check is marked `skip`, with the reason.
The exit code is 0 if nothing is found, else 3.";

/// The JSON object of `--json`.
#[derive(Serialize)]
struct Json<'a> {
    statistics: &'a Statistics,
    means: Means,
    duplicates: &'a Duplicates,
    findings: &'a [CheckFinding],
    skipped: &'a [Skipped],
}

#[derive(Serialize)]
struct Means {
    train: Option<Mean>,
    test: Option<Mean>,
    all: Option<Mean>,
}

/// The means of a part with dialogues; see [`PartFigures`].
#[derive(Serialize)]
struct Mean {
    utterances: f64,
    goals: f64,
    lines: f64,
    apis: f64,
}

impl Mean {
    fn of(part: &PartFigures) -> Option<Self> {
        (part.dialogues > 0).then(|| Mean {
            utterances: part.utterances_a_dialogue(),
            goals: part.goals_a_dialogue(),
            lines: part.lines_a_program(),
            apis: part.apis_a_program(),
        })
    }
}

/// Checks the dataset, and prints its figures and all findings.
pub async fn check(args: &CheckArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let set = Set::read(&options::dataset(args.folder.as_deref(), domain), domain)?;
    let examples = match &args.examples {
        Some(name) => ExampleDialogues::named(name, domain)?,
        None => ExampleDialogues::default(),
    };
    let engine = prepare::engine(domain, quiet).await?;
    let spinner = Spinner::new(quiet);
    spinner.say("running every program");
    let report = look(
        &set,
        &examples.dialogues,
        &Replayer::new(Arc::new(engine), domain),
    )
    .await?;
    spinner.done();
    if args.json {
        terminal::print_json(&Json {
            statistics: &report.statistics,
            means: Means {
                train: Mean::of(&report.statistics.train),
                test: Mean::of(&report.statistics.test),
                all: Mean::of(&report.statistics.all),
            },
            duplicates: &report.duplicates,
            findings: &report.findings,
            skipped: &report.skipped,
        })?;
    } else {
        terminal::print(human(&set, &report))?;
    }
    Ok(if report.findings.is_empty() {
        Exit::Done
    } else {
        Exit::Findings
    })
}

fn human(set: &Set, report: &CheckReport) -> String {
    let mut text = table::figures(set, &report.statistics);
    let _ = writeln!(text, "\n{}", table::complexities(set, &report.statistics));
    text.push_str(&alike(&report.duplicates));
    text.push('\n');
    for check in checks() {
        let of_check = |finding: &&CheckFinding| finding.check == check.name();
        let findings: Vec<&CheckFinding> = report.findings.iter().filter(of_check).collect();
        let skipped = report.skipped.iter().find(|one| one.check == check.name());
        let (style, said) = match findings.len() {
            0 if skipped.is_some() => (OPEN, "skip".to_owned()),
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
        if let Some(Skipped { reason, .. }) = skipped {
            let _ = writeln!(text, "      {}", Styled(DIM, one_line(reason)));
        }
    }
    let _ = writeln!(text, "\n{}", summary(report));
    text
}

/// The last line: the number of findings, and the number of incomplete checks.
fn summary(report: &CheckReport) -> String {
    let skipped = match report.skipped.len() {
        0 => String::new(),
        1 => " 1 check did not look at everything.".to_owned(),
        n => format!(" {n} checks did not look at everything."),
    };
    match report.findings.len() {
        0 => format!("{}{skipped}", Styled(GOOD, "Nothing is wrong.")),
        1 => format!("{}{skipped}", Styled(BAD, "1 finding.")),
        n => format!("{}{skipped}", Styled(BAD, format!("{n} findings."))),
    }
}

/// Makes untrusted text safe for a terminal, on one line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    clean(&words.join(" ")).into_owned()
}

/// The figures of duplicates.
fn alike(duplicates: &Duplicates) -> String {
    let mut text = format!("{}\n", Styled(BOLD, "Most alike (n-grams in common)"));
    let mut line = |what: &str, pairs: usize, alike: Option<&Alike>, limit: f64| {
        if pairs == 0 {
            let _ = writeln!(
                text,
                "  {what:28}    – {}",
                Styled(DIM, "nothing to compare")
            );
            return;
        }
        let figure = alike.map_or(0.0, |alike| alike.similarity);
        let place = alike.map_or_else(String::new, |alike| {
            let places = alike.places.iter().map(|(path, turn)| match turn {
                Some(turn) => format!("{}, turn {turn}", path.display()),
                None => path.display().to_string(),
            });
            one_line(&places.collect::<Vec<_>>().join(" and "))
        });
        let _ = write!(text, "  {what:28} {figure:.2} (limit {limit:.2})");
        let _ = if place.is_empty() {
            writeln!(text)
        } else {
            writeln!(text, "  {}", Styled(DIM, place))
        };
    };
    line(
        "utterances of train and test",
        duplicates.utterance_pairs,
        duplicates.utterances.first(),
        duplicates::UTTERANCES,
    );
    line(
        "dialogues",
        duplicates.dialogue_pairs,
        duplicates.dialogues.first(),
        duplicates::DIALOGUES,
    );
    let _ = writeln!(
        text,
        "  {} {} at least {} words; the others ({}) are not compared, and {} of them {} said in \
         both parts",
        counted(duplicates.compared, "utterance"),
        plural(duplicates.compared, "has", "have"),
        duplicates::SHORT,
        duplicates.short,
        duplicates.short_in_both,
        plural(duplicates.short_in_both, "is", "are")
    );
    text
}
