//! `dialog2api replay`: runs recorded dialogues again and compares them with their
//! records.
//!
//! `show.rs` shows dialogues to a person, `report.rs` reports them to a script, and `verify.rs` only
//! compares.

mod report;
mod show;
mod verify;

use super::options::{WorldChoice, WorldOptions};
use super::progress::Spinner;
use super::stop::Signals;
use super::{Exit, game, prepare, show as words, terminal};
use crate::dataset::{Dialogue, EmptyAccount, InitialWorlds, Replayer, files};
use crate::domain::{Domain, World};
use crate::error::{Error, Result};
use clap::Args;
use decision_games::Rules;
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The arguments of `replay`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAINED)]
#[command(mut_arg("world", |world| world.help(WORLD)))]
pub struct ReplayArgs {
    /// Dialogues (FILE.xml), folders of them, or a whole dataset: datasets/s3; or recorded games
    /// (games.jsonl), or folders with them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Wait for Enter after each turn
    #[arg(long, conflicts_with = "json")]
    step: bool,

    /// Print JSON Lines, one object per dialogue: path, uid, world, matches, programs,
    /// differences, signature, turns
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    world: WorldOptions,
}

const WORLD: &str = "Start every dialogue from this world: zoology, empty, a description \
(FILE.toml), or a folder (DIR), which is read but not changed; or replay on s3, the account in \
the AWS configuration [default: the world that the dialogue names, in memory]";

const EXPLAINED: &str = "\
Every turn is shown: the utterance, the programs that it changed, their results, their
changes to the world, and whether the signature equals the recorded one. With --quiet, only
the dialogues that differ are shown, each with its first difference, and a last line.

A dialogue starts from the world that it names: the description of that name in the folder
worlds of its dataset, or the built-in one. --world chooses another world. The dialogue runs
in memory, and its changes are discarded.

With --endpoint-url or --world s3 it runs on a real S3. The account must be empty: the world
of each dialogue is copied to it before the dialogue, and everything is deleted after it.";

/// The sandbox and the worlds of a replay.
struct ReplaySetup {
    domain: Arc<Domain>,
    replayer: Replayer,
    worlds: InitialWorlds,
    /// The account on a server, if the replay is not in memory.
    server: Option<EmptyAccount>,
}

impl ReplaySetup {
    /// The world that a dialogue starts from.
    async fn world(&self, dialogue: &Dialogue) -> Result<Arc<dyn World>> {
        let initial = self.worlds.of(dialogue)?;
        match &self.server {
            None => Ok(initial),
            Some(server) => server.starting_from(&*initial).await,
        }
    }
}

/// The counts of the last line.
#[derive(Default)]
struct Tally {
    dialogues: usize,
    programs: usize,
    /// Dialogues that differ from their record.
    differ: usize,
    /// Dialogues that differ only in error messages.
    messages: usize,
    /// Files that are not dialogues, and dialogues that could not be replayed.
    failed: usize,
}

/// Replays the dialogues, and prints whether they match their records.
pub async fn replay(args: &ReplayArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let started = Instant::now();
    if let Some(games) = game::files(&args.paths)? {
        return game::replay(&games, Rules::default(), args.json, quiet);
    }
    let choice = args.world.choice(domain)?;
    check(args, domain, &choice, quiet)?;
    let spinner = Arc::new(Spinner::new(quiet));
    let (worlds, server) = if choice.is_remote() {
        let account = choice.open(true, &spinner).await?.world;
        let server = EmptyAccount::take(domain, account).await?;
        (InitialWorlds::new(domain), Some(server))
    } else if choice.is_named() {
        (InitialWorlds::all_from(domain, &choice.found.name), None)
    } else {
        (InitialWorlds::new(domain), None)
    };
    let mut tally = Tally::default();
    let mut dialogues = read(&args.paths, &mut tally);
    if server.is_some() {
        // If consecutive dialogues start from the same world, less has to be changed
        // between them.
        dialogues.sort_by(|one, other| one.world().cmp(&other.world()));
    }
    spinner.done();
    let setup = Arc::new(ReplaySetup {
        domain: domain.clone(),
        replayer: Replayer::new(Arc::new(prepare::engine(domain, quiet).await?), domain),
        worlds,
        server,
    });
    let work = async {
        match (args.json, quiet) {
            (true, _) => report::all(&setup, dialogues, &mut tally).await,
            (false, true) => verify::all(&setup, dialogues, &mut tally).await,
            (false, false) => show::all(&setup, &dialogues, args.step, &mut tally).await,
        }
    };
    match &setup.server {
        None if args.step => until_stopped(work).await?,
        None => work.await?,
        Some(server) => on_server(work, server, &spinner).await?,
    }
    if !args.json {
        let elapsed = words::elapsed(started.elapsed());
        terminal::print(format_args!("{}, {elapsed}\n", tally.line()))?;
    }
    Ok(match (tally.failed, tally.differ) {
        (0, 0) => Exit::Done,
        (0, _) => Exit::Findings,
        _ => Exit::Failed,
    })
}

