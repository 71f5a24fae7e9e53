//! What stands where every turn puts its own model and world.

use crate::domain::{Answer, Signer, Value, World};
use crate::error::{Error, Result};
use crate::llm::{Completion, Model, Progress, Request};
use async_trait::async_trait;
use std::sync::Arc;

/// No model and no world.
pub(super) struct Unasked;

const NONE: &str = "no turn is under way";

#[async_trait]
impl Model for Unasked {
    fn name(&self) -> &str {
        "none"
    }

    async fn complete(
        &self,
        _: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        Err(Error::Model(NONE.to_owned()))
    }
}

#[async_trait]
impl World for Unasked {
    async fn call(&self, _: &str, _: &Value) -> Result<Answer> {
        Err(Error::World(NONE.to_owned()))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, _: &mut Signer) -> Result<()> {
        Err(Error::World(NONE.to_owned()))
    }

    fn describe(&self) -> String {
        NONE.to_owned()
    }
}
