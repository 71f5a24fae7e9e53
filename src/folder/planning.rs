//! Plans of writes to a state: what a call changes is seen by making it on a fork. The world
//! answers the same to the same call in the same state, so a call leaves here what it left
//! there.

use super::world::{REMOVE, SET};
use crate::domain::{Image, Map, Mark, Place, Planning, StateValue, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::HashSet;

/// Plans by the records of the state.
pub struct FolderPlanning;

fn state(world: &dyn World) -> Result<StateValue> {
    let unknown = || Error::world(format!("{} does not show its state", world.describe()));
    world.state_value().ok_or_else(unknown)
}

/// The parameters of the calls that put a record back or take it away.
fn at(place: &Place) -> Map {
    let segments = place.segments().iter();
    let path = segments.map(|segment| Value::from(segment.as_str()));
    vec![("path".into(), Value::List(path.collect()))]
}

#[async_trait]
impl Planning for FolderPlanning {
    async fn marks(&self, world: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>> {
        let state = state(world)?;
        let places = places.iter();
        let marks = places.map(|place| state.get(place.segments()).map(StateValue::mark));
        Ok(marks.collect())
    }

    async fn image(
        &self,
        world: &dyn World,
        place: &Place,
        _: &HashSet<Place>,
        most_bytes: u64,
    ) -> Result<Image> {
        let state = state(world)?;
        let Some(value) = state.get(place.segments()) else {
            return Ok(Image::Nothing);
        };
        let size = value.mark().size;
        if size > most_bytes {
            let because = format!("it has {size} bytes, and up to {most_bytes} are kept");
            return Ok(Image::Lost(because));
        }
        let mut params = at(place);
        params.push(("value".into(), value.to_value()));
        if let Some((last, container)) = place.segments().split_last() {
            let pairs = state.get(container).and_then(StateValue::pairs);
            let index = pairs.and_then(|pairs| pairs.get_index_of(last.as_str()));
            let index = index.and_then(|index| i64::try_from(index).ok());
            params.extend(index.map(|index| ("at".into(), Value::Int(index))));
        }
        Ok(Image::Call {
            operation: SET.to_owned(),
            params: Value::Map(params),
        })
    }

    fn removal(&self, place: &Place) -> Option<(String, Value)> {
        Some((REMOVE.to_owned(), Value::Map(at(place))))
    }
}
