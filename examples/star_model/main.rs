//! A model reads what the users of STAR say, the agenda decides what comes of it, and that is
//! scored: `cargo run --locked --example star_model -- FOLDER bank --model local:NAME`.
//!
//! FOLDER is the one of `cargo run -p worksheets --example star`, which parses by the record.
#![allow(clippy::print_stdout, reason = "it shows what it did")]

pub mod prompts;
pub mod run;

use clap::Parser;
use dialog2api::exec::Cache;
use dialog2api::llm::{ModelSpec, ResponseCache, open};
use dialog2api::{Error, Result};
use run::{Asker, Wanted, score};
use std::path::PathBuf;
use std::sync::Arc;
use worksheets::star::{Protocol, StarDialogue, StarTask};

/// Scores a model that parses what the users of STAR say, beside the parses of the record.
#[derive(Parser)]
struct Args {
    /// The folder with bank.jsonl, trip.jsonl and trivia.jsonl
    folder: PathBuf,
    /// bank, trip or trivia
    #[arg(value_parser = task)]
    task: StarTask,
    /// The model, as `dialog2api chat` takes it
    #[arg(long)]
    model: Option<String>,
    /// The address of its server
    #[arg(long)]
    base_url: Option<String>,
    /// own: the agent's state, from turn to turn; gold: made anew from the record before each turn
    #[arg(long, default_value = "own", value_parser = protocol)]
    state: Protocol,
    /// The most dialogues that are played
    #[arg(long)]
    limit: Option<usize>,
    /// Draws the dialogues of the examples, and the order of the others
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// A file that keeps answers, so that no request is sent twice
    #[arg(long)]
    cache: Option<PathBuf>,
}

fn task(name: &str) -> std::result::Result<StarTask, String> {
    let mut all = StarTask::ALL.into_iter();
    let known = all.find(|task| task.name() == name);
    known.ok_or_else(|| "it is bank, trip or trivia".to_owned())
}

fn protocol(name: &str) -> std::result::Result<Protocol, String> {
    match name {
        "own" => Ok(Protocol::Own),
        "gold" => Ok(Protocol::Gold),
        _ => Err("it is own or gold".to_owned()),
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let path = args.folder.join(format!("{}.jsonl", args.task.name()));
    let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
    let dialogues =
        StarDialogue::read(&text).map_err(|problem| Error::Content { path, problem })?;
    let model = open(&ModelSpec {
        model: args.model,
        base_url: args.base_url,
        config_file: None,
    })?;
    let answers = args.cache.map(ResponseCache::open).transpose()?;
    let mut asker = Asker::new(Arc::from(model), answers.map(Arc::new));
    let wanted = Wanted {
        task: args.task,
        protocol: args.state,
        limit: args.limit,
        seed: args.seed,
    };
    let scored = score(&wanted, dialogues, &mut asker, &Cache::of_user()?).await?;
    println!("{scored}  {asker}");
    Ok(())
}
