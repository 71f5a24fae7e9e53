//! `dialog2api chat`: utterances in, programs and replies out.

mod claim_marks;
mod commands;
mod front;
pub mod lines;
mod opening;
mod plans;
mod progress_line;
mod save;
mod session;
mod turn;
mod usage;

use super::options::{self, ModelOptions, WorldOptions};
use super::policy::PolicyOptions;
use super::progress::{Hush, Spinner};
use super::prompting::PromptOptions;
use super::similarity::SimilarityOptions;
use super::terminal::{self, AGENT, BOLD, DIM, Styled, USER, clean, one_line};
use super::{Exit, model};
use crate::domain::Domain;
use crate::error::{Error, ErrorKind, Result};
use crate::llm::{Model, Prices, Recorder};
use crate::prompts::{Form, PromptSetting};
use crate::service::{Conversation, MAX_UTTERANCE, PlanView, SessionView};
use clap::Args;
use commands::Command;
pub use front::Front;
use lines::Line;
pub use lines::Lines;
pub use opening::Prepared;
use save::Saved;
pub use session::world_of;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
pub use turn::undone_said;
use usage::UsageLine;

/// The arguments of `chat`.
#[derive(Debug, Args)]
#[command(after_help = "\
Without a terminal, each line of standard input is an utterance. Without a terminal or with \
--script, the exit code is 1 if a turn failed.")]
pub struct ChatArgs {
    #[command(flatten)]
    model: ModelOptions,

    /// If no model is configured, use one that runs on this machine, or set one up,
    /// without asking. Changes by programs still have to be confirmed
    #[arg(long, help_heading = "Model")]
    yes: bool,

    /// If a model is set up, use the smaller one (0.5 GB). It is the default for domains that it
    /// has learned, such as S3
    #[arg(long, help_heading = "Model")]
    small: bool,

    /// Record the model's requests and answers, for --model replay:FILE
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    record: Option<PathBuf>,

    /// Example dialogues for the prompts: a folder, a dataset (its training part), or `builtin`
    /// [default: builtin]
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    examples: Option<PathBuf>,

    #[command(flatten)]
    similarity: SimilarityOptions,

    /// Print usage after each turn and at the end: requests, tokens read, reused and
    /// written, and the cost if the price is known
    #[arg(long, short)]
    verbose: bool,

    /// The contents of a prompt: a (API document), b (examples) or c (both)
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

    /// Say nothing that no result has: a reply that is in doubt twice gives way to a plain account
    /// of what happened
    #[arg(long)]
    exact: bool,

    /// How long a program may run
    #[arg(long, value_name = "TIME", value_parser = options::duration, default_value = "30s")]
    deadline: Duration,

    /// Read the utterances from a file: one per line; blank lines and # comments are
    /// skipped
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,

    /// Keep whole prompts in the session's journal, not only the answers
    #[arg(long)]
    traffic: bool,

    /// The name of the session. An existing session is continued, even after a crash
    /// [default: a new session, named after the day; `session list` shows all]
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,

    /// Save the dialogue to a new file after every turn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl ChatArgs {
    /// The options that choose the world.
    pub fn world(&self) -> &WorldOptions {
        &self.world
    }

    /// The options that mean nothing without a terminal, and whether they are given.
    pub fn of_terminals(&self) -> [(&'static str, bool); 3] {
        [
            ("--script", self.script.is_some()),
            ("--save", self.save.is_some()),
            ("--verbose", self.verbose),
        ]
    }
}

/// A conversation at a terminal, or with a script or a pipe. It only shows and asks. The
/// rules are implemented by [`service`](crate::service).
struct Chat<'a> {
    runtime: &'a Runtime,
    domain: Arc<Domain>,
    conversation: Conversation,
    front: Front,
    saved: Saved,
    usage: UsageLine,
    /// Whether usage is printed after each turn.
    verbose: bool,
    quiet: bool,
    failed_turns: usize,
    /// What a plain yes agrees to now.
    proposed: Option<Box<PlanView>>,
}

/// Holds a dialogue until its utterances end.
pub fn chat(args: &ChatArgs, domain: &Arc<Domain>, quiet: bool, runtime: &Runtime) -> Result<Exit> {
    // Mistakes in the arguments are reported before anything takes time.
    let saved = Saved::new(args.save.clone())?;
    let prices = Prices::of_user(None)?;
    let mut lines = Lines::new(args.script.as_deref())?;
    let (prepared, stored) = Prepared::new(args, &args.world, domain, &mut lines, quiet, runtime)?;
    let usage = UsageLine {
        model: prepared.model.name().to_owned(),
        prices,
    };
    let spinner = Arc::new(Spinner::new(quiet));
    let opened = prepared.open(stored, &spinner);
    let (conversation, events) = runtime.block_on(opened)?;
    let domain = &prepared.domain;
    let mut chat = Chat {
        runtime,
        domain: domain.clone(),
        conversation,
        front: Front::new(lines, events, spinner),
        saved,
        usage,
        verbose: args.verbose,
        quiet,
        failed_turns: 0,
        proposed: None,
    };
    let session = chat.conversation.snapshot()?.session;
    runtime.block_on(chat.front.draw(chat.conversation.open_session()))?;
    chat.greet(&session)?;
    chat.go_on(&session)?;
    chat.converse()?;
    chat.conversation.close()?;
    chat.account();
    Ok(if chat.failed_turns > 0 && !chat.interactive() {
        Exit::Failed
    } else {
        Exit::Done
    })
}

