//! `dialog2api session`: works with the sessions on this machine.

mod export;
mod list;
mod moved;
mod replay;
mod show;
mod transcript_view;
mod undo;

use super::Exit;
use crate::domain::Domain;
use crate::error::Result;
use clap::{Args, Subcommand};
use std::sync::Arc;

/// The arguments of `session`.
#[derive(Debug, Args)]
#[command(after_help = "\
Sessions are kept in DIALOG2API_STATE_DIR, or else in the user's state folder
(~/.local/state/dialog2api).")]
pub struct SessionArgs {
    #[command(subcommand)]
    command: SessionCommand,
}

#[derive(Debug, Subcommand)]
enum SessionCommand {
    /// List all sessions, the latest one first
    List(list::ListArgs),
    /// Show the course of a session
    Show(show::ShowArgs),
    /// Write a session as a dialogue file, or its entries as JSON
    Export(export::ExportArgs),
    /// Undo the changes of a program in a session; they are shown first
    Undo(Box<undo::UndoArgs>),
    /// Take a session along with its world, after its folder or file was moved
    Move(moved::MoveArgs),
    /// Run the programs of a session again and compare the results
    Replay(replay::ReplayArgs),
}

impl SessionArgs {
    /// The session that it is about.
    pub fn session(&self) -> Option<&str> {
        match &self.command {
            SessionCommand::List(_) => None,
            SessionCommand::Show(args) => Some(&args.name),
            SessionCommand::Export(args) => Some(&args.name),
            SessionCommand::Undo(args) => Some(&args.name),
            SessionCommand::Move(args) => Some(&args.name),
            SessionCommand::Replay(args) => Some(&args.name),
        }
    }

    /// Whether it only shows a session.
    pub fn only_shows(&self) -> bool {
        matches!(
            self.command,
            SessionCommand::Show(_) | SessionCommand::Export(_)
        )
    }
}

/// Runs the subcommand.
pub async fn session(args: &SessionArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    match &args.command {
        SessionCommand::List(args) => list::list(args),
        SessionCommand::Show(args) => show::show(args, domain),
        SessionCommand::Export(args) => export::export(args, quiet),
        SessionCommand::Undo(args) => undo::undo(args, domain, quiet).await,
        SessionCommand::Move(args) => moved::take_along(args, domain),
        SessionCommand::Replay(args) => replay::replay(args, domain, quiet).await,
    }
}
