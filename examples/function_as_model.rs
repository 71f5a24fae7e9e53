//! Scores a function as if it were a model: it reads the prompt of each turn and answers with text.
//! `cargo run --locked --example function_as_model`.
//!
//! The figures are those of `dialog2api eval`. Here the function knows one sentence.
#![allow(clippy::print_stdout, reason = "it shows what it did")]

use async_trait::async_trait;
use dialog2api::dataset::{ExampleDialogues, Set, Split};
use dialog2api::domain::s3::S3;
use dialog2api::eval::candidate::ModelCandidate;
use dialog2api::eval::read::load;
use dialog2api::eval::runner::{Examples, RunOptions, RunStop, Runner};
use dialog2api::eval::score::{Options, score};
use dialog2api::exec::{Cache, Engine};
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::retrieval::ExamplePool;
use dialog2api::{Error, Result};
use std::{path::Path, sync::Arc};

/// A function from a prompt to an answer.
struct Function(fn(&str) -> String);

#[async_trait]
impl Model for Function {
    fn name(&self) -> &str {
        "function"
    }

    async fn complete(
        &self,
        request: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let prompt = request.messages.last().map_or("", |last| &last.content);
        Ok(Completion {
            text: (self.0)(prompt),
            finish: Some("stop".to_owned()),
            usage: Usage::default(),
        })
    }
}

/// It counts the buckets, whatever it is asked.
fn answer(prompt: &str) -> String {
    let program = "<goal uid=\"1\" status=\"final\"><program>\
                   return len(s3.list_buckets()['Buckets'])</program></goal>";
    match prompt.contains("<goal") {
        true => "<turn>Agent: I have counted them.</turn>".to_owned(),
        false => program.to_owned(),
    }
}

/// Runs the first dialogues of a dataset, and writes the run to a folder; answers with figures.
pub async fn evaluate(cache: &Cache, dataset: &Path, folder: &Path) -> Result<String> {
    let set = Set::read(dataset, &S3)?;
    let dialogues = ExampleDialogues::built_in(&S3)?;
    let pool = Arc::new(ExamplePool::new(&dialogues.transcripts(), &S3)?);
    let sandbox = Arc::new(Engine::prepare(&S3.api.client, cache, &mut |_| ()).await?);
    let wanted = RunOptions {
        split: Some(Split::Test),
        limit: Some(8),
        ..RunOptions::default()
    };
    let candidate = Arc::new(ModelCandidate(Arc::new(Function(answer))));
    let examples = Examples { dialogues, pool };
    let runner = Runner::new(&set, &examples, candidate, sandbox, wanted).await?;
    Arc::new(runner)
        .run(folder, false, RunStop::default(), Arc::new(|_| ()))
        .await?;
    let log = load(folder, false)?;
    let score = score(&log.run, &log.turns, &Options::default()).map_err(Error::usage)?;
    let figures = score.metrics.iter().filter_map(|figure| {
        let value = figure.value?;
        Some(format!("{} {value:.3}\n", figure.name))
    });
    Ok(figures.collect())
}

#[tokio::main]
async fn main() -> Result<()> {
    let folder = tempfile::tempdir().map_err(Error::file("cannot write", "a folder"))?;
    let dataset = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3-everyday");
    let run = folder.path().join("run");
    print!("{}", evaluate(&Cache::of_user()?, &dataset, &run).await?);
    Ok(())
}
