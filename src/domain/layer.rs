//! Worlds laid over worlds.

use super::{Answer, Signer, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::sync::Arc;

/// A world laid over another one: it stands in the way of calls, and is the world under
/// it in everything else. Every layer is a [`World`].
///
/// [`World::call_once`] is an ordinary call through a layer: a plan is applied to the world
/// itself.
#[async_trait]
pub trait Layer: Send + Sync {
    /// The world under it.
    fn under(&self) -> &dyn World;

    /// Answers a call, or lets the world under it answer.
    async fn pass(&self, operation: &str, params: &Value) -> Result<Answer>;

    /// What a fork is: by default one of the world under it, without this layer.
    fn split(&self) -> Option<Arc<dyn World>> {
        self.under().fork()
    }

    /// One line for people: by default that of the world under it.
    fn title(&self) -> String {
        self.under().describe()
    }
}

#[async_trait]
impl<L: Layer> World for L {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.pass(operation, params).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        self.split()
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.under().state(signer).await
    }

    fn writes(&self, operation: &str) -> bool {
        self.under().writes(operation)
    }

    fn describe(&self) -> String {
        self.title()
    }
}
