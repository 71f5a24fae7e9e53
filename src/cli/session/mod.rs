//! `dialog2api session`: the sessions that are kept on this machine.

mod export;
mod list;
mod replay;
mod show;
mod transcript_view;
mod undo;

use super::Exit;
use crate::domain::Domain;
use crate::error::Result;
use clap::{Args, Subcommand};
use std::sync::Arc;

/// What was typed.
#[derive(Debug, Args)]
#[command(after_help = "\
Sessions are kept in DIALOG2API_STATE_DIR, or else where programs of the user keep what they
know from one run to the next (~/.local/state/dialog2api).")]
pub struct SessionArgs {
    #[command(subcommand)]
    command: SessionCommand,
}

#[derive(Debug, Subcommand)]
enum SessionCommand {
    /// The sessions there are, the last one first
    List(list::ListArgs),
    /// What happened in a session
    Show(show::ShowArgs),
    /// Write a session as a dialogue file, or its entries as JSON
    Export(export::ExportArgs),
    /// Take back what a program of a session did; what that changes is shown before
    Undo(Box<undo::UndoArgs>),
    /// Run the programs of a session again, and compare what they do
    Replay(replay::ReplayArgs),
}

/// Does what was asked for.
pub async fn session(args: &SessionArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    match &args.command {
        SessionCommand::List(args) => list::list(args),
        SessionCommand::Show(args) => show::show(args),
        SessionCommand::Export(args) => export::export(args, quiet),
        SessionCommand::Undo(args) => undo::undo(args, domain, quiet).await,
        SessionCommand::Replay(args) => replay::replay(args, domain, quiet).await,
    }
}
