//! `dialog2api eval run`: runs a model on every turn of a dataset.

use super::bar::Bar;
use crate::agent::{Assist, aids};
use crate::cli::options::{self, ModelOptions};
use crate::cli::progress::Spinner;
use crate::cli::prompting::PromptOptions;
use crate::cli::similarity::SimilarityOptions;
use crate::cli::stop::until_stopped;
use crate::cli::{Exit, prepare, terminal};
use crate::dataset::{BUILT_IN, ExampleDialogues, Set, Split};
use crate::domain::{Domain, counted, plural};
use crate::error::{Error, FailureReason, Result};
use crate::eval::baseline;
use crate::eval::candidate::{Candidate, ModelCandidate};
use crate::eval::log::{EvalMode, RunSettings, Shard};
use crate::eval::read::load;
use crate::eval::runner::{Examples, RunOptions, RunProgress, RunStop, Runner};
use crate::eval::score::{Bootstrap, Options, Score, score};
use crate::llm::{CutPrompt, Model};
use crate::prompts::Form;
use crate::retrieval::{ExamplePool, Similarity};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `eval run`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAINED)]
pub struct RunArgs {
    #[command(flatten)]
    model: ModelOptions,

    /// The folder for the log: a new one, or with --resume the folder of a run
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Continue the run in --out where it stopped, or start it if there is none
    #[arg(long)]
    resume: bool,

    /// The part to evaluate: train, test or all
    #[arg(long, value_name = "PART", default_value = "test", value_parser = split)]
    split: SplitChoice,

    /// The source of a turn's past
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    mode: ModeOption,

    /// The contents of a prompt: a (API document), b (examples) or c (both)
    #[arg(long, value_name = "SETTING", default_value = "c", value_parser = ["a", "b", "c"])]
    setting: String,

    #[command(flatten)]
    prompting: PromptOptions,

    /// The weight of the utterances, relative to the stack, when examples are compared
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, value_parser = weight)]
    alpha: f64,

    /// The sampling temperature; 0 is greedy decoding
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = options::temperature)]
    temperature: f32,

    /// The aids for the model: none, usual, all, or a list
    #[arg(long, value_name = "AIDS", default_value = "usual")]
    #[arg(long_help = assist_help())]
    #[arg(value_parser = |text: &str| text.parse::<Assist>())]
    assist: Assist,

    /// The random seed of programs, sampling and baselines
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How often to run every dialogue, each time with another sampling seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,

    /// Run only this many dialogues, in the order of their uids
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// Run only the i-th of n parts, which `eval merge` can merge: 1/4
    #[arg(long, value_name = "I/N", value_parser = Shard::read)]
    shard: Option<Shard>,

    /// How many dialogues run at the same time
    #[arg(long, value_name = "N", default_value_t = 4)]
    concurrency: usize,

    /// The file that keeps answers, so that no request is sent twice; replay:FILE can
    /// read it [default: in --out]
    #[arg(long, visible_alias = "record", value_name = "FILE")]
    cache: Option<PathBuf>,

    /// The dataset [default: the domain's]
    #[arg(long, value_name = "DIR")]
    dataset: Option<PathBuf>,

    /// The source of examples: a dataset (its training part), a folder with dialogues, or
    /// `builtin` [default: the training part of --dataset, or `builtin` if it has none]
    #[arg(long, value_name = "DIR")]
    examples: Option<PathBuf>,

    #[command(flatten)]
    similarity: SimilarityOptions,
}

const EXPLAINED: &str = "\
These models cost nothing and serve as baselines: ground-truth, do-nothing, nearest-example,
random-example.

  dialog2api eval --model openai:NAME --split test --setting c --out runs/name-c

Ctrl-C stops after the current turns; a second one stops at once. Nothing is lost: the same
command with --resume continues. The exit code is 1 if there are unfinished dialogues.";

/// The source of a turn's past.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ModeOption {
    /// The model's own turns; only the user's utterances come from the dataset
    #[default]
    EndToEnd,
    /// The dataset, in every turn
    TeacherForced,
}

/// A part of a dataset, or all of it.
#[derive(Debug, Clone, Copy)]
struct SplitChoice(Option<Split>);