/// The configured model, or one on this machine.
fn open_model(
    args: &ChatArgs,
    domain: &Domain,
    lines: &mut Lines,
    quiet: bool,
    runtime: &Runtime,
) -> Result<(Arc<dyn Model>, Form)> {
    let offer = model::Offer {
        yes: args.yes,
        small: args.small,
        domain,
        quiet,
        lines: lines.is_interactive().then_some(lines),
    };
    let (model, form) = runtime.block_on(async {
        let choice = model::choice(&args.model.spec(), offer).await?;
        let choice = args.model.adapter.applied(choice, domain)?;
        let form = choice.form();
        Ok::<_, Error>((model::opened(choice, quiet).await?, form))
    })?;
    let model: Arc<dyn Model> = match &args.record {
        Some(path) => Arc::new(Recorder::open(path, model)?),
        None => Arc::from(model),
    };
    Ok((model, form))
}

/// An utterance as it is repeated on the terminal. One that is too long is refused, so its
/// beginning is enough.
fn shortened(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 80;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) if text.len() > MAX_UTTERANCE => {
            format!("{} …", text.get(..end).unwrap_or_default()).into()
        }
        _ => text.into(),
    }
}

impl Chat<'_> {
    fn converse(&mut self) -> Result<()> {
        loop {
            let text = match self.front.lines.next()? {
                Line::End => return Ok(()),
                Line::Cancelled => continue,
                Line::Said(text) => text,
            };
            if !self.interactive() {
                let shown = shortened(&text);
                terminal::print(format_args!("{} {}\n", Styled(USER, "You:"), clean(&shown)))?;
            }
            match Command::read(&text) {
                None => self.turn(&text)?,
                Some(Ok(Command::Quit)) => return Ok(()),
                Some(Ok(command)) => self.command(&command)?,
                Some(Err(sentence)) => terminal::print(format_args!("{}\n\n", clean(&sentence)))?,
            }
        }
    }

    /// Passes an utterance to the agent. If the agent refuses it, the reason is printed,
    /// and the turn counts as failed.
    fn turn(&mut self, text: &str) -> Result<()> {
        match self.follow(|conversation| conversation.say(text)) {
            Ok(turn) => self.show(&turn),
            Err(error) if error.kind() == ErrorKind::User => {
                self.failed_turns += 1;
                terminal::print(format_args!("{}.\n\n", clean(&sentence(&error))))
            }
            Err(error) => Err(error),
        }
    }

    /// Waits for work of the conversation, and shows events meanwhile.
    fn follow<'c, T, W>(&'c mut self, work: impl FnOnce(&'c Conversation) -> W) -> Result<T>
    where
        W: Future<Output = Result<T>>,
    {
        let work = work(&self.conversation);
        let follow = self.front.follow(self.conversation.open_session(), work);
        self.runtime.block_on(follow)
    }

    fn interactive(&self) -> bool {
        self.front.lines.is_interactive()
    }

    /// Saves the dialogue to the file of `--save`. A failure is reported but does not end
    /// the dialogue.
    fn keep(&mut self) {
        let conversation = &self.conversation;
        self.saved.keep(|uid| conversation.transcript(uid));
    }

    fn greet(&self, session: &SessionView) -> Result<()> {
        if self.interactive() && !self.quiet {
            let name = Styled(BOLD, "dialog2api");
            let about = format!(
                " · {} · {}",
                one_line(&session.model),
                one_line(&session.world)
            );
            terminal::print(format_args!("{name}{}\n", Styled(DIM, about)))?;
            let hint = "/help lists the commands, Ctrl-D ends.";
            terminal::print(format_args!("{}\n\n", Styled(DIM, hint)))?;
        }
        self.say(&session.said)
    }

    /// Prints the usage of the whole dialogue, if that was asked for or cost money.
    fn account(&self) {
        let total = self.conversation.usage();
        if total.requests > 0 && (self.verbose || (self.interactive() && self.usage.costs(&total)))
        {
            let total = self.usage.line(&total);
            Spinner::new(self.quiet).note(&format!("Total: {total}."));
        }
    }

    /// Prints a text of the agent.
    fn say(&self, text: &str) -> Result<()> {
        let text = clean(text);
        terminal::print(format_args!(
            "{} {}\n\n",
            Styled(AGENT, "Agent:"),
            terminal::framed(&text)
        ))
    }

    /// Waits for work. If a person types the lines, Ctrl-C cancels the work; otherwise it
    /// ends the process as usual.
    fn wait<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let interactive = self.interactive();
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

/// An error as a sentence, for use within a dialogue.
fn sentence(error: &Error) -> String {
    let mut text = error.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
