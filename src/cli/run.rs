//! `dialog2api run`: runs one program in the sandbox.

mod lost;
mod report;

use super::export;
use super::options::{self, WorldChoice, WorldOptions};
use super::policy::PolicyOptions;
use super::progress::Spinner;
use super::stop::Signals;
use super::terminal;
use super::world::sign;
use super::{Exit, prepare};
use crate::agent::{Layers, ProgramTime, conduct};
use crate::dialogue::Outcome;
use crate::domain::{Domain, World};
use crate::error::{Error, Interrupted, Result};
use crate::exec::{Execution, Limits, Printed, Seed};
use crate::plan::{Draft, planning};
use crate::policy::{AskAbove, Mode};
use clap::Args;
use jiff::Timestamp;
use report::{Report, Signed, human};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The program: a Python module that can use `s3`; `return` at its top gives the result.
    /// `-` reads standard input
    program: PathBuf,

    #[command(flatten)]
    world: WorldOptions,

    /// Change nothing: list what the program would create, overwrite and delete, instead
    /// of writing it to the world
    #[arg(long)]
    overlay: bool,

    #[command(flatten)]
    policy: PolicyOptions,

    /// With --overlay: write the files by which S3 Batch Operations and the AWS command line make
    /// the changes into this folder, which is made and must not exist
    #[arg(long, value_name = "DIR", requires = "overlay")]
    manifest: Option<PathBuf>,

    /// On a server: never stop the program for what it lists and reads. By default it is
    /// stopped at the policy's `ask_above`, unless it has already written something
    #[arg(long)]
    expensive: bool,

    /// The time that it has when it starts, in a world that has the machine's:
    /// 2026-11-28T07:00:00Z [default: the machine's, which goes on while it runs]
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,

    /// How long it may run, without the time in which it waits for a server: 1s, 500ms
    #[arg(long, value_name = "TIME", value_parser = options::duration, default_value = "30s")]
    deadline: Duration,

    /// How much work it may do, in steps of the interpreter's machine code
    #[arg(long, value_name = "STEPS", value_parser = options::count)]
    fuel: Option<u64>,

    /// How much memory it may use: 256MiB
    #[arg(long, value_name = "SIZE", value_parser = options::size, default_value = "256MiB")]
    memory: usize,

    /// One JSON object: result, error, signature (null where it was not computed), calls,
    /// elapsed (seconds), output; with --overlay, changes; unread, if a listing has more than
    /// was read of it; writes, if the program did not come to its end because the world failed
    /// or Ctrl-C stopped it
    #[arg(long)]
    json: bool,
}

/// Why a program that was stopped has no result.
const STOPPED: &str = "the program was stopped from outside before its end";

/// Runs the program and prints its result.
pub async fn run(args: &RunArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let limits = Limits {
        deadline: args.deadline,
        fuel: args.fuel.unwrap_or(Limits::default().fuel),
        memory: args.memory,
        ..Limits::interactive()
    };
    let domain = &args.world.adapted(domain)?;
    args.policy.refuse_questions()?;
    let policy = Arc::new(args.policy.of_program(domain)?);
    let program = read(&args.program, limits.program_bytes)?;
    let spinner = Arc::new(Spinner::new(quiet));
    let choice = args.world.choice(domain)?;
    let overlay = match args.overlay {
        true => Some(choice.open_under_overlay(&spinner).await?),
        false => None,
    };
    let world: Arc<dyn World> = match &overlay {
        Some(overlay) => overlay.clone(),
        None => {
            // What may not be written is not made either.
            let existing = policy.mode == Mode::ReadOnly;
            choice.open_for_program(existing, &spinner).await?
        }
    };
    // What is written is known with the marks of its places.
    let draft = match (&args.manifest, &overlay) {
        (Some(folder), Some(_)) => {
            export::check(export::MANIFEST, folder)?;
            Some(Draft::of(&world, domain)?)
        }
        _ => None,
    };
    let ran_on = draft
        .clone()
        .map_or_else(|| world.clone(), |draft| draft as Arc<dyn World>);
    // Kept beside the run, which Ctrl-C drops.
    let printed = Printed::up_to(limits.output_bytes);
    let engine = prepare::engine(domain, quiet).await?;
    let engine = conduct::around(domain, Arc::new(engine.printing_to(&printed)));
    let most = match args.expensive {
        true => AskAbove::NEVER,
        false => policy.ask_above,
    };
    let (time, seed) = timed(&ran_on, args.now)?;
    let layered = Layers::over(&ran_on, domain)
        .noting_listings()
        .held_to(policy)
        .timed(time)
        .within(most, args.overlay)
        .witnessed()
        .build();
    let mut signals = Signals::new()?;
    let ran = tokio::select! {
        biased;
        () = signals.wait() => Err(Error::world(STOPPED.to_owned())),
        ran = engine.run(&program, &layered.world, &limits, &seed) => ran,
    };
    if let Some(costly) = (layered.allowance).and_then(|allowance| allowance.costly()) {
        let error = Error::usage(format!(
            "the program was stopped before it costs more: {costly}. It has written nothing. With \
             --expensive it runs to its end; `ask_above` in a policy sets when it is stopped"
        ));
        return Err(Error::Interrupted(Box::new(Interrupted {
            error,
            output: printed.text(),
            calls: Vec::new(),
        })));
    }
    let done = match ran {
        Ok(done) => done,
        Err(error) => {
            let output = printed.text();
            let calls = layered
                .witness
                .map_or(Vec::new(), |witness| witness.calls());
            return Err(lost::lost(error, &output, &calls, domain, args)?);
        }
    };
    if let (Some(folder), Some(draft)) = (&args.manifest, &draft) {
        export::repeat(&*world, &draft.writes()).await?;
        if !done.outcome.is_error() {
            let files = planning(domain)?.export(&draft.writes()).map_err(|why| {
                let option = export::MANIFEST;
                Error::usage(format!("{option}: nothing was written, because {why}"))
            })?;
            spinner.note(&export::write(&files, folder)?);
        }
    }
    let unread = match done.outcome.is_error() {
        // The listings of a program that failed have led to no result.
        true => Vec::new(),
        false => (layered.listings).map_or(Vec::new(), |listings| listings.unread()),
    };
    // On a server every object would be read for it, which the program may never have looked at.
    let signature = match choice.found.is_signed {
        true => signed(&choice, &*world, &done.outcome, &spinner).await,
        false => Ok(Signed::NotComputed),
    };
    let shown = signature.as_ref().unwrap_or(&Signed::NotKnown);
    let changes = overlay.as_ref().map(|overlay| overlay.overlay_changes());
    match args.json {
        true => terminal::print_json(&Report::new(&done, changes, shown.digits(), unread))?,
        false => {
            terminal::print(human(&done, changes.as_deref(), shown))?;
            for sentence in &unread {
                spinner.note(sentence);
            }
            if let Some(sentence) = left_behind(&done, domain).filter(|_| !args.overlay) {
                spinner.note(&sentence);
            }
        }
    }
    Ok(match (done.outcome, signature?) {
        (Outcome::Error(_), _) => Exit::ProgramError,
        // Whoever asked for the signature by a script sees that there is none.
        (Outcome::Result(_), Signed::NotKnown) => Exit::Failed,
        (Outcome::Result(_), Signed::As(_) | Signed::NotComputed) => Exit::Done,
    })
}

