//! An empty account on a real server, for replaying one dialogue after the other.

use crate::domain::{Domain, World};
use crate::error::{Error, Result};
use std::sync::Arc;

/// An account that is empty before the first replay and after the last.
pub struct EmptyAccount {
    domain: Arc<Domain>,
    world: Arc<dyn World>,
}

/// How many of the things in an account that is not empty are named.
const NAMED: usize = 5;

impl EmptyAccount {
    /// Takes an account that is empty. Everything in it is deleted at the end, so nothing may
    /// be in it now.
    ///
    /// # Errors
    /// The account holds something, or cannot be read.
    pub async fn take(domain: &Arc<Domain>, world: Arc<dyn World>) -> Result<Self> {
        let held = domain.contents()?.holdings(&*world).await?;
        if held.is_empty() {
            return Ok(EmptyAccount {
                domain: domain.clone(),
                world,
            });
        }
        let mut named = held.iter().take(NAMED).cloned().collect::<Vec<_>>();
        if let Some(more) = held.len().checked_sub(NAMED).filter(|more| *more > 0) {
            named.push(format!("{more} more"));
        }
        Err(Error::usage(format!(
            "{} is not empty, it has {}. A replay deletes all that is there when it ends, so it \
             begins only on an account that holds nothing: use another one, or empty this one",
            world.describe(),
            named.join(", ")
        )))
    }

    /// Makes the content of the account that of this world.
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

    /// Deletes everything in the account. Call it after a failure too: dropping the value
    /// deletes nothing.
    ///
    /// # Errors
    /// Something could not be deleted, and why.
    pub async fn empty(&self) -> Result<()> {
        let contents = self.domain.contents()?;
        contents.clear(&*self.world).await.map_err(|error| {
            Error::world(format!(
                "what the replay left on the server could not be taken away: {error}"
            ))
        })
    }
}
