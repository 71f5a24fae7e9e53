//! The way of a call from a layer to the world inside.

use super::{Answer, Touched, Value, World};
use crate::error::Result;
use std::sync::{Mutex, PoisonError};

/// Makes calls of a world in the way in which a layer around it was called.
pub struct Onward<'w> {
    world: &'w dyn World,
    way: Way,
    /// What each call changed, where that is asked for; `None` where the world does not know it.
    touched: Mutex<Vec<Option<Vec<Touched>>>>,
}

/// The method of [`World`] by which a call came.
enum Way {
    Called,
    Streamed,
    Once,
    Repeated,
    Observed,
}

impl<'w> Onward<'w> {
    /// By [`World::call`].
    pub(super) fn called(world: &'w dyn World) -> Self {
        Onward::by(Way::Called, world)
    }

    /// By [`World::call_streamed`].
    pub(super) fn streamed(world: &'w dyn World) -> Self {
        Onward::by(Way::Streamed, world)
    }

    /// By [`World::call_once`].
    pub(super) fn once(world: &'w dyn World) -> Self {
        Onward::by(Way::Once, world)
    }

    /// By [`World::repeat`].
    pub(super) fn repeated(world: &'w dyn World) -> Self {
        Onward::by(Way::Repeated, world)
    }

    /// By [`World::call_observed`].
    pub(super) fn observed(world: &'w dyn World) -> Self {
        Onward::by(Way::Observed, world)
    }

    fn by(way: Way, world: &'w dyn World) -> Self {
        Onward {
            world,
            way,
            touched: Mutex::default(),
        }
    }

    /// Makes a call of the world inside: the one that came, or another in its place.
    ///
    /// # Errors
    /// As [`World::call`].
    pub async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let world = self.world;
        match self.way {
            Way::Called => world.call(operation, params).await,
            Way::Streamed => world.call_streamed(operation, params).await,
            Way::Once => world.call_once(operation, params).await,
            Way::Repeated => world.repeat(operation, params).await,
            Way::Observed => {
                let (answer, touched) = world.call_observed(operation, params).await?;
                let mut all = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
                all.push(touched);
                Ok(answer)
            }
        }
    }

    /// What the calls changed together. `None` if the layer answered alone, or if the world did not
    /// know it of one of them.
    pub(super) fn touched(self) -> Option<Vec<Touched>> {
        let all = self.touched.into_inner();
        let all = all.unwrap_or_else(PoisonError::into_inner);
        if all.is_empty() {
            return None;
        }
        let each: Option<Vec<_>> = all.into_iter().collect();
        Some(each?.concat())
    }
}
