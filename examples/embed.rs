//! A conversation in a program of your own: a world in memory, a model that follows a
//! script, and a yes to every plan. Run it with `cargo run --locked --example embed`.
#![allow(clippy::print_stdout, reason = "it shows what it did")]

use dialog2api::domain::s3::S3;
use dialog2api::exec::{Cache, Engine};
use dialog2api::journal::SessionStore;
use dialog2api::llm::Script;
use dialog2api::service::{Event, PlanAnswer, Setup, TurnEnd};
use dialog2api::{Error, Result};
use std::{path::Path, sync::Arc};

/// What the model says: programs, then the reply.
const ANSWERS: [&str; 2] = [
    "<goal uid=\"1\" status=\"final\"><program>s3.create_bucket(Bucket='attic')</program></goal>",
    "<turn>Agent: The bucket attic is there.</turn>",
];

/// Holds a conversation of one turn; answers with what was planned and said.
pub async fn converse(cache: &Cache, sessions: &Path) -> Result<String> {
    // A setup needs no more than a domain and a model; `Setup::asking` opens a real model. The
    // policy is the domain's or the built-in one. Here the places of everything are the caller's.
    let engine = Engine::prepare(&S3.api.client, cache, &mut |_| ()).await?;
    let setup = Setup::new(&S3, Arc::new(Script::new(ANSWERS)))
        .named("empty")
        .sandbox(Arc::new(engine))
        .sessions(SessionStore::at(sessions));
    let (conversation, mut events) = setup.open().await?;
    let mut planned = Vec::new();
    let answer_plans = async {
        while let Some(event) = events.recv().await {
            if let Event::Plan(plan) = event {
                let created = plan.totals.containers_created;
                planned.push(format!("buckets to create: {created}"));
                conversation.decide(plan.plan, PlanAnswer::Apply)?;
            }
        }
        Err(Error::usage("the conversation is over"))
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
