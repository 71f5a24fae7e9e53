//! The command line: one file per subcommand.
//!
//! Arguments are read in two steps. [`Cli`] and the `…Args` of each subcommand hold the
//! arguments as they were typed; `options` interprets them. Text from programs, models
//! and servers passes through [`terminal::clean`] on its way to a terminal.

mod approve;
mod chat;
mod claims;
mod dataset;
mod doctor;
mod domain;
mod eval;
mod export;
mod game;
mod highlight;
mod mcp;
mod model;
mod options;
mod plan;
mod play;
mod policy;
mod prepare;
mod progress;
mod prompting;
mod replay;
mod run;
mod score;
mod serve;
mod session;
mod show;
mod similarity;
mod stack;
mod standard_streams;
mod stop;
pub mod terminal;
mod web;
mod worker;
mod worksheet;
mod world;

use crate::domain::{Domain, domains, named};
use crate::error::{Error, ErrorKind, Result};
use crate::exec::Cache;
use crate::folder;
use crate::games;
use crate::journal::SessionStore;
use clap::{ColorChoice, Parser, Subcommand, ValueEnum};
use std::process::ExitCode;
use std::sync::Arc;

/// The command line as it was typed.
#[derive(Debug, Parser)]
#[command(name = "dialog2api", version, about, max_term_width = 100)]
#[command(after_help = EXIT_CODES, color = ColorChoice::Auto)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,

    /// The domain, which is the kind of environment that programs act on: a name, or a folder
    /// with a domain.toml (`domain new` makes one), a game.py or a game.json [default: that of the session, else s3]
    #[arg(long, global = true, value_name = "NAME|DIR")]
    domain: Option<String>,

    /// Colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    color: Color,

    /// Print no progress and no notes, only results and errors
    #[arg(long, short, global = true)]
    quiet: bool,
}

const DEFAULT_DOMAIN: &str = "s3";

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  dialog2api could not do it: a file, the model, S3 or the sandbox failed
  2  the arguments are invalid, or no model is configured
  3  the program ended with an error (run), mistakes or differences were found
     (dataset, replay), or a call is not allowed (policy)";

#[derive(Debug, Subcommand)]
enum Command {
    /// Hold a dialogue: each utterance becomes a program that runs in the sandbox
    Chat(chat::ChatArgs),
    /// Hold a dialogue on a page in the browser, with plans, undo and a browser of the world
    Web(Box<web::WebArgs>),
    /// Run one Python program in the sandbox
    Run(run::RunArgs),
    /// Serve a world to agents that speak the Model Context Protocol
    Mcp(Box<mcp::McpArgs>),
    /// Approve a plan that waits in `mcp`, at this terminal
    Plan(approve::PlanArgs),
    /// Run the programs of recorded dialogues again and compare the results
    Replay(replay::ReplayArgs),
    /// Show a policy, or explain whether it allows a call
    Policy(policy::PolicyArgs),
    /// List, show, export, undo, replay and move the sessions of chat on this machine
    Session(session::SessionArgs),
    /// Show the worlds that programs act on, or serve one
    World(world::WorldArgs),
    /// Make, check and test a domain of your own, which is a folder
    Domain(domain::DomainArgs),
    /// Check, annotate, generate, export and import annotated dialogues
    Dataset(dataset::DatasetArgs),
    /// List, download, serve and choose models
    Model(model::ModelArgs),
    /// Evaluate a model on annotated dialogues
    Eval(Box<eval::EvalArgs>),
    /// Compute all figures of a run from its log
    Score(score::ScoreArgs),
    /// Replay, evaluate, generate and step decision games between parties who know different things
    Game(game::GameArgs),
    /// Play a decision game at this terminal or on a page, against a player without a model, a model
    /// or a person
    Play(play::PlayArgs),
    /// Check, show and convert worksheets: forms that say what an agent must ask, say and do
    Worksheet(worksheet::WorksheetArgs),
    /// Check what the reply of any bot claims about rows, such as those of a database
    Claims(claims::ClaimsArgs),
    /// Check the installation, and name the commands that repair it
    Doctor(doctor::DoctorArgs),
    /// Prepare the sandbox of a domain ahead of the first program; folders share one
    Prepare,
    /// Serve another program, such as the Python package, by JSON Lines on standard input
    Worker,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// How the process ends. The exit codes are in `--help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// dialog2api itself failed.
    Failed,
    /// The arguments are invalid, or no model is configured.
    Usage,
    /// The program ended with an error.
    ProgramError,
    /// Mistakes or differences were found, or a call is not allowed.
    Findings,
}

impl Exit {
    /// The exit for an error.
    pub fn of(error: &Error) -> Self {
        match error.cause() {
            cause if cause.kind() == ErrorKind::User => Exit::Usage,
            // The reader of the output has read enough of it: `… | head`.
            cause if terminal::is_closed(cause) => Exit::Done,
            _ => Exit::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::ProgramError | Exit::Findings => 3,
        })
    }
}

