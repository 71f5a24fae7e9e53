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
use crate::journal::Store;
use crate::llm::Model;
use crate::policy::Mode;
use crate::prompts::Form;
use crate::retrieval::{ExamplePool, built_in_dialogues};
use crate::service::{Conversation, Events, Opening, StoredSession};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The parts that all conversations of a process share. The worlds are opened with them.
pub struct Prepared {
    /// The domain as it is with the options.
    pub domain: Arc<Domain>,
    /// The model.
    pub model: Arc<dyn Model>,
    /// The sessions.
    pub store: Store,
    sandbox: Arc<dyn Sandbox>,
    pool: Arc<ExamplePool>,
    settings: Settings,
    world: WorldOptions,
    keep_prompts: bool,
}

impl Prepared {
    /// Opens the model, reads the examples and prepares the sandbox. Mistakes in the options are
    /// reported before any of it takes time.
    pub fn new(
        args: &ChatArgs,
        world: &WorldOptions,
        domain: &Arc<Domain>,
        lines: &mut Lines,
        quiet: bool,
        runtime: &Runtime,
    ) -> Result<Prepared> {
        let domain = &world.adapted(domain)?;
        let policy = args.policy.of_dialogue(domain)?;
        let store = Store::of_user()?;
        let stored = StoredSession::find(store.clone(), args.session.as_deref())?;
        world_of(domain, &stored, world)?;
        let (model, form) = open_model(args, domain, lines, quiet, runtime)?;
        let form = args.prompting.form.unwrap_or(form);
        let dialogues = match &args.examples {
            _ if form == Form::Trained => Vec::new(),
            Some(name) => ExampleDialogues::named(name, domain)?.conversations(),
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
            form,
            budget: args.prompting.budget,
            examples: args.prompting.selection(),
            limits: Limits {
                deadline: args.deadline,
                ..Limits::default()
            },
            policy: Some(Arc::new(policy)),
            assist: Assist::all(),
            exact: args.exact,
            ..Settings::default()
        };
        Ok(Prepared {
            domain: domain.clone(),
            model,
            store,
            sandbox: Arc::new(engine),
            pool: Arc::new(pool),
            settings,
            world: world.clone(),
            keep_prompts: args.traffic,
        })
    }

    /// The settings, to be changed before a conversation is opened.
    pub fn settings(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Opens the session of this name, or a new one, with its world, which shows its progress and
    /// its links at this spinner.
    pub async fn open(
        &self,
        session: Option<&str>,
        spinner: &Arc<Spinner>,
    ) -> Result<(Conversation, Events)> {
        let stored = StoredSession::find(self.store.clone(), session)?;
        let choice = world_of(&self.domain, &stored, &self.world)?;
        // What may not be written is not made either.
        let policy = self.settings.policy.as_ref();
        let existing = policy.is_some_and(|policy| policy.mode == Mode::ReadOnly);
        let world = choice.open(existing, spinner).await?;
        if let Some(note) = &choice.found.blind_spots {
            spinner.note(&format!("note: {note}"));
        }
        spinner.say("looking at the world");
        let begun = stored.begin().map(|begin| begin.world.as_str());
        let opened = Conversation::open(Opening {
            stored: &stored,
            named: begun.unwrap_or(&choice.found.name),
            world,
            model: self.model.clone(),
            sandbox: self.sandbox.clone(),
            domain: &self.domain,
            pool: self.pool.clone(),
            settings: Settings {
                sign: choice.found.is_signed,
                ..self.settings.clone()
            },
            keep_prompts: self.keep_prompts,
        })
        .await;
        spinner.done();
        opened
    }
}
