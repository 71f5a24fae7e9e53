//! `dialog2api eval merge`.

use crate::cli::Exit;
use crate::cli::progress::Spinner;
use crate::domain::counted;
use crate::error::Result;
use crate::eval::{merge as join, read, reward};
use clap::Args;
use std::path::PathBuf;

/// The arguments of `eval merge`.
#[derive(Debug, Args)]
#[command(after_help = "\
The folder is identical to that of a single run without --shard. The exit code is 1 if there \
are unfinished dialogues because their provider failed.")]
pub struct MergeArgs {
    /// The folder to write; it must be new
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The folders of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
}

/// Merges the shards.
pub fn merge(args: &MergeArgs, quiet: bool) -> Result<Exit> {
    if args
        .folders
        .first()
        .is_some_and(|folder| reward::is_run(folder))
    {
        let whole = reward::merge(&args.out, &args.folders)?;
        let (shards, out) = (counted(args.folders.len(), "shard"), args.out.display());
        let units = counted(whole.games.units, "unit");
        Spinner::new(quiet).note(&format!("{out}: {shards} joined; {units}"));
        return Ok(Exit::Done);
    }
    join::merge(&args.out, &args.folders)?;
    let completeness = read::read(&args.out)?.completeness;
    let (shards, out) = (counted(args.folders.len(), "shard"), args.out.display());
    Spinner::new(quiet).note(&format!("{out}: {shards} joined; {completeness}"));
    Ok(if completeness.is_complete() {
        Exit::Done
    } else {
        Exit::Failed
    })
}