/// Carries out the command.
///
/// # Errors
/// Whatever prevents that. [`report`] shows it to the user.
pub fn execute(cli: Cli) -> Result<Exit> {
    stop::hear_ctrl_c();
    match cli.color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let quiet = cli.quiet;
    let domain = &match (&cli.domain, cli.command.session()) {
        (Some(name), _) => named_domain(name, quiet)?,
        (None, Some(session)) => domain_of(session, cli.command.only_shows(), quiet)?,
        (None, None) => named_domain(DEFAULT_DOMAIN, quiet)?,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::system("cannot start threads"))?;
    let exit = match cli.command {
        Command::Chat(args) => chat::chat(&args, domain, quiet, &runtime),
        Command::Web(args) => web::web(&args, domain, quiet, &runtime),
        Command::Run(args) => runtime.block_on(run::run(&args, domain, quiet)),
        Command::Mcp(args) => runtime.block_on(mcp::mcp(&args, domain)),
        Command::Plan(args) => approve::plan(&args, domain),
        Command::Replay(args) => runtime.block_on(replay::replay(&args, domain, quiet)),
        Command::Policy(args) => policy::policy(&args, domain),
        Command::Session(args) => runtime.block_on(session::session(&args, domain, quiet)),
        Command::World(args) => runtime.block_on(world::world(&args, domain, quiet)),
        Command::Domain(args) => runtime.block_on(domain::domain(&args, quiet)),
        Command::Dataset(args) => runtime.block_on(dataset::dataset(&args, domain, quiet)),
        Command::Model(args) => runtime.block_on(model::model(&args, domain, quiet)),
        Command::Eval(args) => runtime.block_on(eval::eval(&args, domain, quiet)),
        Command::Score(args) => score::score(&args, domain),
        Command::Game(args) => runtime.block_on(game::game(&args, quiet)),
        Command::Worksheet(args) => worksheet::worksheet(&args),
        Command::Claims(args) => runtime.block_on(claims::claims(&args, domain, quiet)),
        Command::Play(args) => runtime.block_on(play::play(args, quiet)),
        Command::Doctor(args) => runtime.block_on(doctor::doctor(&args, domain, quiet)),
        Command::Prepare => runtime.block_on(prepare::prepare(domain, quiet)),
        Command::Worker => runtime.block_on(worker::worker()),
    };
    // Tasks that still run (such as a request to a silent server) are abandoned.
    runtime.shutdown_background();
    exit
}

impl Command {
    /// The session that it is about.
    fn session(&self) -> Option<&str> {
        match self {
            Command::Chat(args) => args.session.as_deref(),
            Command::Web(args) => args.session(),
            Command::Session(args) => args.session(),
            Command::Plan(args) => args.session(),
            _ => None,
        }
    }

    /// Whether it shows a session, for which no more than words of its domain are needed.
    fn only_shows(&self) -> bool {
        matches!(self, Command::Session(args) if args.only_shows())
    }
}

/// The domain of a session. One that is not there yet, or cannot be read, has the default one: its
/// command says so.
fn domain_of(session: &str, only_shows: bool, quiet: bool) -> Result<Arc<Domain>> {
    let store = SessionStore::of_user()?;
    let begin = match store.has(session) {
        Ok(true) => store.read(session).ok().and_then(|it| it.state.begin),
        _ => None,
    };
    let Some(folder) = begin.and_then(|begin| begin.domain) else {
        return named_domain(DEFAULT_DOMAIN, quiet);
    };
    if !folder.exists() && only_shows {
        return named_domain(DEFAULT_DOMAIN, quiet);
    }
    if !folder.exists() {
        return Err(Error::usage(format!(
            "the domain of the session {session} was {}, and nothing is there: name the folder where \
             it is now with --domain",
            folder.display()
        )));
    }
    folder::load(&folder, &Cache::of_user()?)
}

/// The domain that `--domain` names.
fn named_domain(name: &str, quiet: bool) -> Result<Arc<Domain>> {
    if game::is_game(name) {
        let (kinds, name) = game::kinds(name, quiet)?;
        return games::domain(&kinds, &name).map(Arc::new);
    }
    if folder::is_folder(name) {
        return folder::load(name.as_ref(), &Cache::of_user()?);
    }
    named(name).ok_or_else(|| {
        let known = domains();
        let names: Vec<&str> = known.iter().map(|domain| &*domain.name).collect();
        Error::usage(format!(
            "there is no domain {name:?}; choose one of: {}, or name a folder with a domain.toml, \
             as ./{name}",
            names.join(", ")
        ))
    })
}

/// Reports an error on standard error.
pub fn report(error: &Error) {
    if !terminal::is_closed(error.cause()) {
        if !error.output().is_empty() {
            terminal::complain("printed before that", &terminal::framed(error.output()));
        }
        terminal::complain("error", &error.to_string());
    }
}
