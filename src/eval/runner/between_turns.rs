//! The model and the world of an agent between turns.

use crate::domain::{Answer, Signer, Value, World};
use crate::error::{Error, Result};
use crate::llm::{Completion, Model, Progress, Request};
use async_trait::async_trait;
use std::sync::Arc;

/// A model and a world that fail when they are used: every turn puts its own in their place.
pub(in crate::eval) struct BetweenTurns;

const NONE: &str = "no turn is under way";

#[async_trait]
impl Model for BetweenTurns {
    fn name(&self) -> &str {
        "none"
    }

    async fn complete(
        &self,
        _: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        Err(Error::model(NONE.to_owned()))
    }
}

#[async_trait]
impl World for BetweenTurns {
    async fn call(&self, _: &str, _: &Value) -> Result<Answer> {
        Err(Error::world(NONE.to_owned()))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, _: &mut Signer) -> Result<()> {
        Err(Error::world(NONE.to_owned()))
    }

    fn describe(&self) -> String {
        NONE.to_owned()
    }
}
