//! `dialog2api model`: lists, downloads, serves and chooses models.

mod list;
mod pull;
mod ready;
mod serve;
mod test;
mod usual;

pub use ready::{Offer, choice, opened};

use super::Exit;
use crate::error::Result;
use clap::{Args, Subcommand};

/// The command's options.
#[derive(Debug, Args)]
pub struct ModelArgs {
    #[command(subcommand)]
    command: ModelCommand,
}

#[derive(Debug, Subcommand)]
enum ModelCommand {
    /// What is configured, what is on this machine, what runs here, and which is the default
    List(list::ListArgs),
    /// Make a model the default, in the config file
    Use(usual::UseArgs),
    /// Ask a model for one word: whether it answers, and how fast
    Test(test::TestArgs),
    /// Fetch a model: one to talk with, or minilm, which finds the examples for a prompt
    Pull(pull::PullArgs),
    /// Run a model on this machine until `model stop`, so that each chat finds it ready
    Serve(serve::ServeArgs),
    /// End the model that `model serve` runs
    Stop,
}

/// Runs the subcommand.
pub async fn model(args: &ModelArgs, quiet: bool) -> Result<Exit> {
    match &args.command {
        ModelCommand::List(args) => list::list(args).await,
        ModelCommand::Use(args) => usual::make_default(args, quiet),
        ModelCommand::Test(args) => test::test(args, quiet).await,
        ModelCommand::Pull(args) => pull::pull(args, quiet).await,
        ModelCommand::Serve(args) => serve::serve(args, quiet).await,
        ModelCommand::Stop => serve::stop(quiet).await,
    }
}
