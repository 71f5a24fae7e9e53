//! `dialog2api score`: the figures of a run, computed from its log.

mod table;

pub use table::{factor, number, passes, title};

use super::{Exit, terminal};
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::eval::read::load;
use crate::eval::score::{Options, Score, score as compute};
use crate::llm::Prices;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `score`.
#[derive(Debug, Args)]
#[command(
    after_help = "The definitions of the figures are in src/eval/definitions.md; `definitions` in the JSON is the version of that file."
)]
pub struct ScoreArgs {
    /// The folder of the run, with run.json and log.jsonl
    log: PathBuf,

    /// Print one JSON object with all figures; `emr` is 0 to 1
    #[arg(long)]
    json: bool,

    /// Score the finished dialogues of an incomplete run
    #[arg(long)]
    partial: bool,
}

/// Computes the figures of a run and prints them.
pub fn score(args: &ScoreArgs, domain: &Arc<Domain>) -> Result<Exit> {
    let log = load(&args.log, args.partial)?;
    let wrong = |problem| Error::Content {
        path: args.log.clone(),
        problem,
    };
    let options = Options {
        partial: args.partial,
        domain: Some(domain.clone()),
        ..Options::default()
    };
    let score = compute(&log.run, &log.turns, &options).map_err(wrong)?;
    if score.coverage.scored == 0 {
        return Err(wrong(nothing_finished(&score)));
    }
    if args.json {
        terminal::print_json(&score)?;
    } else {
        terminal::print(table::human(&score, &Prices::of_user(None)?))?;
    }
    Ok(Exit::Done)
}

/// Why a run has no figures.
fn nothing_finished(score: &Score) -> String {
    let why = match score.coverage.cut_short.first() {
        Some(cut) => format!("; the first that ended did so because {}", cut.message),
        None => String::new(),
    };
    format!("no dialogue is finished, so that there is nothing to score{why}")
}