/// Runs `work` until it ends or the user stops it. Whoever is told that Ctrl-C ends it must not
/// depend on what the signal does by itself: a background job of a shell script ignores it.
async fn until_stopped(work: impl Future<Output = Result<()>>) -> Result<()> {
    let mut stop = Signals::new()?;
    tokio::select! {
        biased;
        () = stop.wait() => Err(Error::world("stopped before the end")),
        done = work => done,
    }
}

/// Runs `work` and then empties the account, even if it fails or the user stops it.
async fn on_server(
    work: impl Future<Output = Result<()>>,
    server: &EmptyAccount,
    spinner: &Spinner,
) -> Result<()> {
    let done = until_stopped(work).await;
    spinner.say("deleting what the replay left on the server");
    let emptied = server.empty().await;
    spinner.done();
    match (done, emptied) {
        (done, Ok(())) => done,
        (Ok(()), Err(left)) => Err(left),
        (Err(error), Err(left)) => Err(Error::world(format!("{error}; and {left}"))),
    }
}

/// Refuses options that contradict each other.
fn check(args: &ReplayArgs, domain: &Domain, choice: &WorldChoice, quiet: bool) -> Result<()> {
    // The server of an API: no world can be put there, and the domain says so.
    if choice.is_remote() && domain.contents().is_err() {
        domain.initial_world(&choice.found.name)?;
    }
    if choice.found.blind_spots.is_some() {
        return Err(Error::usage(
            "dialogues record signatures of contents, which --signature etag does not read: \
             leave it out",
        ));
    }
    if !args.step {
        return Ok(());
    }
    if quiet {
        return Err(Error::usage(
            "--step waits after each turn, and --quiet shows none: use one of them",
        ));
    }
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        Ok(())
    } else {
        Err(Error::usage(
            "--step waits for Enter, and there is no terminal: leave it out",
        ))
    }
}

/// Reads the dialogues, each file once. Files that cannot be read are reported and counted.
fn read(paths: &[PathBuf], tally: &mut Tally) -> Vec<Dialogue> {
    let (mut dialogues, mut seen) = (Vec::new(), BTreeSet::new());
    for path in paths {
        let found = files(path).unwrap_or_else(|error| {
            tally.fail(&error);
            Vec::new()
        });
        for file in found {
            let once = file.canonicalize().unwrap_or_else(|_| file.clone());
            if !seen.insert(once) {
                continue;
            }
            match Dialogue::read(&file) {
                Ok(dialogue) => dialogues.push(dialogue),
                Err(error) => tally.fail(&error),
            }
        }
    }
    dialogues
}

impl Tally {
    /// Reports a dialogue that could not be replayed.
    fn fail(&mut self, error: &Error) {
        self.failed += 1;
        terminal::complain("error", &error.to_string());
    }

    fn line(&self) -> String {
        let count = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            _ => format!("{n} {what}s"),
        };
        let mut parts = vec![
            count(self.dialogues, "dialogue"),
            count(self.programs, "program"),
        ];
        let notes = [
            (self.differ, "differ"),
            (self.failed, "could not be replayed"),
        ];
        let notes = notes.iter().filter(|(n, _)| *n > 0);
        let notes: Vec<String> = notes.map(|(n, what)| format!("{n} {what}")).collect();
        if notes.is_empty() {
            parts.push("all match".to_owned());
        } else {
            parts.extend(notes);
        }
        if self.messages > 0 {
            parts.push(format!("{} with another message", self.messages));
        }
        parts.join(", ")
    }
}
