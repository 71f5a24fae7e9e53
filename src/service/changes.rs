//! What a turn changed in the world.

use super::desk::Desk;
use super::event::Event;
use crate::domain::{Change, Domain, World};
use crate::error::Result;
use serde_json::Value as Json;
use std::sync::Arc;
use std::time::Duration;

/// A world that takes longer to read is not compared after each turn.
const LOOK: Duration = Duration::from_secs(2);

/// What the world held when it was read last.
pub(super) struct Content {
    domain: Arc<Domain>,
    summary: Option<Json>,
}

impl Content {
    /// Reads the world before the first turn. Where that takes too long or fails, changes
    /// are not shown, and the front end is told so.
    pub async fn first(domain: &Arc<Domain>, world: &dyn World, desk: &Desk) -> Content {
        let mut content = Content {
            domain: domain.clone(),
            summary: None,
        };
        let why = match tokio::time::timeout(LOOK, content.read(world)).await {
            Ok(Ok(summary)) => {
                content.summary = Some(summary);
                return content;
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it is large or far away".to_owned(),
        };
        desk.tell(Event::ChangesNotShown { why });
        content
    }

    async fn read(&self, world: &dyn World) -> Result<Json> {
        self.domain.contents()?.summary(world).await
    }

    /// What has changed since the last look. Without a look now there is nothing to compare
    /// with later.
    pub async fn changes(&mut self, world: &dyn World, desk: &Desk) -> Vec<Change> {
        let Some(before) = self.summary.take() else {
            return Vec::new();
        };
        let looking = tokio::time::timeout(LOOK, self.read(world));
        let Some(Ok(Ok(now))) = desk.unless_cancelled(looking).await else {
            return Vec::new();
        };
        let changes = self.domain.contents();
        let changes = changes.and_then(|contents| contents.changes(&before, &now));
        self.summary = Some(now);
        changes.unwrap_or_default()
    }
}
