//! A conversation in a program of your own: a world in memory, a model that follows a
//! script, and a yes to every plan. Run it with `cargo run --locked --example embed`.
#![allow(clippy::print_stdout, reason = "it shows what it did")]

use async_trait::async_trait;
use dialog2api::agent::Settings;
use dialog2api::domain::s3::{S3, open};
use dialog2api::exec::{Cache, Engine};
use dialog2api::journal::Store;
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::retrieval::ExamplePool;
use dialog2api::service::{Answer, Conversation, Event, Opening, StoredSession, TurnEnd};
use dialog2api::{Error, Result};
use std::{path::Path, sync::Arc, sync::Mutex};

/// What the model says: programs, then the reply. A real model is opened by `ModelSpec`.
const SCRIPT: [&str; 2] = [
    "<goal uid=\"1\" status=\"final\"><program>s3.create_bucket(Bucket='attic')</program></goal>",
    "<turn>Agent: The bucket attic is there.</turn>",
];

struct Scripted(Mutex<std::array::IntoIter<&'static str, 2>>);

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    async fn complete(
        &self,
        _: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let next = self.0.lock().ok().and_then(|mut script| script.next());
        Ok(Completion {
            text: next.unwrap_or_default().to_owned(),
            finish: None,
            usage: Usage::default(),
        })
    }
}

/// Holds a conversation of one turn; answers with what was planned and said.
pub async fn converse(cache: &Cache, sessions: &Path) -> Result<String> {
    let stored = StoredSession::find(Store::at(sessions), None)?;
    let (conversation, mut events) = Conversation::open(Opening {
        stored: &stored,
        named: "empty",
        world: open("empty")?,
        model: Arc::new(Scripted(Mutex::new(SCRIPT.into_iter()))),
        sandbox: Arc::new(Engine::prepare(&S3.client, cache, &mut |_| ()).await?),
        domain: &S3,
        pool: Arc::new(ExamplePool::built_in(&S3)?),
        settings: Settings::default(),
        keep_prompts: false,
    })
    .await?;
    let mut planned = Vec::new();
    let answer_plans = async {
        while let Some(event) = events.recv().await {
            if let Event::Plan(plan) = event {
                let created = plan.totals.containers_created;
                planned.push(format!("buckets to create: {created}"));
                conversation.decide(plan.plan, Answer::Apply)?;
            }
        }
        Err(Error::Usage("the conversation is over".to_owned()))
    };
    let turn = tokio::select! {
        turn = conversation.say("make a bucket attic") => turn?,
        over = answer_plans => over?,
    };
    conversation.close()?;
    let said = match turn.end {
        TurnEnd::Replied(reply) => reply.text,
        TurnEnd::Stopped(stopped) => stopped.to_string(),
    };
    Ok(format!("{}\n{said}", planned.join("\n")))
}

#[tokio::main]
async fn main() -> Result<()> {
    let sessions = std::env::temp_dir().join("dialog2api-embed");
    println!("{}", converse(&Cache::of_user()?, &sessions).await?);
    Ok(())
}
