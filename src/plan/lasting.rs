//! What an undo of a plan could not bring back.

use super::{Effect, EffectKind, Keeping, copies};
use crate::domain::{Mark, Place, Planning, Write};
use std::collections::HashSet;

/// What the domain says of the writes, and the places whose contents are too large to be kept.
pub(super) fn of(
    planning: Option<&dyn Planning>,
    writes: &[Write],
    effects: &[Effect],
    keeping: Keeping,
) -> Vec<(Place, String)> {
    let moved = planning.map_or_else(HashSet::new, |planning| moved(planning, writes));
    let mut lasting = told(writes, effects);
    let known: HashSet<Place> = lasting.iter().map(|(place, _)| place.clone()).collect();
    let mut room = keeping.most_bytes_in_all;
    for effect in effects.iter().filter(|it| !known.contains(&it.place)) {
        let Some(before) = &effect.before else {
            continue;
        };
        if effect.kept || moved.contains(&effect.place) {
            continue;
        }
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

/// The things that the plan copies before it deletes them: they come back from their copies.
fn moved<'w>(planning: &dyn Planning, writes: &'w [Write]) -> HashSet<&'w Place> {
    let copies = copies::of(planning, writes);
    let is_small = |mark: &Mark| mark.size <= planning.most_copied();
    let mut changed = HashSet::new();
    let mut moved = HashSet::new();
    for (number, write) in writes.iter().enumerate() {
        for touched in write.touched.iter().filter(|it| it.changed) {
            let place = &touched.place;
            // What is kept of a place is what its first write finds.
            let is_first = changed.insert(place);
            if is_first
                && copies.contains_key(&(number, place.clone()))
                && touched.before.as_ref().is_some_and(is_small)
            {
                moved.insert(place);
            }
        }
    }
    moved
}

/// What the domain says of the writes, each place once. What the plan itself has made is taken
/// away as a whole.
pub(super) fn told(writes: &[Write], effects: &[Effect]) -> Vec<(Place, String)> {
    let new: HashSet<&Place> = (effects.iter())
        .filter(|it| it.effect == EffectKind::Create && it.place.is_container())
        .map(|it| &it.place)
        .collect();
    let changed: HashSet<&Place> = effects.iter().map(|it| &it.place).collect();
    let touched: HashSet<&Place> = (writes.iter().flat_map(|write| write.touched.iter()))
        .map(|touched| &touched.place)
        .collect();
    let mut told: Vec<(Place, String)> = Vec::new();
    let mut known = HashSet::new();
    // What has an id of its own and was made by the writes so far. A later one may give the same id
    // again: the version that has none is called `null`.
    let mut made: HashSet<(&[String], &str)> = HashSet::new();
    for write in writes {
        for (place, because) in &write.lasting {
            let of_new_thing = id(place).is_some_and(|id| made.contains(&(place.segments(), id)));
            let of_container =
                place.segments().len() == 1 && new.contains(&Place::container(place.root()));
            // A part of a thing, which no write names, changes with the thing. A version is gone
            // even if another one like it has its id.
            let is_changed = match touched.contains(place) {
                true => changed.contains(place) || place.is_version(),
                false => changed.iter().any(|it| it.segments() == place.segments()),
            };
            if !of_new_thing && !of_container && is_changed && known.insert(place) {
                told.push((place.clone(), because.clone()));
            }
        }
        made.extend(made_by(write));
    }
    told
}

/// The ids of what a write made, with the paths where it is.
fn made_by(write: &Write) -> impl Iterator<Item = (&[String], &str)> {
    let beside = write.touched.iter().filter_map(|touched| {
        let id = touched.made.as_deref()?;
        Some((touched.place.segments(), id))
    });
    let begun = write.touched.iter().filter_map(|touched| {
        let id = id(&touched.place).filter(|_| touched.before.is_none())?;
        let is_given = write.ids.values().any(|given| given == id);
        is_given.then_some((touched.place.segments(), id))
    });
    beside.chain(begun)
}

/// The id at the end of a setting.
fn id(place: &Place) -> Option<&str> {
    Some(place.setting()?.rsplit_once(' ')?.1)
}
