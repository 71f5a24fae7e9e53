//! `dialog2api claims`: what the reply of any bot claims about rows, and whether it is so.

mod judged;
mod score;
mod simulate;

use super::options::ModelOptions;
use super::{Exit, terminal};
use crate::domain::Domain;
use crate::error::{Error, Result};
use clap::{Args, Subcommand};
use judged::JudgeOptions;
use serde_json::Value as Json;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `claims`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    subcommand_negates_reqs = true
)]
pub struct ClaimsArgs {
    #[command(subcommand)]
    command: Option<ClaimsCommand>,

    #[command(flatten)]
    check: CheckArgs,
}

#[derive(Debug, Subcommand)]
enum ClaimsCommand {
    /// Let simulated users talk with an assistant about rows, and check its replies
    Simulate(Box<simulate::SimulateArgs>),
    /// The figures of simulated dialogues, or the differences of two runs
    Score(score::ScoreArgs),
}

/// What is checked, and by which rows.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// What the knowledge base has: JSON Lines, one row a line, each with a name
    #[arg(long, value_name = "FILE", required = true)]
    rows: Option<PathBuf>,

    /// The reply: a file. `-` reads standard input
    #[arg(long, value_name = "FILE", required_unless_present = "judge")]
    reply: Option<PathBuf>,

    /// Lets a model judge turns, and compares it with the checker: JSON Lines, each with `user`
    /// and `reply`
    #[arg(long, value_name = "FILE", conflicts_with = "reply")]
    judge: Option<PathBuf>,

    /// What the rows are about: key, slots and their words, as TOML or JSON [default: restaurants]
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// The language of the reply: en, de or it
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    language: String,

    #[command(flatten)]
    judging: JudgeOptions,

    #[command(flatten)]
    model: ModelOptions,
}

/// Runs the subcommand, or checks a reply.
pub async fn claims(args: &ClaimsArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    match &args.command {
        Some(ClaimsCommand::Simulate(args)) => simulate::simulate(args, domain, quiet).await,
        Some(ClaimsCommand::Score(args)) => score::score(args),
        None => check(&args.check, domain, quiet).await,
    }
}

impl CheckArgs {
    /// The content of the file of rows.
    fn rows(&self) -> Result<Vec<u8>> {
        let missing = || Error::usage("--rows is needed");
        read(self.rows.as_deref().ok_or_else(missing)?)
    }
}

/// Prints the claims of a reply as JSON. A false or incomplete one is a finding.
async fn check(args: &CheckArgs, domain: &Domain, quiet: bool) -> Result<Exit> {
    match (&args.reply, &args.judge) {
        (_, Some(turns)) => judged::judged(args, turns, domain, quiet).await,
        (Some(_), None) if let Some(option) = args.judging.named() => Err(Error::usage(format!(
            "{option} says how a model judges: name the turns that it judges with --judge FILE"
        ))),
        (Some(reply), None) => checked(args, reply),
        (None, None) => Err(Error::usage("--reply or --judge is needed")),
    }
}

fn report(args: &CheckArgs, rows: &[u8], reply: &[u8]) -> Result<Json> {
    let report = match &args.schema {
        None => typed_claims::report(rows, reply, &args.language),
        Some(schema) => typed_claims::report_with(rows, reply, &args.language, &read(schema)?),
    };
    let report = report.map_err(|error| Error::usage(error.to_string()))?;
    serde_json::from_slice(&report).map_err(Error::bug("the claims cannot be written as JSON"))
}

fn checked(args: &CheckArgs, reply: &Path) -> Result<Exit> {
    let is_input = |path: &Path| path == Path::new("-");
    if is_input(reply) && args.rows.as_deref().is_some_and(is_input) {
        return Err(Error::usage(
            "--rows and --reply cannot both read standard input: name a file for one",
        ));
    }
    let report = report(args, &args.rows()?, &read(reply)?)?;
    terminal::print_json(&report)?;
    let claims = report["claims"].as_array();
    let is_wrong = |claim: &Json| matches!(claim["verdict"].as_str(), Some("false" | "incomplete"));
    Ok(
        match claims.is_some_and(|claims| claims.iter().any(is_wrong)) {
            true => Exit::Findings,
            false => Exit::Done,
        },
    )
}

fn read(path: &Path) -> Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        return read
            .map(|_| bytes)
            .map_err(Error::file("cannot read", "standard input"));
    }
    std::fs::read(path).map_err(Error::file("cannot read", path))
}
