//! `dialog2api chat`: utterances in, programs and replies out.

mod commands;
mod decide;
pub mod lines;
mod marks;
mod save;
mod session;
mod spent;
mod turn;
mod undo;
mod watch;

use super::options::{self, ModelOptions, WorldOptions};
use super::policy::PolicyOptions;
use super::progress::{Hush, Spinner};
use super::prompting::PromptOptions;
use super::similarity::SimilarityOptions;
use super::terminal::{self, AGENT, BOLD, DIM, Styled, USER, clean};
use super::{Exit, model, prepare};
use crate::agent::{Agent, Session, Settings};
use crate::domain::s3::S3;
use crate::domain::s3::show::{Summary, summary};
use crate::domain::{self, World};
use crate::error::{Error, Result};
use crate::exec::Limits;
use crate::journal::{AskedOnce, Journal, Journaled, Store};
use crate::llm::{Model, Prices, Recorder};
use crate::prompts::PromptSetting;
use crate::retrieval::{ExamplePool, built_in_dialogues, dialogues_in};
use crate::service::{Start, StoredSession};
use clap::Args;
use commands::Command;
pub use decide::Asker;
use lines::Line;
pub use lines::Lines;
use save::Saved;
pub use session::world_of;
use spent::Spent;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// What was typed.
#[derive(Debug, Args)]
#[command(after_help = "\
Without a terminal each line of standard input is an utterance. There, and with \
--script, the exit code is 1 when a turn failed.")]
pub struct ChatArgs {
    #[command(flatten)]
    model: ModelOptions,

    /// Where no model is configured, use one that runs on this machine, or set one up,
    /// without asking. What a program changes is asked about all the same
    #[arg(long, help_heading = "Model")]
    yes: bool,

    /// Where a model is set up, take the smaller one (0.5 GB)
    #[arg(long, help_heading = "Model")]
    small: bool,

    /// Write down what the model is asked and answers, for --model replay:FILE
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    record: Option<PathBuf>,

    /// Example dialogues (*.xml) for the prompts [default: those that come with it]
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    examples: Option<PathBuf>,

    #[command(flatten)]
    similarity: SimilarityOptions,

    /// Say after each turn, and at the end, what it took: requests, tokens read, reused and
    /// written, and what that costs where the price is known
    #[arg(long, short)]
    verbose: bool,

    /// What a prompt has: a (API document), b (examples) or c (both)
    #[arg(
        long,
        value_name = "SETTING",
        default_value = "c",
        help_heading = "Model"
    )]
    #[arg(value_parser = |text: &str| text.parse::<PromptSetting>())]
    setting: PromptSetting,

    #[command(flatten)]
    prompting: PromptOptions,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    policy: PolicyOptions,

    /// The most time one program may take
    #[arg(long, value_name = "TIME", value_parser = options::duration, default_value = "30s")]
    deadline: Duration,

    /// Take the utterances from a file: one a line, blank lines and # comments skipped
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,

    /// Keep whole prompts in the session's journal, and not only the answers
    #[arg(long)]
    traffic: bool,

    /// The name of the session. One that is there goes on where it was, also after a crash
    /// [default: a new one, named after the day; `session list` shows all]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,

    /// Keep the dialogue in a new file, from turn to turn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// A dialogue under way.
struct Chat<'a> {
    runtime: &'a Runtime,
    agent: Agent,
    session: Session,
    /// What happens, on the disk.
    journal: Arc<Journal>,
    /// Where utterances and answers come from.
    asker: Arc<Asker>,
    world: Arc<dyn World>,
    /// The content after the last turn; none where it is not looked at.
    content: Option<Summary>,
    saved: Saved,
    spent: Spent,
    /// Whether that is said after each turn.
    verbose: bool,
    /// Whether a person sits there.
    interactive: bool,
    quiet: bool,
    failed_turns: usize,
}

/// A world that takes longer to look at is not looked at after each turn.
const LOOK: Duration = Duration::from_secs(2);

