//! Layers: worlds around worlds.

use super::{
    Answer, Moved, Onward, Refusal, Signer, Slate, Spent, StateValue, Touched, Value, World,
};
use crate::error::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use std::path::PathBuf;
use std::sync::Arc;

/// A world around another one. It may handle the calls and replace what is shown of the world
/// inside, which does everything else. Every layer is a [`World`].
///
/// A layer that hides something replaces each method that would tell it: [`told`](Self::told),
/// [`signed`](Self::signed), [`shown`](Self::shown), [`split`](Self::split) and
/// [`title`](Self::title), which all show the world inside by default.
#[async_trait]
pub trait Layer: Send + Sync {
    /// The world inside.
    fn under(&self) -> &dyn World;

    /// Answers a call, or passes it on. However a call was made ([`World::call_once`],
    /// [`World::repeat`], …), it comes here, and `onward` makes it in that way inside. By default
    /// it is passed on.
    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        onward.call(operation, params).await
    }

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

    /// Appends the state to a signature: see [`World::state`].
    async fn signed(&self, signer: &mut Signer) -> Result<()> {
        self.under().state(signer).await
    }

    /// The state as a value: see [`World::state_value`].
    fn shown(&self) -> Option<StateValue> {
        self.under().state_value()
    }

    /// What an agent keeps beside the state: see [`World::slate`].
    fn kept(&self) -> Option<&Slate> {
        self.under().slate()
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

// A method with a default in `World` would be lost here without a word.
#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<L: Layer> World for L {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let onward = Onward::called(self.under());
        self.pass(operation, params, &onward).await
    }

    async fn call_streamed(&self, operation: &str, params: &Value) -> Result<Answer> {
        let onward = Onward::streamed(self.under());
        self.pass(operation, params, &onward).await
    }

    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        let onward = Onward::once(self.under());
        self.pass(operation, params, &onward).await
    }

    async fn repeat(&self, operation: &str, params: &Value) -> Result<Answer> {
        let onward = Onward::repeated(self.under());
        self.pass(operation, params, &onward).await
    }

    async fn call_observed(
        &self,
        operation: &str,
        params: &Value,
    ) -> Result<(Answer, Option<Vec<Touched>>)> {
        let onward = Onward::observed(self.under());
        let answer = self.pass(operation, params, &onward).await?;
        Ok((answer, onward.touched()))
    }

    fn spool(&self) -> Result<Option<(PathBuf, u64)>> {
        self.under().spool()
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
        self.signed(signer).await
    }

    fn state_value(&self) -> Option<StateValue> {
        self.shown()
    }

    fn slate(&self) -> Option<&Slate> {
        self.kept()
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
