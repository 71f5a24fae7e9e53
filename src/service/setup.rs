//! Opens a conversation with the usual parts.

use super::conversation::{Conversation, ConversationParts};
use super::event::Event;
use super::feed::{Events, Feed};
use super::session::StoredSession;
use crate::agent::{Assist, Sandbox, Settings};
use crate::domain::{Domain, NamedWorld, Opened};
use crate::error::Result;
use crate::exec::{Cache, Engine, Limits, Preparing};
use crate::folder;
use crate::journal::SessionStore;
use crate::llm::{Model, ModelSpec};
use crate::policy::{Mode, Policy};
use crate::retrieval::ExamplePool;
use std::sync::Arc;

/// Opens a conversation from a domain, a world, a policy, a model and a session.
///
/// Only the domain and the model have to be said. Without more it is a new session of the user in
/// the first world of the domain, programs are held to the policy of the domain, or else to the
/// built-in one, and run in the sandbox of the domain, which is prepared where it is not.
///
/// ```no_run
/// use dialog2api::domain::s3::S3;
/// use dialog2api::llm::ModelSpec;
/// use dialog2api::service::Setup;
///
/// # async fn converse() -> dialog2api::Result<()> {
/// let model = ModelSpec {
///     model: Some("openai:gpt-5".to_owned()),
///     ..ModelSpec::default()
/// };
/// let setup = Setup::asking(&S3, &model)?;
/// let (conversation, events) = setup.named("zoology").session("monday").open().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "a conversation is opened by `open`"]
pub struct Setup {
    domain: Arc<Domain>,
    model: Arc<dyn Model>,
    world: Place,
    held: Held,
    settings: Settings,
    store: Option<SessionStore>,
    session: Option<String>,
    stored: Option<StoredSession>,
    sandbox: Option<Arc<dyn Sandbox>>,
    examples: Option<Arc<ExamplePool>>,
    keeps_prompts: bool,
    feed: Arc<Feed>,
}

/// The world of a conversation.
enum Place {
    /// It is to be opened.
    Named(NamedWorld),
    /// It was opened, under this name.
    Opened {
        name: String,
        opened: Opened,
        is_signed: bool,
    },
}

/// What programs are held to.
enum Held {
    ToDomain,
    To(Arc<Policy>),
    ToNothing,
}

impl Setup {
    /// A conversation with this model about worlds of this domain.
    pub fn new(domain: &Arc<Domain>, model: Arc<dyn Model>) -> Setup {
        Setup {
            domain: domain.clone(),
            model,
            world: Place::Named(NamedWorld::default()),
            held: Held::ToDomain,
            settings: Settings {
                assist: Assist::all(),
                limits: Limits::interactive(),
                ..Settings::default()
            },
            store: None,
            session: None,
            stored: None,
            sandbox: None,
            examples: None,
            keeps_prompts: false,
            feed: Feed::new(),
        }
    }

    /// The same with the model that a specification names, in its form of prompts, and with the
    /// adapter that the domain has for it.
    ///
    /// # Errors
    /// There is no such model, or it cannot be opened.
    pub fn asking(domain: &Arc<Domain>, spec: &ModelSpec) -> Result<Setup> {
        let choice = spec.resolve(&|name: &str| std::env::var(name).ok())?;
        let choice = choice.adapted(&domain.teaching.adapters);
        let form = choice.form();
        let mut setup = Setup::new(domain, Arc::from(choice.open()?));
        setup.settings.protocol = form.protocol();
        Ok(setup)
    }

    /// In the world of this name: a built-in one, a file, a folder or a server.
    pub fn named(mut self, name: &str) -> Setup {
        self.world = Place::Named(NamedWorld {
            name: Some(name.to_owned()),
            ..NamedWorld::default()
        });
        self
    }

    /// In the world of this name with these options, some of which change what programs can do.
    ///
    /// # Errors
    /// An option is wrong.
    pub fn world(mut self, named: NamedWorld) -> Result<Setup> {
        if let Some(adapted) = self.domain.worlds()?.adapted(&self.domain, &named)? {
            self.domain = Arc::new(adapted);
        }
        self.world = Place::Named(named);
        Ok(self)
    }

    /// As [`world`](Self::world), where the domain is that of these options already.
    pub(crate) fn world_of_adapted(mut self, named: NamedWorld) -> Setup {
        self.world = Place::Named(named);
        self
    }

    /// In a world that was opened under this name. `is_signed` says whether its signature is taken
    /// after each turn.
    pub fn opened(mut self, name: &str, opened: Opened, is_signed: bool) -> Setup {
        let name = name.to_owned();
        self.world = Place::Opened {
            name,
            opened,
            is_signed,
        };
        self
    }

    /// Programs are held to this policy.
    pub fn policy(mut self, policy: impl Into<Arc<Policy>>) -> Setup {
        self.held = Held::To(policy.into());
        self
    }

    /// Programs may do everything, as long as the front end agrees to their plans: no place is
    /// protected, nothing is limited, and no cost is asked about.
    pub fn allowing_everything(mut self) -> Setup {
        self.held = Held::ToNothing;
        self
    }

