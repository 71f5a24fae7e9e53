//! `dialog2api dataset`: annotated dialogues, for people and for other programs.

mod annotate;
mod check;
mod export;
mod generate;
mod import;
mod table;

use super::Exit;
use crate::domain::Domain;
use crate::error::Result;
use clap::{Args, Subcommand};
use std::sync::Arc;

/// The arguments of `dataset`.
#[derive(Debug, Args)]
#[command(after_help = GUIDE)]
pub struct DatasetArgs {
    #[command(subcommand)]
    command: DatasetCommand,
}

const GUIDE: &str = "\
How to make a dataset, and what a dialogue, a world and goals.toml contain:
src/documentation/own_dataset.md, \"A dataset of your own in twenty minutes\".";

#[derive(Debug, Subcommand)]
enum DatasetCommand {
    /// Find mistakes in a dataset, and print its figures
    Check(check::CheckArgs),
    /// Run dialogues, and record results, errors and signatures
    Annotate(annotate::AnnotateArgs),
    /// Make dialogues from a dataset's templates
    Generate(generate::GenerateArgs),
    /// Write dialogues as JSON Lines: rows, one for each turn, or chats for fine-tuning
    Export(export::ExportArgs),
    /// Write dialogue files from exported rows
    Import(import::ImportArgs),
}

/// Runs the subcommand.
pub async fn dataset(args: &DatasetArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    match &args.command {
        DatasetCommand::Check(args) => check::check(args, domain, quiet).await,
        DatasetCommand::Annotate(args) => annotate::annotate(args, domain, quiet).await,
        DatasetCommand::Generate(args) => generate::generate(args, domain, quiet).await,
        DatasetCommand::Export(args) => export::export(args, domain, quiet),
        DatasetCommand::Import(args) => import::import(args, quiet),
    }
}