/// Holds a dialogue until its utterances end.
pub fn chat(args: &ChatArgs, quiet: bool, runtime: &Runtime) -> Result<Exit> {
    // What was typed wrong is said before anything takes time.
    let mut saved = Saved::new(args.save.clone())?;
    let policy = args.policy.of_dialogue()?;
    let mut lines = Lines::new(args.script.as_deref())?;
    let interactive = lines.is_interactive();
    let prices = Prices::of_user(None)?;
    let stored = StoredSession::find(Store::of_user()?, args.session.as_deref())?;
    let world_choice = world_of(&stored, &args.world)?;
    let model = open_model(args, &mut lines, quiet, runtime)?;
    let model_name = model.name().to_owned();
    let dialogues = match &args.examples {
        Some(folder) => dialogues_in(folder)?,
        None => built_in_dialogues(&S3)?,
    };
    let similarity = args.similarity.open()?;
    let spinner = Arc::new(Spinner::new(quiet));
    spinner.say("reading the examples");
    let pool = ExamplePool::compared_by(&similarity, &dialogues, &S3)?;
    let opened = runtime.block_on(world_choice.open(false, &spinner))?;
    let world = opened.world.clone();
    if let Some(note) = world_choice.blind_spots() {
        spinner.note(&format!("note: {note}"));
    }
    spinner.done();
    let settings = Settings {
        prompt: args.setting,
        form: args.prompting.form,
        budget: args.prompting.budget,
        grammar: args.prompting.grammar,
        examples: args.prompting.selection(),
        limits: Limits {
            deadline: args.deadline,
            ..Limits::default()
        },
        // On a server it would read every object after every turn, unless that is wanted.
        sign: world_choice.is_embedded() || args.world.signature.is_some(),
        policy: Some(Arc::new(policy.clone())),
        validate: true,
        ..Settings::default()
    };
    let signature = match settings.sign {
        true => Some(runtime.block_on(domain::signature(&*world, []))?),
        false => None,
    };
    let begun = stored.begin().map(|begin| begin.world.as_str());
    let world_name = begun.unwrap_or(world_choice.name());
    saved.describe(world_name, signature);
    let start = Start {
        world: world_name,
        model: &model_name,
        policy: &policy.to_string(),
        signature,
    };
    let journal = runtime.block_on(stored.open(&opened, &start))?;
    // What comes now has lines of its own.
    spinner.done();
    let asker = Arc::new(Asker::new(lines, policy.mode));
    let overseer = Journaled::new(journal.clone(), asker.clone());
    let engine = runtime.block_on(prepare::engine(quiet))?;
    let agent = Agent::new(
        Arc::new(AskedOnce::new(model, journal.clone(), args.traffic)),
        Arc::new(engine),
        world.clone(),
        &S3,
        Arc::new(pool),
        settings,
    )?;
    let mut chat = Chat {
        runtime,
        agent: agent.overseen_by(Arc::new(overseer)),
        session: session::restored(&journal)?,
        journal,
        asker,
        content: None,
        world,
        saved,
        spent: Spent::new(&model_name, prices),
        verbose: args.verbose,
        interactive,
        quiet,
        failed_turns: 0,
    };
    chat.look_first();
    chat.greet(&model_name)?;
    chat.go_on()?;
    chat.converse()?;
    chat.journal.ended()?;
    chat.account();
    Ok(match chat.failed_turns > 0 && !chat.interactive {
        true => Exit::Failed,
        false => Exit::Done,
    })
}

/// The model that is configured, or one on this machine.
fn open_model(
    args: &ChatArgs,
    lines: &mut Lines,
    quiet: bool,
    runtime: &Runtime,
) -> Result<Arc<dyn Model>> {
    let offer = model::Offer {
        yes: args.yes,
        small: args.small,
        quiet,
        lines: lines.is_interactive().then_some(lines),
    };
    let model = runtime.block_on(async {
        let choice = model::choice(&args.model.spec(), offer).await?;
        model::opened(choice, quiet).await
    })?;
    Ok(match &args.record {
        Some(path) => Arc::new(Recorder::open(path, model)?),
        None => Arc::from(model),
    })
}

impl Chat<'_> {
    fn converse(&mut self) -> Result<()> {
        loop {
            let line = self.asker.lines().next()?;
            let text = match line {
                Line::End => return Ok(()),
                Line::Cancelled => continue,
                Line::Said(text) => text,
            };
            if !self.interactive {
                terminal::print(format_args!("{} {}\n", Styled(USER, "You:"), clean(&text)))?;
            }
            match Command::read(&text) {
                None => self.turn(&text)?,
                Some(Ok(Command::Quit)) => return Ok(()),
                Some(Ok(command)) => self.command(&command)?,
                Some(Err(sentence)) => terminal::print(format_args!("{}\n\n", clean(&sentence)))?,
            }
        }
    }

    /// Looks at the world before the first turn.
    fn look_first(&mut self) {
        let spinner = Spinner::new(self.quiet);
        spinner.say("looking at the world");
        let looking = async { tokio::time::timeout(LOOK, summary(&*self.world)).await };
        let why = match self.runtime.block_on(looking) {
            Ok(Ok(content)) => {
                self.content = Some(content);
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it is large or far away".to_owned(),
        };
        spinner.note(&format!("Changes of the world will not be shown: {why}."));
    }

    fn greet(&self, model: &str) -> Result<()> {
        if self.interactive && !self.quiet {
            let name = Styled(BOLD, "dialog2api");
            let about = format!(" · {} · {}", clean(model), clean(&self.world.describe()));
            terminal::print(format_args!("{name}{}\n", Styled(DIM, about)))?;
            let hint = "/help lists the commands, Ctrl-D ends.";
            terminal::print(format_args!("{}\n\n", Styled(DIM, hint)))?;
        }
        self.say(self.session.said())
    }

    /// What the whole dialogue took: where that was asked for, or is money.
    fn account(&self) {
        if let Some(total) = self.spent.total()
            && (self.verbose || (self.interactive && self.spent.costs()))
        {
            Spinner::new(self.quiet).note(&format!("All of it: {total}."));
        }
    }

    /// What the agent says.
    fn say(&self, text: &str) -> Result<()> {
        terminal::print(format_args!(
            "{} {}\n\n",
            Styled(AGENT, "Agent:"),
            clean(text)
        ))
    }

    /// Waits for work. Ctrl-C ends it early where a person sits there; elsewhere
    /// it ends the process, as usual.
    fn wait<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let interactive = self.interactive;
        let _hush = Hush::new(interactive);
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                done = work => Some(done),
                Ok(()) = tokio::signal::ctrl_c(), if interactive => None,
            }
        })
    }
}

/// A sentence for what cannot be done now; the dialogue goes on.
fn sentence(error: &Error) -> String {
    let mut text = error.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
