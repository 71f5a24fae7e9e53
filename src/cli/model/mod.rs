//! `dialog2api model`: lists, downloads, serves and chooses models.

mod list;
mod offer;
mod pull;
mod serve;
mod set_default;
mod test;

pub use offer::{Offer, choice, opened, unconfigured};

use super::Exit;
use crate::domain::Domain;
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
    /// List configured models, models and servers on this machine, and the default model
    List(list::ListArgs),
    /// Make a model the default, in the config file
    Use(set_default::UseArgs),
    /// Send a model a short request: shows whether it answers, and how fast
    Test(test::TestArgs),
    /// Download a model: one for dialogues, or minilm, which finds the examples for a
    /// prompt
    Pull(pull::PullArgs),
    /// Run a model on this machine until `model stop`, so that it is ready for every chat
    Serve(serve::ServeArgs),
    /// Stop the model that `model serve` runs
    Stop,
}

/// Runs the subcommand.
pub async fn model(args: &ModelArgs, domain: &Domain, quiet: bool) -> Result<Exit> {
    match &args.command {
        ModelCommand::List(args) => list::list(args, domain).await,
        ModelCommand::Use(args) => set_default::make_default(args, quiet),
        ModelCommand::Test(args) => test::test(args, domain, quiet).await,
        ModelCommand::Pull(args) => pull::pull(args, domain, quiet).await,
        ModelCommand::Serve(args) => serve::serve(args, domain, quiet).await,
        ModelCommand::Stop => serve::stop(quiet).await,
    }
}
