//! What a conversation is opened with: everything that the options of `chat` choose.

use super::{ChatArgs, Lines, open_model, world_of};
use crate::agent::{Assist, Sandbox, Settings};
use crate::cli::options::WorldOptions;
use crate::cli::prepare;
use crate::cli::progress::Spinner;
use crate::dataset::ExampleDialogues;
use crate::domain::Domain;
use crate::error::Result;
use crate::exec::Limits;
use crate::journal::SessionStore;
use crate::llm::Model;
use crate::retrieval::{ExamplePool, built_in_dialogues};
use crate::service::{Conversation, Event, Events, Setup, StoredSession};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The parts that all conversations of a process share. The worlds are opened with them.
pub struct Prepared {
    /// The domain as it is with the options.
    pub domain: Arc<Domain>,
    pub model: Arc<dyn Model>,
    pub store: SessionStore,
    sandbox: Arc<dyn Sandbox>,
    pool: Arc<ExamplePool>,
    settings: Settings,
    world: WorldOptions,
    keep_prompts: bool,
}

impl Prepared {
    /// Opens the model, reads the examples and prepares the sandbox. Mistakes in the options are
    /// reported before any of it takes time. Answers also with the session that they name.
    pub fn new(
        args: &ChatArgs,
        world: &WorldOptions,
        domain: &Arc<Domain>,
        lines: &mut Lines,
        quiet: bool,
        runtime: &Runtime,
    ) -> Result<(Prepared, StoredSession)> {
        let domain = &world.adapted(domain)?;
        let policy = args.policy.of_dialogue(domain)?;
        let store = SessionStore::of_user()?;
        let stored = StoredSession::find(store.clone(), args.session.as_deref())?;
        world_of(domain, &stored, world)?;
        let (model, form) = open_model(args, domain, lines, quiet, runtime)?;
        let form = args.prompting.form.unwrap_or(form);
        let dialogues = match &args.examples {
            _ if !form.protocol().is_instructed() => Vec::new(),
            Some(name) => ExampleDialogues::named(name, domain)?.transcripts(),
            None => built_in_dialogues(domain)?,
        };
        let similarity = args.similarity.open()?;
        let spinner = Spinner::new(quiet);
        spinner.say("reading the examples");
        let pool = ExamplePool::compared_by(&similarity, &dialogues, domain)?;
        spinner.done();
        let engine = runtime.block_on(prepare::engine(domain, quiet))?;
        let settings = Settings {
            prompt: args.setting,
            protocol: form.protocol(),
            budget: args.prompting.budget,
            examples: args.prompting.selection(),
            limits: Limits {
                deadline: args.deadline,
                ..Limits::interactive()
            },
            policy: Some(Arc::new(policy)),
            assist: Assist::all(),
            exact: args.exact,
            ..Settings::default()
        };
        let prepared = Prepared {
            domain: domain.clone(),
            model,
            store,
            sandbox: Arc::new(engine),
            pool: Arc::new(pool),
            settings,
            world: world.clone(),
            keep_prompts: args.traffic,
        };
        Ok((prepared, stored))
    }

    /// The settings, to be changed before a conversation is opened.
    pub fn settings(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Opens this session with its world, which shows its progress at this spinner.
    pub async fn open(
        &self,
        stored: StoredSession,
        spinner: &Spinner,
    ) -> Result<(Conversation, Events)> {
        let setup = Setup::new(&self.domain, self.model.clone())
            .world_of_adapted(self.world.named.clone())
            .held_to(self.settings.policy.clone())
            .settings(self.settings.clone())
            .sandbox(self.sandbox.clone())
            .examples(self.pool.clone())
            .stored(stored)
            .keeping_prompts(self.keep_prompts);
        let mut events = setup.events();
        spinner.say("looking at the world");
        let opening = setup.open();
        tokio::pin!(opening);
        let opened = loop {
            tokio::select! {
                biased;
                Some(event) = events.recv() => spinner.event(&event),
                opened = &mut opening => break opened,
            }
        };
        // What was told last. The rest is drawn by whoever goes on.
        while let Some(event) = events.try_recv()
            && !matches!(event, Event::Opened(_))
        {
            spinner.event(&event);
        }
        spinner.done();
        opened
    }
}
