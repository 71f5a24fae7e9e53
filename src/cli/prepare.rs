//! `dialog2api prepare`, and the sandbox of the other commands.

use super::Exit;
use super::progress::Spinner;
use super::terminal;
use crate::domain::Domain;
use crate::error::Result;
use crate::exec::{Cache, Engine, Preparing};
use crate::service::prepared;

/// Prepares the sandbox and prints where it is.
pub async fn prepare(domain: &Domain, quiet: bool) -> Result<Exit> {
    let cache = Cache::of_user()?;
    let was_there = Engine::is_prepared(&domain.api.client, &cache)?;
    engine(domain, quiet).await?;
    if !quiet {
        let folder = cache.folder().display().to_string();
        let folder = terminal::clean(&folder);
        let does = match was_there {
            true => "was prepared before",
            false => "is prepared",
        };
        terminal::print(format_args!(
            "The sandbox of the domain {} {does}; it is in {folder}.\n",
            domain.name
        ))?;
    }
    Ok(Exit::Done)
}

/// The sandbox. Preparing it for the first time takes about a minute, which is announced.
pub async fn engine(domain: &Domain, quiet: bool) -> Result<Engine> {
    let spinner = Spinner::new(quiet);
    let mut announced = false;
    let mut progress = |step: Preparing| {
        if !std::mem::replace(&mut announced, true) {
            spinner
                .note("Preparing the Python sandbox. This happens once for each API, and takes about a minute.");
        }
        spinner.say(step.describe());
    };
    prepared(domain, &Cache::of_user()?, &mut progress).await
}
