//! Conversations, whose model is any model or the client.

use super::Worker;
use super::asked::ClientModel;
use super::line::Opening;
use super::programs::policy;
use crate::agent::{Assist, Settings};
use crate::dialogue::format::write_transcript;
use crate::error::{Error, Result};
use crate::exec::Seed;
use crate::journal::SessionStore;
use crate::llm::{Model, ModelSpec};
use crate::policy::Policy;
use crate::prompts::Form;
use crate::service::{Cancelled, Conversation, Event, PlanAnswer, Setup, Snapshot};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The conversations, by number.
#[derive(Default)]
pub struct Conversations(Mutex<Numbered>);

#[derive(Default)]
struct Numbered {
    last: u64,
    open: HashMap<u64, Arc<Conversation>>,
}

impl Conversations {
    async fn get(&self, number: u64) -> Result<Arc<Conversation>> {
        let numbered = self.0.lock().await;
        let open = numbered.open.get(&number).cloned();
        open.ok_or_else(|| Error::usage(format!("there is no conversation {number} (any more)")))
    }

    /// Closes all of them. What cannot be written is in no worse state than after a crash.
    pub async fn close(&self) {
        for (_, conversation) in self.0.lock().await.open.drain() {
            let _ = conversation.close();
        }
    }
}

impl Worker {
    pub(super) async fn open(&self, opening: Opening) -> Result<Json> {
        let held = self.worlds.get(opening.world).await?;
        let domain = &held.known.domain;
        let number = {
            let mut numbered = self.conversations.0.lock().await;
            numbered.last += 1;
            numbered.last
        };
        let (model, form) = self.model(&opening, number)?;
        let mut allowed = match (&opening.policy, &domain.policy) {
            (Some(text), _) => policy(text, domain)?,
            (None, Some(text)) => policy(text, domain)?,
            (None, None) => Policy::default(),
        };
        if let Some(mode) = opening.mode {
            allowed.mode = mode;
        }
        let store = match &opening.sessions {
            Some(folder) => SessionStore::at(folder),
            None => SessionStore::of_user()?,
        };
        let settings = Settings {
            protocol: form.protocol(),
            limits: opening.limits.limits()?,
            seed: Seed {
                random: opening.seed,
                ..Seed::default()
            },
            sampling: opening.seed,
            assist: Assist::all(),
            ..Settings::default()
        };
        let sandbox = held.known.engine().await?.clone();
        let setup = Setup::new(domain, model)
            .opened(&held.name, held.opened.clone(), held.is_signed)
            .policy(allowed)
            .settings(settings)
            .sandbox(sandbox)
            .sessions(store)
            .session(opening.session.as_deref());
        let (conversation, mut events) = setup.open().await?;
        let Snapshot {
            session, cut_off, ..
        } = conversation.snapshot()?;
        let conversation = Arc::new(conversation);
        held.told.heard_by(&conversation);
        let mut numbered = self.conversations.0.lock().await;
        numbered.open.insert(number, conversation);
        let (out, plan) = (self.out.clone(), self.host.plan);
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                let mut told = json!(event);
                if let Event::Plan(view) = &event {
                    told["text"] = plan(view).into();
                }
                out.say(&json!({"conversation": number, "event": told}));
            }
        });
        Ok(json!({"conversation": number, "session": session, "cut_off": cut_off}))
    }

    fn model(&self, opening: &Opening, number: u64) -> Result<(Arc<dyn Model>, Form)> {
        let Some(name) = &opening.model else {
            let model = ClientModel {
                name: "client".to_owned(),
                number,
                asked: self.asked.clone(),
            };
            return Ok((Arc::new(model), Form::default()));
        };
        let spec = ModelSpec {
            model: Some(name.clone()),
            base_url: opening.base_url.clone(),
            config_file: None,
        };
        let choice = spec.resolve(&|name: &str| std::env::var(name).ok())?;
        let form = choice.form();
        Ok((Arc::from(choice.open()?), form))
    }

    pub(super) async fn say(&self, number: u64, text: &str) -> Result<Json> {
        let conversation = self.conversations.get(number).await?;
        Ok(json!(conversation.say(text).await?))
    }

    pub(super) async fn decide(&self, number: u64, plan: u64, apply: bool) -> Result<Json> {
        let answer = if apply {
            PlanAnswer::Apply
        } else {
            PlanAnswer::Decline
        };
        self.conversations.get(number).await?.decide(plan, answer)?;
        Ok(Json::Null)
    }

    pub(super) async fn go_on(&self, number: u64, go_on: bool) -> Result<Json> {
        let conversation = self.conversations.get(number).await?;
        // The client has one question at a time, and answers that.
        let id = conversation.pending_cost().map_or(0, |cost| cost.id);
        conversation.let_go_on(id, go_on)?;
        Ok(Json::Null)
    }

    pub(super) async fn cancel(&self, number: u64) -> Result<Json> {
        let conversation = self.conversations.get(number).await?;
        Ok(json!(conversation.cancel() != Cancelled::Nothing))
    }

    pub(super) async fn undo(&self, number: u64, plan: Option<u64>) -> Result<Json> {
        let conversation = self.conversations.get(number).await?;
        Ok(json!(conversation.undo(plan).await?))
    }

    pub(super) async fn transcript(&self, number: u64) -> Result<Json> {
        let conversation = self.conversations.get(number).await?;
        let name = conversation.open_session().journal().name().to_owned();
        let transcript = conversation.transcript(&name)?;
        Ok(json!(write_transcript(&transcript)))
    }

    /// What is filled in, what is missing, and why it is asked; null without worksheets.
    pub(super) async fn forms(&self, number: u64) -> Result<Json> {
        let situation = self.conversations.get(number).await?.situation()?;
        Ok(json!(situation.map(|situation| situation.shown)))
    }

    pub(super) async fn close(&self, number: u64) -> Result<Json> {
        let conversation = self.conversations.get(number).await?;
        self.conversations.0.lock().await.open.remove(&number);
        conversation.close()?;
        Ok(Json::Null)
    }
}
