//! The time of a turn.

use super::{Agent, Now, Session};
use crate::domain::{Layer, World};
use crate::exec::Seed;
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use std::sync::Arc;

impl Agent {
    /// The seed of the program of a goal in the turn under way.
    pub(super) fn seed(&self, session: &Session, uid: u32) -> Seed {
        let of_turn = Seed {
            now: self.now(session).unwrap_or(self.settings.seed.now),
            ..self.settings.seed
        };
        of_turn.of_program(session.turns().len(), uid)
    }

    /// The day of the turn under way, in UTC, as the model is told it.
    pub(super) fn today(&self, session: &Session) -> Option<Date> {
        let now = self.now(session)?;
        Some(now.to_zoned(jiff::tz::TimeZone::UTC).date())
    }

    fn now(&self, session: &Session) -> Option<Timestamp> {
        match session.now() {
            Now::OfWorld => self.world.own_time(),
            Now::At(now) => Some(now),
            Now::Unknown => None,
        }
    }
}

/// A world whose time programs do not have, as before there were times.
pub(crate) struct Timeless(pub Arc<dyn World>);

#[async_trait]
impl Layer for Timeless {
    fn under(&self) -> &dyn World {
        &*self.0
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Timeless(self.0.fork()?)))
    }

    fn reached(&self) -> Option<Timestamp> {
        None
    }
}

/// A world whose programs are never behind the machine, so that what they write there is not
/// newer than they are.
pub(super) struct MachineTime(pub Arc<dyn World>);

#[async_trait]
impl Layer for MachineTime {
    fn under(&self) -> &dyn World {
        &*self.0
    }

    fn reached(&self) -> Option<Timestamp> {
        let now = Timestamp::now();
        Some(self.0.reached_time().map_or(now, |held| held.max(now)))
    }
}
