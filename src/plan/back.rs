//! By what the content that a plan takes from a place comes back.

use super::Effect;
use crate::domain::Place;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;

/// By what an undo brings back what was at a place. Its name in JSON is what people read, so that it
/// has the same words everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Back {
    /// The world keeps it as a version.
    #[serde(rename = "comes back by a version")]
    Version,
    /// The plan moves it, and it is moved back.
    #[serde(rename = "comes back from where it went")]
    Moved,
    /// The journal keeps it.
    #[serde(rename = "comes back by our journal")]
    Journal,
    /// Nothing keeps it.
    #[serde(rename = "does not come back")]
    Never,
}

impl fmt::Display for Back {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Says of these effects by what they come back. `lasting` has the places that do not.
pub fn with_ways_back(mut effects: Vec<Effect>, lasting: &[(Place, String)]) -> Vec<Effect> {
    let lasting: HashSet<&Place> = lasting.iter().map(|(place, _)| place).collect();
    for effect in &mut effects {
        effect.back = of(effect, &lasting);
    }
    effects
}

/// `None` where nothing was, and where nobody knows what is done.
fn of(effect: &Effect, lasting: &HashSet<&Place>) -> Option<Back> {
    if lasting.contains(&effect.place) {
        return Some(Back::Never);
    }
    let before = effect.before.as_ref().filter(|_| !effect.is_call())?;
    // An old version stays where it is, unless the plan takes it away.
    let stays = |id: &String| !lasting.contains(&effect.place.clone().with_version(id));
    Some(match &before.version {
        _ if effect.kept => Back::Version,
        _ if effect.moved => Back::Moved,
        Some(id) if stays(id) => Back::Version,
        _ => Back::Journal,
    })
}
