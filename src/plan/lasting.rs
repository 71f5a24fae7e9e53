//! What an undo of a plan could not bring back.

use super::{Effect, Keeping, Kind};
use crate::domain::{Place, Write};
use std::collections::HashSet;

/// What the domain says of the writes, and the places whose contents are too large to be kept.
pub(super) fn of(writes: &[Write], effects: &[Effect], keeping: Keeping) -> Vec<(Place, String)> {
    let mut lasting = told(writes, effects);
    let known: HashSet<Place> = lasting.iter().map(|(place, _)| place.clone()).collect();
    let mut room = keeping.most_bytes_in_all;
    for effect in effects.iter().filter(|it| !known.contains(&it.place)) {
        let Some(before) = &effect.before else {
            continue;
        };
        // An old version stays where it is, unless the plan takes it away.
        if let Some(version) = &before.version {
            let version = effect.place.clone().with_version(version);
            if !known.contains(&version) {
                continue;
            }
        }
        let (size, most) = (before.size, keeping.most_bytes);
        if size > most {
            let because = format!("it has {size} bytes, and up to {most} are kept");
            lasting.push((effect.place.clone(), because));
        } else if size > room {
            let all = keeping.most_bytes_in_all;
            let because = format!("the plan destroys more than the {all} bytes that are kept");
            lasting.push((effect.place.clone(), because));
        } else {
            room -= size;
        }
    }
    lasting
}

/// What the domain says of the writes, each place once. What the plan itself has made is taken
/// away as a whole.
pub(super) fn told(writes: &[Write], effects: &[Effect]) -> Vec<(Place, String)> {
    let ids: HashSet<&str> = (writes.iter().flat_map(|write| write.ids.values()))
        .map(String::as_str)
        .collect();
    let new: HashSet<&Place> = (effects.iter())
        .filter(|it| it.effect == Kind::Create && it.place.is_container())
        .map(|it| &it.place)
        .collect();
    let changed: HashSet<&Place> = effects.iter().map(|it| &it.place).collect();
    let touched: HashSet<&Place> = (writes.iter().flat_map(|write| &write.touched))
        .map(|touched| &touched.place)
        .collect();
    let mut told: Vec<(Place, String)> = Vec::new();
    let mut known = HashSet::new();
    for (place, because) in writes.iter().flat_map(|write| &write.lasting) {
        let of_new_thing = place.setting().and_then(|setting| {
            let (_, id) = setting.rsplit_once(' ')?;
            ids.get(id)
        });
        let of_container =
            place.segments().len() == 1 && new.contains(&Place::container(place.root()));
        // A part of a thing, which no write names, changes with the thing.
        let is_changed = match touched.contains(place) {
            true => changed.contains(place),
            false => changed.iter().any(|it| it.segments() == place.segments()),
        };
        if of_new_thing.is_none() && !of_container && is_changed && known.insert(place) {
            told.push((place.clone(), because.clone()));
        }
    }
    told
}
