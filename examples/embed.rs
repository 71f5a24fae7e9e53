//! The agent in a program of your own: a world in memory, and a model that follows a script.
//! Run it with `cargo run --locked --example embed`.
#![allow(clippy::print_stdout, reason = "it shows what it did")]

use async_trait::async_trait;
use dialog2api::agent::{Agent, Session, Settings, Unwatched};
use dialog2api::domain::s3::{S3, world};
use dialog2api::exec::{Cache, Engine};
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::{Result, retrieval::ExamplePool};
use std::sync::{Arc, Mutex};

/// What the model says: programs, then the reply. A real one is opened by `ModelSpec`.
const ANSWERS: [&str; 2] = [
    "<goal uid=\"1\" status=\"final\"><program>return len(s3.list_buckets()['Buckets'])</program></goal>",
    "<turn>Agent: You have 2 buckets.</turn>",
];

struct Script(Mutex<std::array::IntoIter<&'static str, 2>>);

#[async_trait]
impl Model for Script {
    fn name(&self) -> &str {
        "script"
    }

    async fn complete(
        &self,
        _: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let mut answers = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(Completion {
            text: answers.next().unwrap_or_default().to_owned(),
            finish: None,
            usage: Usage::default(),
        })
    }
}

/// Asks one question; answers with the outcome of the program and the reply.
pub async fn converse(cache: &Cache) -> Result<String> {
    let model = Arc::new(Script(Mutex::new(ANSWERS.into_iter())));
    let sandbox = Arc::new(Engine::prepare(&S3.client, cache, &mut |_| ()).await?);
    let world = Arc::new(world::memory("zoology")?);
    let examples = Arc::new(ExamplePool::built_in(&S3)?);
    let agent = Agent::new(model, sandbox, world, &S3, examples, Settings::default())?;
    let mut session = Session::new();
    let asked = "How many buckets do I have?";
    let turn = agent.turn(&mut session, asked, &mut Unwatched).await;
    Ok(format!(
        "{:?}\n{}",
        turn.executed[0].execution.outcome, turn.reply
    ))
}

#[tokio::main]
async fn main() -> Result<()> {
    println!("{}", converse(&Cache::of_user()?).await?);
    Ok(())
}
