//! What a turn changed in the world.

use super::desk::Desk;
use super::event::Event;
use crate::domain::World;
use crate::domain::s3::show::{Change, Summary, diff, summary};
use std::time::Duration;

/// A world that takes longer to read is not compared after each turn.
const LOOK: Duration = Duration::from_secs(2);

/// What the world held when it was read last.
pub(super) struct Content(Option<Summary>);

impl Content {
    /// Reads the world before the first turn. Where that takes too long or fails, changes
    /// are not shown, and the front end is told so.
    pub async fn first(world: &dyn World, desk: &Desk) -> Content {
        let why = match tokio::time::timeout(LOOK, summary(world)).await {
            Ok(Ok(content)) => return Content(Some(content)),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it is large or far away".to_owned(),
        };
        desk.tell(Event::ChangesNotShown { why });
        Content(None)
    }

    /// What has changed since the last look. Without a look now there is nothing to compare
    /// with later.
    pub async fn changes(&mut self, world: &dyn World, desk: &Desk) -> Vec<Change> {
        let Some(before) = self.0.take() else {
            return Vec::new();
        };
        let looking = tokio::time::timeout(LOOK, summary(world));
        let Some(Ok(Ok(now))) = desk.unless_cancelled(looking).await else {
            return Vec::new();
        };
        let changes = diff(&before, &now);
        self.0 = Some(now);
        changes
    }
}
