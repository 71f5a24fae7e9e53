//! `dialog2api claims score`: the figures of simulated dialogues.

use crate::cli::{Exit, terminal};
use crate::error::Result;
use crate::eval::desk;
use crate::llm::Prices;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `claims score`.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    /// The folder of a run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Another run of the same goals, to compare in pairs of dialogues
    #[arg(value_name = "OTHER")]
    other: Option<PathBuf>,

    /// Take what is there of a run that is not complete
    #[arg(long)]
    partial: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the figures of a run, or the differences of two.
pub fn score(args: &ScoreArgs) -> Result<Exit> {
    let run = desk::read(&args.run)?;
    let Some(other) = &args.other else {
        let score = desk::score(&run, &Prices::of_user(None)?, args.partial)?;
        match args.json {
            true => terminal::print_json(&score)?,
            false => terminal::print(terminal::clean(&score.to_string()))?,
        }
        return Ok(Exit::Done);
    };
    let other = desk::read(other)?;
    if !args.partial {
        run.check_complete()?;
        other.check_complete()?;
    }
    let comparison = desk::compare(&run, &other)?;
    match args.json {
        true => terminal::print_json(&comparison)?,
        false => terminal::print(terminal::clean(&comparison.to_string()))?,
    }
    Ok(Exit::Done)
}
