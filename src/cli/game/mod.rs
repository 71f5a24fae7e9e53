//! `dialog2api game`: decision games between parties who know different things.

mod generate;
mod replay;
mod rows;
mod serve;

pub use replay::{files, replay};

use super::{Exit, terminal};
use crate::error::{Error, Result};
use clap::{Args, Subcommand};
use decision_games::Recorded;
use std::path::{Path, PathBuf};

/// The arguments of `game`.
#[derive(Debug, Args)]
pub struct GameArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Replay recorded games, and compare every score with its record
    Replay {
        /// Files of games (games.jsonl), or folders with one
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,

        /// Print JSON Lines, one object per game
        #[arg(long)]
        json: bool,
    },
    /// Show what is reached without a language model, beside the people who played
    Rows {
        /// Files of games (games.jsonl), or folders with one
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,

        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write one page about a recorded game, for a browser: views, talk, proposals, the best decision
    Show {
        /// A file of games (games.jsonl), or a folder with one
        #[arg(value_name = "PATH")]
        path: PathBuf,

        /// The number of the game
        #[arg(value_name = "INDEX")]
        index: u32,
    },
    /// Draw worlds from seeds, with their best and silent decisions, as JSON Lines
    Generate {
        /// optimization, planning or mediation
        #[arg(value_name = "GAME")]
        game: String,

        /// The first seed
        #[arg(long, default_value_t = 0)]
        seed: u64,

        /// How many worlds, from consecutive seeds
        #[arg(long, default_value_t = 1)]
        count: u64,
    },
    /// Step games from another program: JSON Lines on standard input and output
    #[command(after_help = SERVE)]
    Serve,
}

const SERVE: &str = r#"Requests, one a line; each has one line as its answer:
  {"op": "reset", "game": "planning", "seed": 7}
  {"op": "step", "seat": "user", "text": "[message] I like parks."}
  {"op": "fork"}   {"op": "state"}   {"op": "close"}

An answer has what each seat reads (observation), who may move (movers), whether the game is
over (done), and info: code (why a turn was refused), moves, words, end, score, best, norm.
reset takes a world or a state, too, and "rules": "released", "order": "free",
"limits": false. Several games have ids."#;

/// Carries out a subcommand of `game`.
pub fn game(args: &GameArgs, quiet: bool) -> Result<Exit> {
    match &args.command {
        Command::Replay { paths, json } => replay(paths, *json, quiet),
        Command::Rows { paths, json } => rows::rows(paths, *json),
        Command::Show { path, index } => show(path, *index),
        Command::Generate { game, seed, count } => generate::generate(game, *seed, *count),
        Command::Serve => serve::serve(),
    }
}

/// Prints the page of a game.
fn show(path: &Path, index: u32) -> Result<Exit> {
    let files = files(&[path.to_owned()])?.unwrap_or_else(|| vec![path.to_owned()]);
    let mut games = Vec::new();
    for file in files {
        games.extend(read(&file)?);
    }
    let game = games
        .iter()
        .find(|game| game.index == index)
        .ok_or_else(|| {
            let path = path.display();
            Error::Usage(format!(
                "{path} has no game {index}; `game replay` lists its games"
            ))
        })?;
    terminal::print(decision_games::page(game).map_err(Error::Usage)?)?;
    Ok(Exit::Done)
}

/// Reads the games of a file.
fn read(path: &Path) -> Result<Vec<Recorded>> {
    let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
    Recorded::read(&text).map_err(|error| Error::Usage(format!("{}: {error}", path.display())))
}
