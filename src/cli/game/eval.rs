//! Runs a model on recorded games.

use super::{GameModel, engine, read, replay};
use crate::cli::options;
use crate::cli::progress::Spinner;
use crate::cli::stop::until_stopped;
use crate::cli::{Exit, terminal};
use crate::domain::counted;
use crate::error::{Error, Result};
use crate::eval::log::Shard;
use crate::eval::reward::{
    self, GameMode, GameOptions, GameProgress, GameRunner, GameWatch, WORDS,
};
use crate::eval::runner::RunStop;
use crate::games::{Acting, Sampling};
use crate::llm::{Model, Prices};
use clap::Args;
use decision_games::Language;
use decision_games::forced::Cut;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `game eval`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAINED)]
pub struct EvalArgs {
    /// Files of games (games.jsonl), or folders with one
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    model: GameModel,

    /// How games are played
    #[arg(long, value_enum, default_value_t = GameMode::Forced)]
    mode: GameMode,

    /// How the model plays the seats that propose
    #[arg(long, value_enum, default_value_t)]
    agent: Acting,

    /// Who plays the seats that do not propose, in self-play and psp: scripted, numbers, top, shy,
    /// or model [default: scripted]
    #[arg(long, value_name = "WHO")]
    #[arg(value_parser = ["scripted", "numbers", "top", "shy", "model"])]
    users: Option<String>,

    /// The folder for the log: a new one, or with --resume the folder of a run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Continue the run in --out where it stopped, or start it if there is none
    #[arg(long)]
    resume: bool,

    /// Only this cut of people's words, in forced and psp: 0, 25, 50, 75 or end. Can be given
    /// several times
    #[arg(long, value_name = "CUT", value_parser = cut)]
    cut: Vec<Cut>,

    /// Only games whose number modulo 3 is this: 1 for tuning, 2 for figures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..3))]
    split: Option<u32>,

    /// Only so many games of each kind
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// Run only the i-th of n parts: 1/4
    #[arg(long, value_name = "I/N", value_parser = Shard::read)]
    shard: Option<Shard>,

    /// What parties without a model speak: en, de or it. The reader `words` reads English
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    language: Language,

    /// Play and score by the rules of the environment that was released with the paper
    #[arg(long)]
    as_released: bool,

    /// How many games are played at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,

    /// The file that keeps answers, so that no request is sent twice [default: in --out]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// The sampling temperature; 0 is greedy decoding
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = options::temperature)]
    temperature: f32,

    /// The seed of sampling, for servers that take one
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// The most tokens of an answer
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    tokens: u32,

    /// Hold the model to the form of facts by a grammar (llama.cpp)
    #[arg(long)]
    grammar: bool,
}

const EXPLAINED: &str = "\
A model reads what was said and writes down facts; the solver of its seat proposes by them. The
model `words` is the reader without one: it costs nothing, and is the line to beat. With
--agent programs the model writes a Python program each turn, which runs in the sandbox.

  dialog2api game eval --model openai:NAME --mode forced --split 2 --out runs/name datasets/GAME
  dialog2api eval compare runs/words runs/name
  dialog2api eval report runs/words runs/name

Ctrl-C stops after the turns under way; a second one stops at once. Nothing that was paid for is
lost: the same command with --resume continues. The exit code is 1 if games are missing.";

/// Plays the games and prints the figures.
pub async fn eval(args: &EvalArgs, quiet: bool) -> Result<Exit> {
    let model: Option<Arc<dyn Model>> = match args.model.model.as_deref() {
        Some(WORDS) => None,
        _ => Some(args.model.open()?),
    };
    if args.users.is_some() && !matches!(args.mode, GameMode::SelfPlay | GameMode::Psp) {
        return Err(Error::usage(
            "--users is for seats that do not propose: --mode self-play or psp",
        ));
    }
    let files = replay::files(&args.paths)?.unwrap_or_else(|| args.paths.clone());
    let mut games = Vec::new();
    for file in files {
        games.extend(read(&file)?);
    }
    let wanted = GameOptions {
        mode: args.mode,
        agent: args.agent,
        users: args.users.clone().unwrap_or_else(|| "scripted".to_owned()),
        language: args.language,
        as_released: args.as_released,
        sampling: Sampling {
            tokens: args.tokens,
            temperature: args.temperature,
            seed: args.seed,
            grammar: args.grammar,
        },
        cuts: args.cut.clone(),
        split: args.split,
        limit: args.limit.map(|limit| limit as usize),
        shard: args.shard,
    };
    let mut runner = GameRunner::new(games, model, &wanted)?;
    runner.cache.clone_from(&args.cache);
    runner.concurrency = usize::from(args.concurrency);
    runner.engine = engine(args.agent, quiet).await?;
    let spinner = Arc::new(Spinner::new(quiet));
    let (shown, stop) = (spinner.clone(), RunStop::default());
    let watch: GameWatch = Arc::new(move |tally: &GameProgress| {
        let units = counted(tally.units, "unit");
        let asked = counted(tally.asked, "request");
        shown.say(&format!("{} of {units}, {asked}", tally.done));
    });
    let run = runner.run(&args.out, args.resume, stop.clone(), watch);
    let Some(tally) = until_stopped(run, &stop, |note| spinner.note(note)).await? else {
        spinner.note("Stopped at once. The same command with --resume goes on.");
        return Ok(Exit::Failed);
    };
    for (place, reason) in &tally.failed {
        terminal::complain("warning", &format!("{place}: {reason}"));
    }
    let recorded = reward::read(&args.out)?;
    let score = reward::score(&recorded, &Prices::of_user(None)?, true)?;
    terminal::print(terminal::clean(&score.to_string()))?;
    match tally.done == tally.units {
        true => Ok(Exit::Done),
        false => {
            spinner.note("The same command with --resume goes on.");
            Ok(Exit::Failed)
        }
    }
}

fn cut(name: &str) -> std::result::Result<Cut, String> {
    Cut::named(name).ok_or_else(|| "a cut is 0, 25, 50, 75 or end".to_owned())
}

/// The error for a model that nobody named.
pub(super) fn unnamed(problem: &Error) -> Error {
    Error::usage(format!(
        "{problem}\nWithout any model: --model {WORDS}, the reader of words"
    ))
}
