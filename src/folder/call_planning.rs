//! Planning for worlds that cannot be copied. The agent makes each write a plan of its own, so
//! this part only says that calls can neither be checked afterwards nor taken back.

use crate::domain::{Image, Mark, Place, Planning, Value, World, Write};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::HashSet;

/// Planning for calls whose effects cannot be read from the world.
pub struct CallPlanning;

fn unknown() -> Error {
    Error::world("whether the call was carried out is not known, and the API cannot say")
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

    /// No call takes back another one.
    fn removal(&self, _: &Place) -> Option<(String, Value)> {
        None
    }
}
