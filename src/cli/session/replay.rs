//! `dialog2api session replay`: runs the programs of a session again on a fresh world.

use crate::agent::{Layers, conduct};
use crate::cli::options::{found, identity};
use crate::cli::policy::of_journal;
use crate::cli::terminal::{self, BAD, BOLD, DIM, GOOD, Styled, clean};
use crate::cli::{Exit, prepare, show as words};
use crate::dialogue::Outcome;
use crate::domain::{Domain, WorldKind, counted};
use crate::error::{Error, Result};
use crate::exec::{Limits, Seed};
use crate::journal::{Replaying, Rerun, SessionStore};
use crate::service::own_world;
use clap::Args;
use std::fmt::Write;
use std::sync::Arc;

/// The arguments of `session replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
The programs run in memory, in a fresh copy of the world that the session started from. Their
changes are discarded. Declined plans are not carried out, plans that ended early are carried
out only as far as they got, and undone plans are undone again.")]
pub struct ReplayArgs {
    /// The session
    pub(super) name: String,
}

/// Replays a session and prints the result.
pub async fn replay(args: &ReplayArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let reading = SessionStore::of_user()?.read(&args.name)?;
    let begin = reading.state.begin.clone().unwrap_or_default();
    let spec = own_world(&begin, |name| identity(domain, name));
    let in_memory = |spec: &&str| {
        let found = found(domain, spec);
        found.is_ok_and(|found| found.kind == WorldKind::Memory)
    };
    let Some(spec) = spec.filter(in_memory) else {
        return Err(Error::usage(format!(
            "the session {} cannot be replayed: its world {} still has the session's changes, \
             and there is no fresh copy",
            args.name, begin.world
        )));
    };
    let world = domain.initial_world(spec)?;
    let engine = conduct::around(domain, Arc::new(prepare::engine(domain, quiet).await?));
    let replaying = Replaying {
        world,
        domain,
        guard: &held_to,
        contents: &reading.contents,
        sandbox: &*engine,
        limits: Limits::interactive(),
        seed: Seed::default(),
    };
    let reruns = replaying.run(&reading.lines).await?;
    let mut text = String::new();
    let mut differ = 0;
    for rerun in &reruns {
        let differences = rerun.differences();
        differ += usize::from(!differences.is_empty());
        if !quiet || !differences.is_empty() {
            push(&mut text, rerun, &differences);
        }
    }
    let programs = counted(reruns.len(), "program");
    let _ = match differ {
        0 => writeln!(text, "{programs}, all as in the session"),
        _ => writeln!(text, "{programs}, {differ} differ"),
    };
    terminal::print(text)?;
    Ok(match differ {
        0 => Exit::Done,
        _ => Exit::Findings,
    })
}

/// The layers with this policy among them.
fn held_to(policy: &str, layers: Layers) -> Result<Layers> {
    Ok(layers.held_to(Arc::new(of_journal(policy)?)))
}

fn push(text: &mut String, rerun: &Rerun, differences: &[&str]) {
    let name = format!("turn {}, goal {}", rerun.turn, rerun.was.uid);
    let (style, said) = match (&rerun.now, differences) {
        (None, _) => (DIM, "not carried out then, and not run".to_owned()),
        (Some(_), []) => (GOOD, "the same".to_owned()),
        (Some(_), differences) => (BAD, format!("another: {}", differences.join(", "))),
    };
    let _ = writeln!(text, "{}  {}", Styled(BOLD, name), Styled(style, said));
    if let (Some(now), [_, ..]) = (&rerun.now, differences) {
        let outcome = |outcome: &Outcome| match outcome {
            Outcome::Result(value) => words::json(value),
            Outcome::Error(error) => clean(&words::error(error)).into_owned(),
        };
        let _ = writeln!(text, "  then  {}", outcome(&rerun.was.execution.outcome));
        let _ = writeln!(text, "  now   {}", outcome(&now.execution.outcome));
    }
}
