//! Evaluations: the client's function, or any model, on every turn of a dataset.

use super::Worker;
use super::asked::ClientModel;
use crate::agent::Assist;
use crate::dataset::{ExampleDialogues, Set, Split};
use crate::error::{Error, Result};
use crate::eval::baseline;
use crate::eval::candidate::{Candidate, ModelCandidate};
use crate::eval::log::{EvalMode, RunSettings, Shard};
use crate::eval::read::load;
use crate::eval::runner::{Examples, RunOptions, RunStop, Runner};
use crate::eval::score::{Bootstrap, Options, score};
use crate::llm::ModelSpec;
use crate::prompts::Form;
use crate::retrieval::{ExamplePool, Similarity};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::sync::Arc;

/// What is evaluated, and how. The names are those of the options of `eval run`.
#[derive(Debug, Deserialize)]
pub struct Evaluation {
    domain: Option<String>,
    /// `PROVIDER:NAME`, or a baseline; none where the client is the model.
    model: Option<String>,
    base_url: Option<String>,
    /// The client's name for its function, and the number by which it is asked.
    function: Option<Function>,
    out: PathBuf,
    #[serde(default)]
    resume: bool,
    dataset: Option<PathBuf>,
    examples: Option<PathBuf>,
    split: Option<Split>,
    mode: Option<EvalMode>,
    setting: Option<char>,
    k: Option<u32>,
    alpha: Option<f64>,
    temperature: Option<f32>,
    form: Option<Form>,
    assist: Option<String>,
    #[serde(default)]
    seed: u64,
    epochs: Option<u32>,
    limit: Option<usize>,
    shard: Option<Shard>,
    concurrency: Option<usize>,
    resamples: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct Function {
    name: String,
    number: u64,
}

impl Worker {
    pub(super) async fn evaluate(&self, wanted: Evaluation) -> Result<Json> {
        let known = self.domain(wanted.domain.as_deref()).await?;
        let domain = &known.domain;
        let (candidate, form) = self.candidate(&wanted)?;
        let dataset = wanted.dataset.clone();
        let dataset = dataset.unwrap_or_else(|| PathBuf::from(&*domain.teaching.dataset));
        let set = Set::read(&dataset, domain)?;
        let dialogues = ExampleDialogues::choose(wanted.examples.as_deref(), &set)?;
        let similarity = Similarity::default();
        let pool = ExamplePool::compared_by(&similarity, &dialogues.transcripts(), domain)?;
        let examples = Examples {
            dialogues,
            pool: Arc::new(pool),
        };
        let plan = wanted.plan(form, similarity.name())?;
        let sandbox = known.engine().await?.clone();
        let mut runner = Runner::new(&set, &examples, candidate, sandbox, plan).await?;
        runner.concurrency = wanted.concurrency.unwrap_or(4);
        let (stop, watch) = (RunStop::default(), Arc::new(|_: &_| ()));
        let run = Arc::new(runner).run(&wanted.out, wanted.resume, stop, watch);
        let tally = run.await?;
        let unfinished = tally.failed.iter().map(|failed| {
            json!({
                "dialogue": failed.dialogue,
                "epoch": failed.epoch,
                "turn": failed.turn,
                "message": failed.message,
            })
        });
        Ok(json!({
            "out": wanted.out,
            "dialogues": tally.dialogues,
            "finished": tally.finished,
            "unfinished": unfinished.collect::<Vec<_>>(),
            "score": match tally.finished {
                0 => Json::Null,
                _ => scored(&wanted, domain)?,
            },
        }))
    }

    fn candidate(&self, wanted: &Evaluation) -> Result<(Arc<dyn Candidate>, Form)> {
        let form = wanted.form;
        let (candidate, own): (Arc<dyn Candidate>, Form) = match (&wanted.model, &wanted.function) {
            (None, Some(function)) => {
                let model = ClientModel {
                    name: function.name.clone(),
                    number: function.number,
                    asked: self.asked.clone(),
                };
                let candidate = ModelCandidate(Arc::new(model));
                (Arc::new(candidate), Form::default())
            }
            (Some(name), None) => match baseline::named(name) {
                Some(baseline) => (baseline, Form::default()),
                None => {
                    let spec = ModelSpec {
                        model: Some(name.clone()),
                        base_url: wanted.base_url.clone(),
                        config_file: None,
                    };
                    let choice = spec.resolve(&|name: &str| std::env::var(name).ok())?;
                    let form = choice.form();
                    (Arc::new(ModelCandidate(Arc::from(choice.open()?))), form)
                }
            },
            _ => {
                return Err(Error::usage("either a model or a function is evaluated"));
            }
        };
        Ok((candidate, form.unwrap_or(own)))
    }
}

impl Evaluation {
    fn plan(&self, form: Form, similarity: &str) -> Result<RunOptions> {
        let usual = RunSettings::default();
        let assist = match &self.assist {
            Some(text) => text.parse::<Assist>()?,
            None => Assist::default(),
        };
        Ok(RunOptions {
            mode: self.mode.unwrap_or(EvalMode::EndToEnd),
            settings: RunSettings {
                setting: self.setting.unwrap_or(usual.setting),
                k: self.k.unwrap_or(usual.k),
                alpha: self.alpha.unwrap_or(usual.alpha),
                similarity: similarity.to_owned(),
                temperature: self.temperature.unwrap_or(usual.temperature),
                seed: self.seed,
                form,
                assist: Some(assist),
                ..usual
            },
            split: self.split,
            epochs: self.epochs.unwrap_or(1),
            limit: self.limit,
            shard: self.shard,
        })
    }
}

/// The figures of the finished dialogues, as `score --json` prints them.
fn scored(wanted: &Evaluation, domain: &Arc<crate::domain::Domain>) -> Result<Json> {
    let log = load(&wanted.out, true)?;
    let options = Options {
        partial: true,
        bootstrap: Bootstrap {
            resamples: wanted.resamples.unwrap_or(1000),
            seed: wanted.seed,
        },
        domain: Some(domain.clone()),
    };
    let score = score(&log.run, &log.turns, &options).map_err(Error::usage)?;
    Ok(json!(score))
}
