//! `dialog2api play`: decision games with people, at this terminal or at pages.

mod append;
mod pages;

use super::game::{GameModel, engine, games_or_folder, kinds, rules_of};
use super::policy::PolicyOptions;
use super::stop::Signals;
use super::{Exit, terminal};
use crate::blocking::waiting;
use crate::domain::counted;
use crate::error::{Error, Result};
use crate::exec::Engine;
use crate::games::{self, Acting, Asker, ModelReader, Programmer, Sampling, Talker};
use crate::llm::{Prices, Usage};
use crate::policy::Policy;
use append::Kept;
use clap::{Args, ValueEnum};
use decision_games::play::{Ended, Person, end_name, person};
use decision_games::{Game, Language, Limits, Manner, Play, Player, Table, seat_named, speaking};
use serde_json::Value;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `play`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAINED)]
pub struct PlayArgs {
    #[arg(value_name = "GAME", help = games_or_folder())]
    game: String,

    /// Your seat by its name; the first one if left out
    #[arg(long)]
    seat: Option<String>,

    /// The seed of the world
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Who plays the other seats: scripted tells all it knows, shy only what it is asked for,
    /// agent asks, solves and proposes, person is somebody else at this terminal or at a page
    #[arg(long, value_enum, default_value_t = Partner::Scripted)]
    partner: Partner,

    /// What partners without a model speak: en, de or it
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    language: Language,

    #[command(flatten)]
    model: GameModel,

    /// With --model: how it plays a seat that proposes
    #[arg(long, value_enum, default_value_t, requires = "model")]
    agent: Acting,

    #[command(flatten)]
    policy: PolicyOptions,

    /// Add the game to this file, in the form of recorded games
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Allow /suggest, which shows what the solver would propose
    #[arg(long)]
    suggest: bool,

    /// Play by the rules of the environment that was released with the paper
    #[arg(long)]
    as_released: bool,

    /// Play on a page in the browser; with --partner person, each seat has a page of its own
    #[arg(long, help_heading = "Page")]
    web: bool,

    /// Open no browser, only print the link
    #[arg(long, requires = "web", help_heading = "Page")]
    no_open: bool,

    /// Print the links as a JSON object, by seat
    #[arg(long, requires = "web", help_heading = "Page")]
    json: bool,
}

const EXPLAINED: &str = "\
With --partner agent --model NAME, the model reads what you say, and the agent's solver proposes by
it; where the other seats do not propose, the model talks for them. With --agent programs it writes a
Python program each turn, and the words of its reply. Without --model the agent reads words by rules,
and costs nothing.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Partner {
    Scripted,
    Shy,
    Agent,
    Person,
}

/// Plays one game. People are waited for on a thread of their own.
pub async fn play(args: PlayArgs, quiet: bool) -> Result<Exit> {
    let model = args.model.model.is_some().then(|| args.model.open());
    let model = model.transpose()?;
    if model.is_some() && args.partner != Partner::Agent {
        return Err(Error::usage(
            "--model is for --partner agent: the other partners need none",
        ));
    }
    if args.policy.is_given() && args.agent != Acting::Programs {
        return Err(Error::usage(
            "a policy is for --agent programs: no other player makes calls",
        ));
    }
    args.policy.refuse_questions()?;
    if let Some(path) = &args.record {
        append::read(path)?;
    }
    let asker = model
        .clone()
        .map(|model| Asker::new(model, Sampling::default()));
    let engine = engine(args.agent, quiet).await?;
    let (said, kept) = (asker.clone(), Kept::default());
    let (path, record) = (args.record.clone(), kept.clone());
    let mut signals = Signals::new()?;
    let exit = match args.web {
        true => {
            let setup = Setup::new(&args, (asker.as_ref(), engine.as_ref()), quiet)?;
            pages::serve(&args, setup, &record, signals).await
        }
        false => tokio::select! {
            done = waiting(move || at_the_terminal(&args, (asker.as_ref(), engine.as_ref()), &record, quiet)) => done?,
            // The thread waits for a line that may never come: what was played is kept all the same.
            () = signals.wait() => {
                terminal::print("\n")?;
                Ok(Exit::Failed)
            }
        },
    };
    if let (Some(path), Some(game)) = (path, kept.take()) {
        append::append(&path, game)?;
    }
    if let (Some(asker), Some(model)) = (said, model) {
        terminal::print(terminal::clean(&spent(&asker, model.name())?))?;
    }
    exit
}

/// What a model was asked, and what it cost.
fn spent(asker: &Asker, model: &str) -> Result<String> {
    let (mut usage, asked) = (Usage::default(), asker.take());
    asked.iter().for_each(|asked| usage += asked.usage);
    let tokens = usage.prompt_tokens + usage.completion_tokens;
    let cost = Prices::of_user(None)?.cost(model, usage);
    let cost = cost.map_or_else(String::new, |cost| format!(", {cost}"));
    Ok(format!(
        "{model}: {}, {}{cost}\n",
        counted(asked.len(), "request"),
        counted(tokens, "token")
    ))
}

