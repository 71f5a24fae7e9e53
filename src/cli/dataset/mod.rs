//! `dialog2api dataset`: dialogues with their truth, for people and for other programs.

mod annotate;
mod check;
mod export;
mod import;
mod table;

use super::Exit;
use crate::domain::Domain;
use crate::error::Result;
use clap::{Args, Subcommand};
use std::sync::Arc;

/// What was typed.
#[derive(Debug, Args)]
pub struct DatasetArgs {
    #[command(subcommand)]
    command: DatasetCommand,
}

#[derive(Debug, Subcommand)]
enum DatasetCommand {
    /// Find what is wrong with a dataset, and count what is in it
    Check(check::CheckArgs),
    /// Run dialogues, and fill in results, errors and signatures
    Annotate(annotate::AnnotateArgs),
    /// Write dialogues as JSON Lines: a row for each turn, or chats for fine-tuning
    Export(export::ExportArgs),
    /// Write the dialogue files that an export has as rows
    Import(import::ImportArgs),
}

/// Does what was asked for.
pub async fn dataset(args: &DatasetArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    match &args.command {
        DatasetCommand::Check(args) => check::check(args, domain, quiet).await,
        DatasetCommand::Annotate(args) => annotate::annotate(args, domain, quiet).await,
        DatasetCommand::Export(args) => export::export(args, domain, quiet),
        DatasetCommand::Import(args) => import::import(args, quiet),
    }
}
