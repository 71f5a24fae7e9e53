//! A front end without a terminal: it reads one request a line and writes every event as a line
//! of JSON. `printf 'make a bucket attic\nyes\n' | cargo run --locked --example front_end`.
//!
//! A front end has no rules of its own. It draws the events, and passes on what the user says: here
//! the line after a plan is the answer to it.

use dialog2api::domain::s3::S3;
use dialog2api::exec::{Cache, Engine};
use dialog2api::journal::SessionStore;
use dialog2api::llm::Script;
use dialog2api::service::{Conversation, Event, Events, PlanAnswer, Setup};
use dialog2api::{Error, Result};
use std::io::{self, BufRead, Write};
use std::{path::Path, sync::Arc};

/// What the model says: a program and a reply for each request. `Setup::asking` opens a real model.
const ANSWERS: [&str; 4] = [
    "<goal uid=\"1\" status=\"final\"><program>s3.create_bucket(Bucket='attic')</program></goal>",
    "<turn>Agent: The bucket attic is there.</turn>",
    "<goal uid=\"2\" status=\"final\"><program>return [b['Name'] for b in s3.list_buckets()['Buckets']]</program></goal>",
    "<turn>Agent: There is one bucket, attic.</turn>",
];

/// Draws the events of a turn until it has ended, and takes the answer to a plan from `lines`.
async fn draw(
    conversation: &Conversation,
    events: &mut Events,
    lines: &mut (dyn Iterator<Item = String> + Send),
    out: &mut (impl Write + Send),
) -> Result<()> {
    while let Some(event) = events.recv().await {
        let line = serde_json::to_string(&event).map_err(io::Error::from);
        let drawn = line.and_then(|line| writeln!(out, "{line}"));
        drawn.map_err(Error::file("cannot write", "standard output"))?;
        match event {
            Event::Plan(plan) => {
                let answer = match lines.next().as_deref() {
                    Some("yes") => PlanAnswer::Apply,
                    _ => PlanAnswer::Decline,
                };
                conversation.decide(plan.plan, answer)?;
            }
            Event::TurnEnded(_) => break,
            _ => {}
        }
    }
    Ok(())
}

/// Holds a conversation about an empty world: requests and answers in, events out.
pub async fn converse(
    cache: &Cache,
    sessions: &Path,
    input: impl BufRead + Send,
    mut out: impl Write + Send,
) -> Result<()> {
    let engine = Engine::prepare(&S3.api.client, cache, &mut |_| ()).await?;
    let setup = Setup::new(&S3, Arc::new(Script::new(ANSWERS)))
        .named("empty")
        .sandbox(Arc::new(engine))
        .sessions(SessionStore::at(sessions));
    let (conversation, mut events) = setup.open().await?;
    let mut lines = input.lines().map_while(std::result::Result::ok);
    while let Some(said) = lines.next() {
        let drawing = draw(&conversation, &mut events, &mut lines, &mut out);
        tokio::try_join!(conversation.say(&said), drawing)?;
    }
    conversation.close()
}

#[tokio::main]
async fn main() -> Result<()> {
    let sessions = std::env::temp_dir().join("dialog2api-front-end");
    let input = io::BufReader::new(io::stdin());
    converse(&Cache::of_user()?, &sessions, input, io::stdout()).await
}
