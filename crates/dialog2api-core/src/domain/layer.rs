//! Layers: worlds around worlds.

use super::{Answer, Moved, Refusal, Signer, Slate, Spent, StateValue, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use std::sync::Arc;

/// A world around another one. It handles the calls, and the inner world does everything else.
/// Every layer is a [`World`].
///
/// Through a layer [`World::call_once`] is an ordinary call: plans are applied to the world
/// inside.
#[async_trait]
pub trait Layer: Send + Sync {
    /// The world inside.
    fn under(&self) -> &dyn World;

    /// Answers a call, or passes it to the world inside.
    async fn pass(&self, operation: &str, params: &Value) -> Result<Answer>;

    /// The answer to a read where it is known without asking for it alone: see [`World::known`]. By
    /// default what the world inside knows, also of calls that the layer would refuse: it is for
    /// those who judge and plan calls, and no program.
    async fn told(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        self.under().known(operation, params).await
    }

    /// A program has made this call: see [`World::follow`]. A layer that refuses calls takes them
    /// from what `may` allows. By default the world inside is told.
    fn followed(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        self.under().follow(operation, params, answer, may);
    }

    /// A fork; by default one of the world inside, without this layer.
    fn split(&self) -> Option<Arc<dyn World>> {
        self.under().fork()
    }

    /// The time that programs have at least; by default that of the world inside.
    fn reached(&self) -> Option<Timestamp> {
        self.under().reached_time()
    }

    /// One line for people; by default that of the world inside.
    fn title(&self) -> String {
        self.under().describe()
    }
}

#[async_trait]
impl<L: Layer> World for L {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.pass(operation, params).await
    }

    async fn known(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        self.told(operation, params).await
    }

    fn follow(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        self.followed(operation, params, answer, may);
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        self.split()
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.under().state(signer).await
    }

    fn state_value(&self) -> Option<StateValue> {
        self.under().state_value()
    }

    fn slate(&self) -> Option<&Slate> {
        self.under().slate()
    }

    async fn objection(&self, operation: &str, params: &Value) -> Result<Option<Refusal>> {
        self.under().objection(operation, params).await
    }

    fn call_lines(&self, operation: &str, params: &Value) -> Vec<String> {
        self.under().call_lines(operation, params)
    }

    fn spent(&self) -> Option<Spent> {
        self.under().spent()
    }

    fn waits(&self) -> bool {
        self.under().waits()
    }

    fn moved(&self) -> Option<Moved> {
        self.under().moved()
    }

    fn own_time(&self) -> Option<Timestamp> {
        self.under().own_time()
    }

    fn reached_time(&self) -> Option<Timestamp> {
        self.reached()
    }

    fn hold_time(&self, now: Timestamp) {
        self.under().hold_time(now);
    }

    fn describe(&self) -> String {
        self.title()
    }
}
