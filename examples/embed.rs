//! A conversation in a program of your own: a world in memory, a model that follows a
//! script, and a yes to every plan. Run it with `cargo run --locked --example embed`.
#![allow(clippy::print_stdout, reason = "it shows what it did")]

use dialog2api::agent::Settings;
use dialog2api::domain::s3::{S3, open};
use dialog2api::exec::{Cache, Engine};
use dialog2api::journal::Store;
use dialog2api::llm::Script;
use dialog2api::retrieval::ExamplePool;
use dialog2api::service::{Answer, Conversation, Event, Opening, StoredSession, TurnEnd};
use dialog2api::{Error, Result};
use std::{path::Path, sync::Arc};

/// What the model says: programs, then the reply. `ModelSpec` opens a real model.
const ANSWERS: [&str; 2] = [
    "<goal uid=\"1\" status=\"final\"><program>s3.create_bucket(Bucket='attic')</program></goal>",
    "<turn>Agent: The bucket attic is there.</turn>",
];

/// Holds a conversation of one turn; answers with what was planned and said.
pub async fn converse(cache: &Cache, sessions: &Path) -> Result<String> {
    let stored = StoredSession::find(Store::at(sessions), None)?;
    let (conversation, mut events) = Conversation::open(Opening {
        stored: &stored,
        named: "empty",
        world: open("empty")?,
        model: Arc::new(Script::new(ANSWERS)),
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