/// What a program that failed has written, which stays: `run` has no plan.
fn left_behind(done: &Execution, domain: &Domain) -> Option<String> {
    let calls = done.calls.iter().filter(|call| call.error.is_none());
    let writes = calls.filter(|call| domain.writes(&call.operation)).count();
    match (done.outcome.is_error(), writes) {
        (false, _) | (true, 0) => None,
        (true, 1) => Some("The program made 1 write before it ended, and it stays.".to_owned()),
        (true, _) => Some(format!(
            "The program made {writes} writes before it ended, and they stay."
        )),
    }
}

/// The time that the program has in a world, and the seed.
fn timed(world: &Arc<dyn World>, now: Option<Timestamp>) -> Result<(ProgramTime, Seed)> {
    let at = |now| Seed {
        now,
        ..Seed::default()
    };
    Ok(match (world.own_time(), now) {
        (Some(own), None) => (ProgramTime::OfWorld, at(own)),
        (Some(own), Some(_)) => {
            return Err(Error::usage(format!(
                "--now is for a world that has the machine's time, and {} has its own: {own}",
                world.describe()
            )));
        }
        (None, Some(now)) => {
            world.hold_time(now);
            (ProgramTime::OfWorld, at(now))
        }
        (None, None) => {
            let now = Timestamp::now();
            world.hold_time(now);
            (ProgramTime::OfMachine, at(now))
        }
    })
}

/// The signature after the program. Reading it takes long on a server: Ctrl-C ends that instead
/// of the process, and then there is none.
async fn signed(
    choice: &WorldChoice,
    world: &dyn World,
    outcome: &Outcome,
    spinner: &Spinner,
) -> Result<Signed> {
    let reading = sign(choice, world, [outcome], spinner);
    let Ok(mut signals) = Signals::new() else {
        return reading.await.map(Signed::As);
    };
    tokio::select! {
        biased;
        signature = reading => signature.map(Signed::As),
        () = signals.wait() => {
            spinner.done();
            spinner.note("Stopped while the world was read for its signature.");
            Ok(Signed::NotKnown)
        }
    }
}

/// Reads the program. If it is longer than the limit, the rest is not read, since the
/// sandbox refuses it anyway.
fn read(path: &Path, limit: usize) -> Result<String> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = match path == Path::new("-") {
        true => std::io::stdin().lock().take(most).read_to_end(&mut bytes),
        false => std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(Error::file("cannot read the program", path))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        // The text was cut within a character. It is too long in any case.
        Err(error) if error.as_bytes().len() > limit => {
            Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
        }
        Err(_) => Err(Error::Content {
            path: path.to_owned(),
            problem: "is not UTF-8 text; a Python program was expected".to_owned(),
        }),
    }
}