/// Runs the model and prints a summary of the log.
pub async fn run(args: &RunArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    // Mistakes in the options are reported before anything takes time.
    let out = args
        .out
        .as_deref()
        .ok_or_else(|| Error::usage("name a folder for the log: --out DIR"))?;
    let (candidate, form) = candidate(&args.model, domain)?;
    let form = args.prompting.form.unwrap_or(form);
    let spinner = Spinner::new(quiet);
    spinner.say("reading the dataset");
    let set = Set::read(&options::dataset(args.dataset.as_deref(), domain), domain)?;
    let similarity = args.similarity.open()?;
    spinner.say("reading the examples");
    let examples = examples(args, &set, &*candidate, form, &similarity)?;
    if let Some(note) = note(args, &set, &examples.dialogues) {
        spinner.note(&note);
    }
    let engine = prepare::engine(domain, quiet).await?;
    spinner.say("replaying the truth");
    let sandbox = Arc::new(engine);
    let wanted = wanted(args, form, similarity.name());
    let mut runner = Runner::new(&set, &examples, candidate, sandbox, wanted).await?;
    runner.cache.clone_from(&args.cache);
    runner.concurrency = args.concurrency;
    drop(spinner);

    let bar = Arc::new(Bar::new(quiet));
    let (stop, seen) = (RunStop::default(), bar.clone());
    let runner = Arc::new(runner);
    let watch = Arc::new(move |tally: &RunProgress| seen.show(tally));
    let run = runner.run(out, args.resume, stop.clone(), watch);
    let done = until_stopped(run, &stop, |note| bar.note(note)).await?;
    bar.done();
    let Some(tally) = done else {
        bar.note("Stopped at once. The same command with --resume goes on.");
        return Ok(Exit::Failed);
    };
    summarise(&tally, out, domain, stop.is_stopped(), quiet);
    Ok(if tally.is_complete() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn summarise(tally: &RunProgress, out: &Path, domain: &Arc<Domain>, stopped: bool, quiet: bool) {
    let spinner = Spinner::new(quiet);
    for failed in &tally.failed {
        let epoch = match failed.epoch {
            1 => String::new(),
            epoch => format!(", epoch {epoch}"),
        };
        terminal::complain(
            "warning",
            &format!(
                "{}{epoch}, turn {}: {}",
                failed.dialogue, failed.turn, failed.message
            ),
        );
    }
    let (finished, are) = (tally.finished, plural(tally.dialogues, "is", "are"));
    let dialogues = counted(tally.dialogues, "dialogue");
    let score = scored(out, domain);
    let emr = score.as_ref().map_or_else(String::new, figures);
    let out = out.display();
    let line = format!("{out}: {finished} of {dialogues} {are} finished{emr}.");
    spinner.note(&line);
    let cut = score.map_or(0, |score| score.failures.cut_prompts);
    if cut > 0 {
        let turns = counted(cut, "turn");
        let way_out = CutPrompt::WAY_OUT;
        terminal::complain(
            "warning",
            &format!(
                "in {turns} the model's server read only a part of a prompt, without an \
                 error, so that these are figures of cut prompts: {way_out}, and begin anew \
                 with another --out (and --cache)"
            ),
        );
    }
    match (tally.is_complete(), stopped) {
        (true, _) => {}
        (false, _) if tally.gave_up => terminal::complain(
            "error",
            &format!(
                "the model's server did not answer in the last {} dialogues, so the run has \
                 stopped: see that it answers (dialog2api doctor), and the same command with \
                 --resume goes on",
                tally.unanswered
            ),
        ),
        (false, true) => spinner.note("Stopped. The same command with --resume goes on."),
        (false, false) => {
            spinner.note("The same command with --resume tries the others once more.");
        }
    }
}

/// What `score` computes of the finished dialogues.
fn scored(out: &Path, domain: &Arc<Domain>) -> Option<Score> {
    let options = Options {
        partial: true,
        bootstrap: Bootstrap {
            resamples: 0,
            seed: 0,
        },
        domain: Some(domain.clone()),
    };
    let log = load(out, true).ok()?;
    score(&log.run, &log.turns, &options).ok()
}

/// The main figures: `, EMR 50.0 % (strict 25.0 %)`.
fn figures(score: &Score) -> String {
    let percent = |name: &str| Some(100.0 * score.figure(name)?.value?);
    let strict = percent("strict_emr");
    let strict = strict.map_or_else(String::new, |emr| format!(" (strict {emr:.1} %)"));
    let emr = percent("emr");
    emr.map_or_else(String::new, |emr| format!(", EMR {emr:.1} %{strict}"))
}

/// The model that the options name, and the form of its prompts.
fn chosen(options: &ModelOptions, domain: &Domain) -> Result<(Box<dyn Model>, Form)> {
    let variable = |name: &str| std::env::var(name).ok();
    let choice = options.spec().resolve(&variable)?;
    let choice = options.adapter.applied(choice, domain)?;
    let form = choice.form();
    Ok((choice.open()?, form))
}

/// The baseline or model that the options name, and the form of its prompts.
fn candidate(options: &ModelOptions, domain: &Domain) -> Result<(Arc<dyn Candidate>, Form)> {
    let named = options.model.as_deref().and_then(baseline::named);
    match named {
        Some(baseline) => Ok((baseline, Form::default())),
        None => match chosen(options, domain) {
            Ok((model, form)) => Ok((Arc::new(ModelCandidate(Arc::from(model))), form)),
            Err(error) if error.is(FailureReason::Usage) => Err(Error::usage(format!(
                "{error}\nWithout any model there are {}",
                baseline::NAMES.join(", ")
            ))),
            Err(error) => Err(error),
        },
    }
}

fn examples(
    args: &RunArgs,
    set: &Set,
    candidate: &dyn Candidate,
    form: Form,
    similarity: &Similarity,
) -> Result<Examples> {
    let has_none = args.setting == "a" || !form.protocol().is_instructed();
    let is_unprompted = candidate.asks_a_model() && has_none;
    let is_needed = candidate.needs_examples() && !is_unprompted;
    let dialogues = if args.examples.is_some() || is_needed {
        ExampleDialogues::choose(args.examples.as_deref(), set)?
    } else {
        ExampleDialogues::training_part(set)
    };
    if dialogues.dialogues.is_empty() && is_needed {
        return Err(Error::usage(format!(
            "{} has no training part to take examples from: name dialogues with --examples, or \
             use --setting a",
            set.folder.display()
        )));
    }
    let transcripts = dialogues.transcripts();
    let pool = ExamplePool::compared_by(similarity, &transcripts, &set.domain)?;
    Ok(Examples {
        dialogues,
        pool: Arc::new(pool),
    })
}

/// A note on the source of examples, if it may surprise the user.
fn note(args: &RunArgs, set: &Set, examples: &ExampleDialogues) -> Option<String> {
    match &args.examples {
        Some(named) if examples.left_out > 0 => Some(format!(
            "note: {} of {} {} left out",
            counted(examples.left_out, "test dialogue"),
            named.display(),
            plural(
                examples.left_out,
                "is no example and was",
                "are no examples and were"
            )
        )),
        None if examples.name.as_deref() == Some(BUILT_IN) => Some(format!(
            "note: {} has no training part: the examples are those that come with the program \
             (--examples builtin)",
            set.folder.display()
        )),
        _ => None,
    }
}

fn wanted(args: &RunArgs, form: Form, similarity: &str) -> RunOptions {
    RunOptions {
        mode: match args.mode {
            ModeOption::EndToEnd => EvalMode::EndToEnd,
            ModeOption::TeacherForced => EvalMode::TeacherForced,
        },
        settings: RunSettings {
            setting: args.setting.chars().next().unwrap_or('c'),
            k: args.prompting.k,
            alpha: args.alpha,
            similarity: similarity.to_owned(),
            temperature: args.temperature,
            seed: args.seed,
            form,
            budget: args.prompting.budget,
            assist: Some(args.assist.clone()),
            ..RunSettings::default()
        },
        split: args.split.0,
        epochs: args.epochs,
        limit: args.limit.map(|limit| limit as usize),
        shard: args.shard,
    }
}

fn split(text: &str) -> Result<SplitChoice, String> {
    match text {
        "train" => Ok(SplitChoice(Some(Split::Train))),
        "test" => Ok(SplitChoice(Some(Split::Test))),
        "all" => Ok(SplitChoice(None)),
        _ => Err("a part is train, test or all".to_owned()),
    }
}

fn weight(text: &str) -> Result<f64, String> {
    let parsed = text.parse().ok();
    let parsed = parsed.filter(|number: &f64| number.is_finite() && *number >= 0.0);
    parsed.ok_or_else(|| "a weight is a number, 0 or more".to_owned())
}

/// The aids, for the help of an option.
pub fn assist_help() -> String {
    format!(
        "The aids for the model: none, usual (without those that look something up in the \
         dialogue), all (as in a chat), or a list of {}. The strict figures of a run are those \
         without any aid",
        aids().join(", ")
    )
}
