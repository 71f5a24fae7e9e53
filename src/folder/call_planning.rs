//! Plans of calls to an API that has no copies: each write is a plan of its own, made by the
//! agent. What is left to say here is what becomes of a call that was cut off.

use crate::domain::{Image, Mark, Place, Planning, Value, World, Write};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::HashSet;

/// Plans calls whose effects cannot be looked at.
pub struct CallPlanning;

fn unknown() -> Error {
    Error::World("whether the call was carried out is not known, and the API cannot say".to_owned())
}

#[async_trait]
impl Planning for CallPlanning {
    async fn marks(&self, _: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>> {
        match places.is_empty() {
            true => Ok(Vec::new()),
            false => Err(unknown()),
        }
    }

    async fn holds(&self, _: &dyn World, _: &Write, _: &Place) -> Result<bool> {
        Err(unknown())
    }

    async fn image(&self, _: &dyn World, _: &Place, _: &HashSet<Place>, _: u64) -> Result<Image> {
        Ok(Image::Lost(Image::NOT_TOLD.to_owned()))
    }

    /// No call takes back another one. Plans of such domains keep only what is lost, so this
    /// is never carried out.
    fn removal(&self, _: &Place) -> (String, Value) {
        (String::new(), Value::Null)
    }
}