    /// Programs are held to this policy, if there is one.
    pub(crate) fn held_to(mut self, policy: Option<Arc<Policy>>) -> Setup {
        self.held = policy.map_or(Held::ToNothing, Held::To);
        self
    }

    /// How the agent works. The policy in them does not count, nor whether signatures are taken:
    /// [`policy`](Self::policy) and the world say that.
    pub fn settings(mut self, settings: Settings) -> Setup {
        self.settings = settings;
        self
    }

    /// The sessions are kept here, and not where those of the user are.
    pub fn sessions(mut self, store: SessionStore) -> Setup {
        self.store = Some(store);
        self
    }

    /// The session of this name goes on, or begins; without a name it is a new one.
    pub fn session<'a>(mut self, name: impl Into<Option<&'a str>>) -> Setup {
        self.session = name.into().map(str::to_owned);
        self
    }

    /// This session, which was looked for already, goes on or begins. Its journal is not read again
    /// for that; [`sessions`](Self::sessions) and [`session`](Self::session) do not count.
    pub fn stored(mut self, stored: StoredSession) -> Setup {
        self.stored = Some(stored);
        self
    }

    /// Programs run in this sandbox.
    pub fn sandbox(mut self, sandbox: Arc<dyn Sandbox>) -> Setup {
        self.sandbox = Some(sandbox);
        self
    }

    /// Prompts have these examples, and not those that come with the domain.
    pub fn examples(mut self, examples: Arc<ExamplePool>) -> Setup {
        self.examples = Some(examples);
        self
    }

    /// The journal keeps whole prompts, and not only the answers.
    pub fn keeping_prompts(mut self, keeps: bool) -> Setup {
        self.keeps_prompts = keeps;
        self
    }

    /// Reads the events also of the opening: how far the sandbox and the reading of the world have
    /// come. Those that [`open`](Self::open) answers with begin after that.
    pub fn events(&self) -> Events {
        self.feed.after(0)
    }

    /// Opens the conversation.
    ///
    /// # Errors
    /// The policy of the domain is wrong, the world cannot be opened, the sandbox cannot be
    /// prepared, and those of [`Conversation::open`].
    pub async fn open(self) -> Result<(Conversation, Events)> {
        let Setup { domain, feed, .. } = self;
        let policy = match self.held {
            Held::ToDomain => Some(Arc::new(Policy::of_domain(&domain)?)),
            Held::To(policy) => Some(policy),
            Held::ToNothing => None,
        };
        let stored = match self.stored {
            Some(stored) => stored,
            None => {
                let store = self.store.map_or_else(SessionStore::of_user, Ok)?;
                StoredSession::find(store, self.session.as_deref())?
            }
        };
        let sandbox = match self.sandbox {
            Some(sandbox) => sandbox,
            None => {
                let told = feed.clone();
                let tell = &mut |step: Preparing| {
                    told.tell(Event::Preparing {
                        step: step.describe().to_owned(),
                    });
                };
                Arc::new(prepared(&domain, &Cache::of_user()?, tell).await?)
            }
        };
        let pool = match self.examples {
            Some(examples) => examples,
            // A trained model has learned them.
            None if !self.settings.protocol.is_instructed() => {
                Arc::new(ExamplePool::new(&[], &domain)?)
            }
            None => Arc::new(ExamplePool::built_in(&domain)?),
        };
        let (name, world, sign) = match self.world {
            Place::Opened {
                name,
                opened,
                is_signed,
            } => (name, opened, is_signed),
            Place::Named(named) => {
                let (named, found) = stored.world(&domain, &named)?;
                // What may not be written is not made either.
                let existing =
                    (policy.as_ref()).is_some_and(|policy| policy.mode == Mode::ReadOnly);
                let how = feed.opening(existing);
                let opened = domain.worlds()?.open(&named, how).await?;
                if let Some(what) = found.blind_spots {
                    feed.tell(Event::Unseen { what });
                }
                (found.name, opened, found.is_signed)
            }
        };
        let begun = stored.begin().map(|begin| begin.world.as_str());
        let opening = ConversationParts {
            stored: &stored,
            named: begun.unwrap_or(&name),
            world,
            model: self.model,
            sandbox,
            domain: &domain,
            pool,
            settings: Settings {
                sign,
                policy,
                ..self.settings
            },
            keep_prompts: self.keeps_prompts,
        };
        Conversation::open_telling(opening, feed).await
    }
}

/// The sandbox of a domain's programs. Preparing it for the first time takes about a minute.
///
/// # Errors
/// It cannot be prepared, or not be kept.
pub(crate) async fn prepared(
    domain: &Domain,
    cache: &Cache,
    progress: &mut (dyn FnMut(Preparing) + Send),
) -> Result<Engine> {
    let engine = Engine::prepare(&domain.api.client, cache, progress).await?;
    // The functions of a folder with worksheets have a sandbox of their own: its first call would
    // take as long, without a word.
    if let Some(client) = folder::functions_client(domain)
        && !Engine::is_prepared(client, cache)?
    {
        Engine::prepare(client, cache, progress).await?;
    }
    Ok(engine.with_setup(&domain.api.setup))
}
