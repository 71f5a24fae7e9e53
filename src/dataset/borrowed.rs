//! A real server, borrowed for one dialogue after the other.

use crate::domain::{Domain, World};
use crate::error::{Error, Result};
use std::sync::Arc;

/// An account on a server that held nothing when it was borrowed, and holds nothing when
/// it is given back.
pub struct Borrowed {
    domain: Arc<Domain>,
    world: Arc<dyn World>,
}

/// So many of the things in the way are named.
const NAMED: usize = 5;

impl Borrowed {
    /// Borrows an account. One that holds anything is refused: whatever is there at the
    /// end is taken away, so it must be ours.
    ///
    /// # Errors
    /// It holds something, or cannot be looked at.
    pub async fn borrow(domain: &Arc<Domain>, world: Arc<dyn World>) -> Result<Self> {
        let held = domain.contents()?.holdings(&*world).await?;
        if held.is_empty() {
            return Ok(Borrowed {
                domain: domain.clone(),
                world,
            });
        }
        let mut named = held.iter().take(NAMED).cloned().collect::<Vec<_>>();
        if let Some(more) = held.len().checked_sub(NAMED).filter(|more| *more > 0) {
            named.push(format!("{more} more"));
        }
        Err(Error::Usage(format!(
            "{} is not empty, it has {}. A replay deletes all that is there when it ends, so it \
             begins only on an account that holds nothing: use another one, or empty this one",
            world.describe(),
            named.join(", ")
        )))
    }

    /// The account, holding what this world holds and nothing else. What was there before
    /// is deleted.
    ///
    /// # Errors
    /// The server refuses something, or is not reached.
    pub async fn starting_from(&self, initial: &dyn World) -> Result<Arc<dyn World>> {
        self.domain
            .contents()?
            .restore(initial, &*self.world)
            .await?;
        Ok(self.world.clone())
    }

    /// Deletes all that is there. Nothing does that by itself: whoever has borrowed an
    /// account gives it back, also after a failure.
    ///
    /// # Errors
    /// What is left there, and why.
    pub async fn give_back(&self) -> Result<()> {
        self.domain
            .contents()?
            .clear(&*self.world)
            .await
            .map_err(|error| {
                Error::World(format!(
                    "what the replay left on the server could not be taken away: {error}"
                ))
            })
    }
}
