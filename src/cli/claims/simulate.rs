//! `dialog2api claims simulate`: simulated users talk with an assistant.

use crate::agent::{Assist, Settings};
use crate::cli::options::{self, ModelOptions};
use crate::cli::progress::Spinner;
use crate::cli::stop::until_stopped;
use crate::cli::{Exit, prepare, terminal};
use crate::domain::{Domain, counted, plural};
use crate::error::{Error, Result};
use crate::eval::desk::{
    self, AssistantKind, DeskOptions, DeskRunner, Programs, RowRecipe, UserKind,
};
use crate::eval::runner::RunStop;
use crate::llm::{Model, Prices};
use crate::retrieval::built_in_dialogues;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use typed_claims::dialogues::{self, Dialogue};
use typed_claims::restaurant;
use typed_claims::simulate::problem_of;

/// The arguments of `claims simulate`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAINED)]
pub struct SimulateArgs {
    /// Who answers
    #[arg(long, value_enum)]
    assistant: AssistantKind,

    /// Who asks
    #[arg(long, value_enum, default_value_t = UserKind::Agenda)]
    user: UserKind,

    #[command(flatten)]
    model: ModelOptions,

    /// The rows of each dialogue: full (all 110), or random:70, drawn anew for each
    #[arg(long = "rows", value_name = "ROWS", default_value_t = RowRecipe::Full)]
    rows: RowRecipe,

    /// The language of users and replies: en or de
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    language: String,

    /// The goals: dialogues of MultiWOZ about restaurants, JSON Lines [default: 112 of them]
    #[arg(long, value_name = "FILE")]
    goals: Option<PathBuf>,

    /// The folder for the log: a new one, or with --resume the folder of a run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Continue the run in --out where it stopped, or start it if there is none
    #[arg(long)]
    resume: bool,

    /// Only this many goals, in the order of their names
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// The aids for a model that writes programs: none, usual, all, or a list
    #[arg(long, value_name = "AIDS", default_value = "all")]
    #[arg(long_help = crate::cli::eval::assist_help())]
    #[arg(value_parser = |text: &str| text.parse::<Assist>())]
    assist: Assist,

    /// The sampling temperature; 0 is greedy decoding
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = options::temperature)]
    temperature: f32,

    /// The seed of rows, users and sampling
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How many dialogues are held at the same time
    #[arg(long, value_name = "N", default_value_t = 2)]
    concurrency: usize,

    /// The file that keeps answers, so that no request is sent twice [default: in --out]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
}

const EXPLAINED: &str = "\
A simulated user wants what a goal says, and each reply is checked by the rows. The same users, goals
and rows for each assistant, so that `claims score` can compare two runs in pairs:

  dialog2api claims simulate --assistant template --out runs/template
  dialog2api claims simulate --assistant rows --model openai:NAME --out runs/rows
  dialog2api claims simulate --assistant programs --model openai:NAME --out runs/programs \\
      --domain datasets/restaurant
  dialog2api claims score runs/rows runs/programs

Ctrl-C stops after the replies under way; a second one stops at once. Nothing that was paid for is
lost: the same command with --resume continues. The exit code is 1 if dialogues are missing.";

