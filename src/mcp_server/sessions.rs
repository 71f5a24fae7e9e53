//! The sessions that are open.

use super::open::{OfClient, Open};
use super::{Inner, ServerParts};
use crate::error::{Error, FailureReason, Result};
use crate::journal::read_plan_id;
use crate::retrieval::ExamplePool;
use crate::service::{Event, Setup};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// How long the end of the server waits for a session that is being opened.
const OPENING: Duration = Duration::from_secs(2);

/// The open sessions, by name.
#[derive(Default)]
pub struct Sessions {
    open: Mutex<HashMap<String, Arc<Open>>>,
    /// The session of calls that name none, by connection.
    default: Mutex<HashMap<String, String>>,
}

impl Sessions {
    /// Closes the sessions in which nothing waits.
    pub async fn close(&self) -> Result<()> {
        // One that is being opened may wait for the sandbox for minutes, and has no entries yet.
        let Ok(mut open) = tokio::time::timeout(OPENING, self.open.lock()).await else {
            return Ok(());
        };
        for (_, session) in open.drain() {
            if session.is_idle() {
                session.conversation.close()?;
            }
        }
        Ok(())
    }
}

impl Inner {
    /// The session of this name, or that of calls on a connection which name none. It is begun
    /// where there is none yet.
    pub async fn session(&self, name: Option<&str>, connection: &str) -> Result<Arc<Open>> {
        match name {
            Some(name) => self.open(Some(name)).await,
            None => {
                let mut default = self.sessions.default.lock().await;
                let open = self
                    .open(default.get(connection).map(String::as_str))
                    .await?;
                default.insert(connection.to_owned(), open.name.clone());
                Ok(open)
            }
        }
    }

    pub async fn session_of(&self, plan: &str) -> Result<Arc<Open>> {
        let (name, _) = read_plan_id(plan)?;
        self.known(name).await
    }

    /// The session of this name, which is there already.
    pub async fn known(&self, name: &str) -> Result<Arc<Open>> {
        if !self.parts.store.has(name)? {
            return Err(Error::usage(format!(
                "there is no session {name}; sessions lists them"
            )));
        }
        self.open(Some(name)).await
    }

    async fn open(&self, name: Option<&str>) -> Result<Arc<Open>> {
        let mut open = self.sessions.open.lock().await;
        if let Some(known) = name.and_then(|name| open.get(name)) {
            return Ok(known.clone());
        }
        // A world on disk lets itself be opened once, so sessions in which nothing waits make
        // room.
        let idle = open.extract_if(|_, session| session.is_idle());
        for (_, session) in idle {
            session.conversation.close()?;
        }
        let session = opened(&self.parts, name).await;
        let session = session.map_err(|error| way_out(error, open.values()))?;
        open.insert(session.name.clone(), session.clone());
        Ok(session)
    }
}

/// Says of a world that is open already how this client comes to it.
fn way_out<'s>(error: Error, mut open: impl Iterator<Item = &'s Arc<Open>>) -> Error {
    if !error.is(FailureReason::Taken) {
        return error;
    }
    error.map_text(|why| match open.next() {
        Some(session) => format!(
            "the world is open in the session {} of this server, in which {}",
            session.name,
            session.holding()
        ),
        None => format!(
            "{why}. Several clients share a world through one server, which `dialog2api mcp --http` \
             starts"
        ),
    })
}

async fn opened(parts: &ServerParts, name: Option<&str>) -> Result<Arc<Open>> {
    let setup = Setup::new(&parts.domain, Arc::new(OfClient))
        .world_of_adapted(parts.world.clone())
        .held_to(parts.settings.policy.clone())
        .settings(parts.settings.clone())
        .sandbox(parts.host.sandbox().await?)
        .examples(Arc::new(ExamplePool::new(&[], &parts.domain)?))
        .sessions(parts.store.clone())
        .session(name);
    let (conversation, _) = setup.open().await?;
    let (host, mut events) = (parts.host.clone(), conversation.events(0));
    tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            if let Event::Link(link) = event {
                host.link(&link);
            }
        }
    });
    Ok(Open::new(conversation, &parts.domain))
}
