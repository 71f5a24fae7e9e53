//! `dialog2api eval compare`: compares two runs of the same dialogues.

use crate::cli::Exit;
use crate::cli::score::{factor, number, passes, title};
use crate::cli::terminal::{self, BOLD, DIM, Styled, clean};
use crate::domain::{Domain, counted};
use crate::error::{Error, Result};
use crate::eval::read::load;
use crate::eval::reward;
use crate::eval::score::metrics::Unit;
use crate::eval::score::{Comparison, MetricDifference, Options, compare as compute};
use crate::llm::Prices;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `eval compare`.
#[derive(Debug, Args)]
#[command(
    after_help = "The differences are B minus A. The definition of p is in src/eval/definitions.md."
)]
pub struct CompareArgs {
    /// The folder of the first run
    a: PathBuf,

    /// The folder of the second run
    b: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Compare the finished dialogues of incomplete runs
    #[arg(long)]
    partial: bool,
}

/// Compares two runs, and prints the differences.
pub fn compare(args: &CompareArgs, domain: &Arc<Domain>) -> Result<Exit> {
    if reward::is_run(&args.a) || reward::is_run(&args.b) {
        return games(args);
    }
    let (a, b) = (load(&args.a, args.partial)?, load(&args.b, args.partial)?);
    let options = Options {
        partial: args.partial,
        domain: Some(domain.clone()),
        ..Options::default()
    };
    let both = ((&a.run, &*a.turns), (&b.run, &*b.turns));
    let comparison = compute(both.0, both.1, &options).map_err(|problem| {
        let (one, other) = (args.a.display(), args.b.display());
        Error::usage(format!("{one} and {other}: {problem}"))
    })?;
    if args.json {
        terminal::print_json(&comparison)?;
    } else {
        terminal::print(human(&comparison))?;
    }
    Ok(Exit::Done)
}

/// Compares two runs of games.
fn games(args: &CompareArgs) -> Result<Exit> {
    let (a, b) = (reward::read(&args.a)?, reward::read(&args.b)?);
    let prices = Prices::of_user(None)?;
    for run in [&a, &b] {
        reward::score(run, &prices, args.partial)?;
    }
    let comparison = reward::compare(&a, &b, &prices)?;
    match args.json {
        true => terminal::print_json(&comparison)?,
        false => terminal::print(clean(&comparison.to_string()))?,
    }
    Ok(Exit::Done)
}

fn human(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (name, side) in [("A", &comparison.a), ("B", &comparison.b)] {
        let _ = writeln!(text, "{} {}", Styled(BOLD, name), clean(&title(&side.run)));
        if (side.finished as u64) < side.expected {
            let passes = passes(&side.run, side.expected);
            let _ = writeln!(text, "  {} of {passes} finished", side.finished);
        }
    }
    for setting in &comparison.settings {
        let _ = writeln!(text, "  {}", Styled(DIM, clean(setting)));
    }
    let dialogues = counted(comparison.dialogues, "dialogue");
    let _ = writeln!(text, "{dialogues} finished in both");
    if !comparison.left_out.is_empty() {
        let names = comparison.left_out.join(", ");
        let _ = writeln!(
            text,
            "left out, as finished in one alone: {}",
            clean(&names)
        );
    }
    let heading = format!("{:34}{:>8}{:>8}{:>8}", "", "A", "B", "B - A");
    let _ = writeln!(
        text,
        "\n{}",
        Styled(BOLD, format!("{heading}   {:18}{}", "95 % interval", "p"))
    );
    for difference in &comparison.metrics {
        let _ = writeln!(text, "{}", line(difference));
    }
    text
}

fn line(difference: &MetricDifference) -> String {
    let factor = factor(difference.unit);
    let shown = |value: Option<f64>| number(value.map(|value| value * factor));
    let signed = |value: Option<f64>| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{:+.1}", value * factor))
    };
    let title = match difference.unit {
        Unit::Share => format!("{}, %", difference.title),
        Unit::Points => difference.title.clone(),
        Unit::Tokens => format!("{}, tokens", difference.title),
    };
    let interval = match difference.low {
        Some(_) => format!("{} to {}", signed(difference.low), signed(difference.high)),
        None => "–".to_owned(),
    };
    let p = difference
        .p
        .map_or_else(|| "–".to_owned(), |p| format!("{p:.4}"));
    format!(
        "{title:34}{:>8}{:>8}{:>8}   {interval:18}{p}",
        shown(difference.a),
        shown(difference.b),
        signed(difference.difference),
    )
}
