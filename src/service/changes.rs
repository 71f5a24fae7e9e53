//! The changes that a turn made to the world.

use super::control::TurnControl;
use crate::domain::{Change, Domain, World};
use crate::error::Result;
use serde_json::Value as Json;
use std::sync::Arc;
use std::time::Duration;

/// The longest time for reading a world that is compared after each turn.
const LOOK: Duration = Duration::from_secs(2);

/// The contents of the world when it was last read.
pub(super) struct Content {
    domain: Arc<Domain>,
    summary: Option<Json>,
}

impl Content {
    /// Reads the world before the first turn. Where that takes too long or fails, changes
    /// are not shown, for the reason beside it.
    pub async fn first(domain: &Arc<Domain>, world: &dyn World) -> (Content, Option<String>) {
        let mut content = Content {
            domain: domain.clone(),
            summary: None,
        };
        let why = match tokio::time::timeout(LOOK, content.read(world)).await {
            Ok(Ok(summary)) => {
                content.summary = Some(summary);
                return (content, None);
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it is large or far away".to_owned(),
        };
        (content, Some(why))
    }

    async fn read(&self, world: &dyn World) -> Result<Json> {
        self.domain.contents()?.summary(world).await
    }

    /// The changes since the world was last read. If it cannot be read now, there is nothing to
    /// compare with later.
    pub async fn changes(&mut self, world: &dyn World, control: &TurnControl) -> Arc<[Change]> {
        let Some(before) = self.summary.take() else {
            return Arc::default();
        };
        let looking = tokio::time::timeout(LOOK, self.read(world));
        let Some(Ok(Ok(now))) = control.unless_cancelled(looking).await else {
            return Arc::default();
        };
        let changes = self.domain.contents();
        let changes = changes.and_then(|contents| contents.changes(&before, &now));
        self.summary = Some(now);
        changes.unwrap_or_default().into()
    }
}
