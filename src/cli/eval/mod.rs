//! `dialog2api eval`: what a model does on a dataset, and the figures.

mod bar;
mod compare;
mod export;
mod merge;
mod report;
mod run;

use super::Exit;
use crate::domain::Domain;
use crate::error::Result;
use clap::{Args, Subcommand};
use std::sync::Arc;

/// What was typed.
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
    /// Join the shards of a run to one
    Merge(merge::MergeArgs),
    /// Set two runs beside each other: differences and their intervals
    Compare(compare::CompareArgs),
    /// Show runs: one HTML file with figures, charts and every dialogue; or a table
    Report(report::ReportArgs),
    /// Write a run as the log of another program
    Export(export::ExportArgs),
}

/// Does what was asked for.
pub async fn eval(args: &EvalArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    match &args.command {
        None => run::run(&args.run, domain, quiet).await,
        Some(EvalCommand::Run(args)) => run::run(args, domain, quiet).await,
        Some(EvalCommand::Merge(args)) => merge::merge(args, quiet),
        Some(EvalCommand::Compare(args)) => compare::compare(args),
        Some(EvalCommand::Report(args)) => report::report(args, domain, quiet).await,
        Some(EvalCommand::Export(args)) => export::export(args, quiet),
    }
}