/// Holds the dialogues and prints the figures.
pub async fn simulate(args: &SimulateArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let wanted = DeskOptions {
        assistant: args.assistant,
        user: args.user,
        language: args.language.clone(),
        rows: args.rows,
        seed: args.seed,
        temperature: args.temperature,
        limit: args.limit.map(|limit| limit as usize),
    };
    wanted.check()?;
    let goals = goals(args)?;
    let (model, programs) = match wanted.asks_model() {
        true => opened(args, domain, quiet).await?,
        false => (None, None),
    };
    let mut runner = DeskRunner::new(goals, model, programs, &wanted)?;
    runner.cache.clone_from(&args.cache);
    runner.concurrency = args.concurrency;
    let (spinner, stop) = (Spinner::new(quiet), RunStop::default());
    let run = runner.run(&args.out, args.resume, &stop, |progress| {
        let dialogues = counted(progress.dialogues, "dialogue");
        spinner.say(&format!("{} of {dialogues}", progress.done));
    });
    let done = until_stopped(run, &stop, |note| spinner.note(note)).await?;
    spinner.done();
    let Some(progress) = done else {
        spinner.note("Stopped at once. The same command with --resume goes on.");
        return Ok(Exit::Failed);
    };
    for (dialogue, reason) in &progress.failed {
        terminal::complain("warning", &format!("{dialogue}: {reason}"));
    }
    let score = desk::score(&desk::read(&args.out)?, &Prices::of_user(None)?, true)?;
    terminal::print(terminal::clean(&score.to_string()))?;
    if progress.done == progress.dialogues {
        return Ok(Exit::Done);
    }
    let missing = progress.dialogues - progress.done;
    let dialogues = counted(missing, "dialogue");
    let are = plural(missing, "is", "are");
    let why = match progress.gave_up {
        true => " (the model's server did not answer any more, so the run has stopped)",
        false => "",
    };
    terminal::complain(
        "error",
        &format!("{dialogues} {are} missing{why}: the same command with --resume goes on"),
    );
    Ok(Exit::Failed)
}

/// The model, and for an assistant by programs the agent.
async fn opened(
    args: &SimulateArgs,
    domain: &Arc<Domain>,
    quiet: bool,
) -> Result<(Option<Arc<dyn Model>>, Option<Programs>)> {
    let variable = |name: &str| std::env::var(name).ok();
    let choice = args.model.spec().resolve(&variable)?;
    // The adapters of a domain learned its programs, and none of the other prompts.
    let choice = match args.assistant {
        AssistantKind::Programs => args.model.adapter.applied(choice, domain)?,
        _ => args
            .model
            .adapter
            .applied(choice, &without_adapters(domain))?,
    };
    let form = choice.form();
    let model: Arc<dyn Model> = Arc::from(choice.open()?);
    if args.assistant != AssistantKind::Programs {
        return Ok((Some(model), None));
    }
    Programs::check(domain)?;
    let settings = Settings {
        protocol: form.protocol(),
        assist: args.assist.clone(),
        temperature: args.temperature,
        sign: false,
        ..Settings::unguarded()
    };
    let examples = built_in_dialogues(domain)?;
    let sandbox = Arc::new(prepare::engine(domain, quiet).await?);
    let programs = Programs::new(domain, sandbox, &examples, settings)?;
    Ok((Some(model), Some(programs)))
}

fn without_adapters(domain: &Domain) -> Domain {
    let mut domain = domain.clone();
    domain.teaching.adapters.clear();
    domain
}

/// The goals, in lower case as rows are.
fn goals(args: &SimulateArgs) -> Result<Vec<Dialogue>> {
    let Some(path) = &args.goals else {
        return restaurant::dialogues().map_err(Error::bug("the built-in goals are wrong"));
    };
    let wrong = |problem: String| Error::Content {
        path: path.clone(),
        problem,
    };
    let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
    let read = dialogues::read(text.strip_prefix('\u{feff}').unwrap_or(&text));
    let mut dialogues = read.map_err(|error| match error {
        typed_claims::Error::Row { line, problem } => wrong(format!("line {line}: {problem}")),
        error => wrong(error.to_string()),
    })?;
    for dialogue in &mut dialogues {
        let goal = &mut dialogue.goal;
        for value in goal.info.values_mut().chain(goal.fail_info.values_mut()) {
            *value = value.to_lowercase();
        }
        if let Some(problem) = problem_of(dialogue) {
            return Err(wrong(format!("goal {}: {problem}", dialogue.id)));
        }
    }
    if dialogues.is_empty() {
        return Err(wrong(
            r#"has no goal: each line is one, such as {"id": "a", "goal": {"info": {"food": "thai"}}}"#
                .to_owned(),
        ));
    }
    Ok(dialogues)
}
