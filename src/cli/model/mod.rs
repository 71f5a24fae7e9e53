//! `dialog2api model`: files of models on this machine.

mod pull;

use super::Exit;
use crate::error::Result;
use clap::{Args, Subcommand};

/// What was typed.
#[derive(Debug, Args)]
pub struct ModelArgs {
    #[command(subcommand)]
    command: ModelCommand,
}

#[derive(Debug, Subcommand)]
enum ModelCommand {
    /// Fetch a model: minilm, which finds the examples for a prompt
    Pull(pull::PullArgs),
}

/// Does what was asked for.
pub async fn model(args: &ModelArgs, quiet: bool) -> Result<Exit> {
    match &args.command {
        ModelCommand::Pull(args) => pull::pull(args, quiet).await,
    }
}
