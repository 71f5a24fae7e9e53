//! `dialog2api play`: decision games with people at this terminal.

use super::game::{kinds, rules};
use super::{Exit, terminal};
use crate::error::{Error, Result};
use clap::{Args, ValueEnum};
use decision_games::play::{Ended, Person, end_name, person};
use decision_games::{Game, Limits, Manner, Play, Player, Table};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// optimization, planning, mediation, or a folder with a game of your own (game.json)
    #[arg(value_name = "GAME")]
    game: String,

    /// Your seat, such as user or agent; the first one if left out
    #[arg(long)]
    seat: Option<String>,

    /// The seed of the world
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Who plays the other seats: scripted tells all it knows, shy only what it is asked for,
    /// agent is the player without a model, person is somebody else at this terminal
    #[arg(long, value_enum, default_value_t = Partner::Scripted)]
    partner: Partner,

    /// Add the game to this file, in the form of recorded games
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Allow /suggest, which shows what the solver would propose
    #[arg(long)]
    suggest: bool,

    /// Play by the rules of the environment that was released with the paper
    #[arg(long)]
    as_released: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Partner {
    Scripted,
    Shy,
    Agent,
    Person,
}

/// Plays one game.
pub fn play(args: &PlayArgs) -> Result<Exit> {
    let rules = rules(args.as_released);
    let (kinds, name) = kinds(&args.game)?;
    let world = kinds
        .generate(&name, args.seed, rules)
        .map_err(Error::Usage)?;
    let game = kinds.open(&name, &world, rules).map_err(Error::World)?;
    let seat = seat(game.as_ref(), args.seat.as_deref())?;
    let players = players(game.as_ref(), seat, args)?;
    let limits = Limits {
        errors: usize::MAX,
        ..Limits::usual(game.as_ref())
    };
    let mut table = Table::new(game, rules, Play::Strict).with_limits(limits);
    let mut input = std::io::stdin().lock();
    let mut output = anstream::stdout().lock();
    let mut with = Person {
        players,
        suggest: args.suggest,
        input: &mut input,
        output: &mut output,
    };
    let (record, ended) =
        person(&mut table, &mut with).map_err(Error::file("cannot play on", "the terminal"))?;
    drop(output);
    if let Some(path) = &args.record {
        let index = u32::try_from(args.seed).unwrap_or(u32::MAX);
        let line = serde_json::to_string(&record.line(&table, &world, index))
            .map_err(|error| Error::World(format!("the game cannot be written: {error}")))?;
        append(path, &line)?;
    }
    let how = match &ended {
        Ended::Game(end) => end_name(end),
        Ended::Left => "left",
    };
    terminal::print(format_args!("{how}, {} words\n", record.words()))?;
    Ok(Exit::Done)
}

fn seat(game: &dyn Game, name: Option<&str>) -> Result<usize> {
    let Some(name) = name else {
        return Ok(0);
    };
    let found = game.seats().iter().position(|seat| seat.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = game.seats().iter().map(|seat| seat.name).collect();
        Error::Usage(format!(
            "there is no seat {name:?}; the seats are {}",
            names.join(", ")
        ))
    })
}

/// A player for each seat but those of people.
fn players(
    game: &dyn Game,
    person: usize,
    args: &PlayArgs,
) -> Result<Vec<Option<Box<dyn Player>>>> {
    let player = |seat: usize| -> Result<Option<Box<dyn Player>>> {
        let fixed = |manner| game.partner(seat, manner, args.seed);
        let found = match args.partner {
            Partner::Person => return Ok(None),
            _ if seat == person => return Ok(None),
            Partner::Scripted => fixed(Manner::Scripted).or_else(|| game.agent(seat)),
            Partner::Shy => fixed(Manner::Shy).or_else(|| game.agent(seat)),
            // Travellers and users have no agent of their own.
            Partner::Agent => game.agent(seat).or_else(|| fixed(Manner::Scripted)),
        };
        let name = game.seats()[seat].name;
        let none = || Error::Usage(format!("no player without a model can be {name}"));
        found.map(Some).ok_or_else(none)
    };
    (0..game.seats().len()).map(player).collect()
}

fn append(path: &Path, line: &str) -> Result<()> {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(Error::file("cannot write", path))?;
    writeln!(file, "{line}").map_err(Error::file("cannot write", path))
}
