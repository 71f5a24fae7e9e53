//! `dialog2api game`: decision games between parties who know different things.

mod eval;
mod figures;
mod generate;
mod own;
mod replay;
mod rows;
mod serve;

pub use own::{is_game, kinds};
pub use replay::{files, replay};

use super::{Exit, terminal};
use crate::error::{Error, FailureReason, Result};
use crate::exec::Engine;
use crate::games::{self, Acting};
use crate::llm::{self, Model, ModelSpec};
use clap::{Args, Subcommand};
use decision_games::{Kinds, Recorded, Rules};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

        /// Score by the rules of the environment that was released with the paper, where proposals
        /// pass through their text form
        #[arg(long)]
        as_released: bool,

        /// Print JSON Lines, one object per game
        #[arg(long)]
        json: bool,
    },
    /// Show what is reached without a language model, beside the people who played
    Rows {
        /// Files of games (games.jsonl), or folders with one
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,

        /// Score by the rules of the environment that was released with the paper, where proposals
        /// pass through their text form
        #[arg(long)]
        as_released: bool,

        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show what readers of words and players without a model reach on the worlds of recorded
    /// games, beside people and silence
    Figures {
        /// Files of games (games.jsonl), or folders with one
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,

        /// Only games whose number modulo 3 is this: 1 for tuning, 2 for figures
        #[arg(long, value_name = "N")]
        split: Option<u32>,

        /// Play and score by the rules of the environment that was released with the paper
        #[arg(long)]
        as_released: bool,

        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Let a model play or read the worlds of recorded games, and log every turn
    Eval(Box<eval::EvalArgs>),
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
        #[arg(value_name = "GAME", help = games_or_folder())]
        game: String,

        /// The first seed
        #[arg(long, default_value_t = 0)]
        seed: u64,

        /// How many worlds, from consecutive seeds
        #[arg(long, default_value_t = 1)]
        count: u64,

        /// Draw as the generators that were released with the paper do
        #[arg(long)]
        as_released: bool,
    },
    /// Step games from another program: JSON Lines on standard input and output
    #[command(after_help = served())]
    Serve {
        /// Folders with games of your own (game.py or game.json) to serve, too
        #[arg(value_name = "FOLDER")]
        folders: Vec<PathBuf>,
    },
}

const SERVE: &str = r#"Requests, one a line; each has one line as its answer:
  {"op": "reset", "game": "GAME", "seed": 7}
  {"op": "step", "seat": "SEAT", "text": "[message] Hi!"}
  {"op": "fork"}   {"op": "state"}   {"op": "close"}

An answer has what each seat reads (observation), who may move (movers), whether the game is
over (done), and info: code (why a turn was refused), moves, words, end, score, best, norm.
reset takes a world or a state, too, and "rules": "released", "order": "free",
"limits": false, "partners": {"OTHER": "shy"} (agent, scripted, numbers, top or shy play
a seat by themselves), and "language": "de" for what they speak. Several games have ids."#;

/// How games are served, with the first of them as the example.
fn served() -> String {
    let kinds = Kinds::default();
    let name = kinds.names().next().unwrap_or_default();
    let seats = kinds.find(name).map_or(&[][..], |kind| kind.seats());
    let seat = |place: usize| seats.get(place).map_or("", |seat| seat.name);
    let text = SERVE.replace("GAME", name).replace("SEAT", seat(0));
    text.replace("OTHER", seat(1))
}

/// What an argument that names a game can be.
pub fn games_or_folder() -> String {
    let kinds = Kinds::default();
    let names: Vec<&str> = kinds.names().collect();
    let names = names.join(", ");
    format!("{names}, or a folder with a game of your own (game.py or game.json)")
}

/// Carries out a subcommand of `game`.
pub async fn game(args: &GameArgs, quiet: bool) -> Result<Exit> {
    match &args.command {
        Command::Replay {
            paths,
            as_released,
            json,
        } => replay(paths, rules(*as_released), *json, quiet),
        Command::Rows {
            paths,
            as_released,
            json,
        } => rows::rows(paths, rules(*as_released), *json),
        Command::Figures {
            paths,
            split,
            as_released,
            json,
        } => figures::figures(paths, *split, rules(*as_released), *json),
        Command::Eval(args) => eval::eval(args, quiet).await,
        Command::Show { path, index } => show(path, *index),
        Command::Generate {
            game,
            seed,
            count,
            as_released,
        } => {
            let kinds = kinds(game, quiet)?;
            let rules = rules_of(&kinds.1, *as_released)?;
            generate::generate(&kinds, *seed, *count, rules)
        }
        Command::Serve { folders } => serve::serve(folders, quiet),
    }
}

/// The options that choose a model for games.
#[derive(Debug, Clone, Default, Args)]
pub struct GameModel {
    /// The model that reads: openai:NAME, anthropic:NAME, bedrock:MODEL_ID, local:NAME,
    /// replay:FILE (a recording), script:FILE (answers in a file, with --- between them), or a name
    /// in the config file
    #[arg(long, short, value_name = "MODEL", help_heading = "Model")]
    pub model: Option<String>,

    /// The address of the server: http://127.0.0.1:8080/v1 [default: OPENAI_BASE_URL or
    /// ANTHROPIC_BASE_URL, or the config file]
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
}

impl GameModel {
    /// The model that the options, the environment or the config file name.
    pub fn open(&self) -> Result<Arc<dyn Model>> {
        let spec = ModelSpec {
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            config_file: None,
        };
        match llm::open(&spec) {
            Ok(model) => Ok(Arc::from(model)),
            Err(error) if error.is(FailureReason::Usage) && self.model.is_none() => {
                Err(eval::unnamed(&error))
            }
            Err(error) => Err(error),
        }
    }
}

/// The sandbox for models that play by programs.
pub async fn engine(agent: Acting, quiet: bool) -> Result<Option<Engine>> {
    let domains = games::domains();
    let (Acting::Programs, Some(domain)) = (agent, domains.first()) else {
        return Ok(None);
    };
    // All games share one client.
    super::prepare::engine(domain, quiet).await.map(Some)
}

/// Our rules, or those of the environment that was released with the paper.
pub fn rules(as_released: bool) -> Rules {
    match as_released {
        true => Rules::released(),
        false => Rules::default(),
    }
}

/// The rules of a game that is played or drawn anew.
///
/// # Errors
/// The rules that were released are asked for, and nobody has released the game.
pub fn rules_of(game: &str, as_released: bool) -> Result<Rules> {
    if as_released && !Kinds::default().names().any(|known| known == game) {
        return Err(Error::usage(
            "--as-released is for the games of the paper: a game of your own has no other rules",
        ));
    }
    Ok(rules(as_released))
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
            Error::usage(format!(
                "{path} has no game {index}; `game replay` lists its games"
            ))
        })?;
    terminal::print(decision_games::page(game).map_err(Error::usage)?)?;
    Ok(Exit::Done)
}

/// Reads the games of a file.
fn read(path: &Path) -> Result<Vec<Recorded>> {
    let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
    Recorded::read(&text).map_err(|error| Error::usage(format!("{}: {error}", path.display())))
}
