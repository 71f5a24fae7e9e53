//! A real server, borrowed for one dialogue after the other.

use crate::domain::{Domain, World};
use crate::error::{Error, Result};
use std::sync::Arc;

/// An account on a server that holds nothing, and holds nothing again after each use.
pub struct Borrowed {
    domain: &'static dyn Domain,
    world: Arc<dyn World>,
}

/// So many of the things in the way are named.
const NAMED: usize = 5;

impl Borrowed {
    /// Nothing is done yet.
    pub fn new(domain: &'static dyn Domain, world: Arc<dyn World>) -> Self {
        Borrowed { domain, world }
    }

    /// Refuses an account that holds anything: whatever is there after a use is taken
    /// away, so it must be ours.
    ///
    /// # Errors
    /// It holds something, or cannot be looked at.
    pub async fn check_empty(&self) -> Result<()> {
        let held = self.domain.holdings(&*self.world).await?;
        if held.is_empty() {
            return Ok(());
        }
        let mut named = held.iter().take(NAMED).cloned().collect::<Vec<_>>();
        if let Some(more) = held.len().checked_sub(NAMED).filter(|more| *more > 0) {
            named.push(format!("{more} more"));
        }
        Err(Error::Usage(format!(
            "{} is not empty, it has {}. A replay takes away all that is there when it ends, so it \
             begins only on an account that holds nothing: use another one, or empty this one",
            self.world.describe(),
            named.join(", ")
        )))
    }

    /// Puts the initial world there, lets `work` use it, and takes away what is there
    /// then: also when something failed, and when `stop` ended it early.
    ///
    /// # Errors
    /// Those of [`Borrowed::check_empty`], of the server, of `work`, and an
    /// [`Error::World`] when it was stopped.
    pub async fn lend<T, W: Future<Output = Result<T>>>(
        &self,
        initial: &dyn World,
        stop: impl Future<Output = ()>,
        work: impl FnOnce(Arc<dyn World>) -> W,
    ) -> Result<T> {
        self.check_empty().await?;
        let used = async {
            self.domain.install(initial, &*self.world).await?;
            work(self.world.clone()).await
        };
        let used = tokio::select! {
            biased;
            used = used => used,
            () = stop => Err(Error::World("stopped before the end".to_owned())),
        };
        match (used, self.domain.clear(&*self.world).await) {
            (used, Ok(())) => used,
            (Ok(_), Err(left)) => Err(Error::World(format!(
                "what the replay left on the server could not be taken away: {left}"
            ))),
            (Err(error), Err(left)) => Err(Error::World(format!(
                "{error}; and what the replay left on the server could not be taken away: {left}"
            ))),
        }
    }
}
