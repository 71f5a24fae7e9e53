//! Whether a call lets in others who were not let in before, by what is set now.

use super::let_in;
use super::links;
use super::planning_settings;
use crate::domain::{Image, Place, Value, World};
use crate::error::Result;
use std::collections::HashSet;

/// Whether a call opens a place to others. `world` is as it is before the call.
pub(super) async fn opens(
    world: &dyn World,
    place: &Place,
    operation: &str,
    params: &Value,
) -> Result<bool> {
    if links::is_link(place) {
        return Ok(true);
    }
    // What is let in by an object goes with it. Who is let in by nothing need not be compared.
    if place.setting().is_none() || !let_in::shares_more(operation, params, None) {
        return Ok(let_in::shares_more(operation, params, None));
    }
    let image = planning_settings::image(world, place, &HashSet::new()).await?;
    let before = match image {
        Image::Call { operation, params } => Some((operation, params)),
        Image::Nothing => planning_settings::removal(place),
        Image::Calls(_) | Image::Lost(_) => None,
    };
    let before = (before.as_ref()).map(|(operation, params)| (operation.as_str(), params));
    Ok(let_in::shares_more(operation, params, before))
}
