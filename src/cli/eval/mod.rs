//! `dialog2api eval`: evaluates a model on a dataset.

mod bar;
mod compare;
mod export;
mod merge;
mod report;
mod run;

pub use report::page_of;
pub use run::assist_help;

use super::Exit;
use crate::domain::Domain;
use crate::error::Result;
use clap::{Args, Subcommand};
use std::sync::Arc;

/// The arguments of `eval`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct EvalArgs {
    #[command(subcommand)]
    command: Option<EvalCommand>,

    #[command(flatten)]
    run: run::RunArgs,
}

#[derive(Debug, Subcommand)]
enum EvalCommand {
    /// Run a model on a dataset and log every turn; `eval --model …` is the same
    Run(Box<run::RunArgs>),
    /// Merge the shards of a run
    Merge(merge::MergeArgs),
    /// Compare two runs: differences and their intervals
    Compare(compare::CompareArgs),
    /// Report on runs: one HTML file with figures, charts and every dialogue; or a table
    Report(report::ReportArgs),
    /// Write a run as a log of another program
    Export(export::ExportArgs),
}

/// Runs the subcommand.
pub async fn eval(args: &EvalArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    match &args.command {
        None => run::run(&args.run, domain, quiet).await,
        Some(EvalCommand::Run(args)) => run::run(args, domain, quiet).await,
        Some(EvalCommand::Merge(args)) => merge::merge(args, quiet),
        Some(EvalCommand::Compare(args)) => compare::compare(args, domain),
        Some(EvalCommand::Report(args)) => report::report(args, domain, quiet).await,
        Some(EvalCommand::Export(args)) => export::export(args, domain, quiet),
    }
}