/// A game before its first move.
struct Setup {
    table: Table,
    world: Value,
    /// A player for each seat but those of people.
    players: Vec<Option<Box<dyn Player>>>,
    /// The number of the game in a file.
    index: u32,
}

impl Setup {
    fn new(
        args: &PlayArgs,
        model: (Option<&Asker>, Option<&Engine>),
        quiet: bool,
    ) -> Result<Setup> {
        let (kinds, name) = kinds(&args.game, quiet)?;
        let rules = rules_of(&name, args.as_released)?;
        let world = kinds
            .generate(&name, args.seed, rules)
            .map_err(Error::usage)?;
        let game = kinds.open(&name, &world, rules).map_err(Error::world)?;
        let seat = seat(game.as_ref(), args.seat.as_deref())?;
        let (all, limits) = (0..game.seats().len(), Limits::usual(game.as_ref()));
        let table = match (args.partner, args.web) {
            // People at pages of their own talk whenever they like.
            (Partner::Person, true) => Table::new(game, rules, Play::Free),
            (Partner::Person, false) => Table::new(game, rules, Play::Strict)
                .with_limits(limits)
                .with_people(all.collect()),
            _ => Table::new(game, rules, Play::Strict)
                .with_limits(limits)
                .with_people(vec![seat]),
        };
        let index = u32::try_from(args.seed).unwrap_or(u32::MAX);
        Ok(Setup {
            players: players(&table, seat, args, model)?,
            table,
            world,
            index,
        })
    }
}

fn at_the_terminal(
    args: &PlayArgs,
    model: (Option<&Asker>, Option<&Engine>),
    kept: &Kept,
    quiet: bool,
) -> Result<Exit> {
    let Setup {
        mut table,
        world,
        players,
        index,
    } = Setup::new(args, model, quiet)?;
    let mut input = std::io::stdin().lock();
    // Not locked: whoever stops the game writes, too, while a line is waited for.
    let mut output = anstream::stdout();
    let mut with = Person {
        players,
        suggest: args.suggest,
        hands_over: std::io::stdin().is_terminal(),
        input: &mut input,
        output: &mut output,
        watch: &mut |table, record| kept.set(record.line(table, &world, index)),
    };
    let (record, ended) =
        person(&mut table, &mut with).map_err(Error::file("cannot play on", "the terminal"))?;
    let how = match &ended {
        Ended::Game(end) => end_name(end),
        Ended::Left => "left",
        Ended::Failed(reason) => return Err(Error::model(reason.clone())),
    };
    terminal::print(format_args!("{how}, {}\n", counted(record.words(), "word")))?;
    Ok(Exit::Done)
}

fn seat(game: &dyn Game, name: Option<&str>) -> Result<usize> {
    let Some(name) = name else {
        return Ok(0);
    };
    seat_named(game.seats(), name).map_err(Error::usage)
}

/// What programs are held to.
fn policy(args: &PlayArgs) -> Result<Arc<Policy>> {
    // What it prepares was prepared when the game was opened.
    let (kinds, name) = kinds(&args.game, true)?;
    let domain = games::domain(&kinds, &name)?;
    args.policy.of_program(&domain).map(Arc::new)
}

fn players(
    table: &Table,
    person: usize,
    args: &PlayArgs,
    (asker, engine): (Option<&Asker>, Option<&Engine>),
) -> Result<Vec<Option<Box<dyn Player>>>> {
    let game = table.game().as_ref();
    let by_model = |seat: usize| -> Result<Option<Box<dyn Player>>> {
        let Some(asker) = asker else {
            return Ok(None);
        };
        if let Some(talker) = Talker::of(game, seat, asker.clone()) {
            return Ok(Some(Box::new(talker)));
        }
        if let Some(engine) = engine {
            let programmer = Programmer::new(table, seat, asker.clone(), engine)?;
            let held = match args.policy.is_given() {
                true => programmer.held_to(policy(args)?),
                false => programmer,
            };
            return Ok(Some(Box::new(held)));
        }
        let reader = ModelReader::of(game, seat, asker.clone());
        Ok(reader.and_then(|reader| game.agent_by(seat, Box::new(reader))))
    };
    let player = |seat: usize| -> Result<Option<Box<dyn Player>>> {
        let fixed = |manner| {
            let player = game.partner(seat, manner, args.seed);
            player.map(|player| speaking(player, args.language))
        };
        let found = match args.partner {
            Partner::Person => return Ok(None),
            _ if seat == person => return Ok(None),
            Partner::Scripted => fixed(Manner::Scripted).or_else(|| game.agent(seat)),
            Partner::Shy => fixed(Manner::Shy).or_else(|| game.agent(seat)),
            // Who does not propose has no agent.
            Partner::Agent => by_model(seat)?
                .or_else(|| game.agent(seat))
                .or_else(|| fixed(Manner::Scripted)),
        };
        let name = game.seats()[seat].name;
        let none = || Error::usage(format!("no player without a model can be {name}"));
        found.map(Some).ok_or_else(none)
    };
    (0..game.seats().len()).map(player).collect()
}
