//! `dialog2api session move`: takes a session along with its world, which was moved.

use crate::cli::Exit;
use crate::cli::options;
use crate::cli::terminal::{self, clean};
use crate::domain::Domain;
use crate::error::Result;
use crate::journal::SessionStore;
use crate::service::StoredSession;
use clap::Args;

/// The arguments of `session move`.
#[derive(Debug, Args)]
#[command(after_help = "\
For folders and files that were moved or renamed. Nothing in them is changed. A later undo
changes only places that are still as the session left them.")]
pub struct MoveArgs {
    /// The session
    pub(super) name: String,

    /// The folder or file in its new place
    world: String,
}

/// Binds the session to the new place of its world.
pub fn take_along(args: &MoveArgs, domain: &Domain) -> Result<Exit> {
    let session = StoredSession::find(SessionStore::of_user()?, Some(&args.name))?;
    let found = options::found(domain, &args.world)?;
    session.take_along(&args.world, found.identity.as_deref())?;
    let (name, world) = (clean(&args.name), clean(&args.world));
    terminal::print(format_args!("The session {name} goes on in {world}.\n"))?;
    Ok(Exit::Done)
}
