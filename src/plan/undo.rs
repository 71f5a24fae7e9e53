//! The plan that takes back an apply.

use super::changes::{Change, Destroyed, Inverse, changes};
use super::{Keeping, Plan, Step, effects, lasting};
use crate::dialogue::Outcome;
use crate::domain::{Image, Mark, Place, Planning, Touched, World, Write};
use crate::error::Result;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The way back from an apply.
#[derive(Debug, Clone, PartialEq)]
pub struct Undo {
    /// The plan. It is shown and applied like any other.
    pub plan: Plan,
    /// The places that cannot be restored, each with a clause that follows "because".
    pub lost: Vec<(Place, String)>,
    /// Those of them that were only left alone because they have changed since the apply. They can
    /// be restored once they are again as it left them.
    pub left_alone: Vec<Place>,
}

impl Undo {
    /// The part of it that can be done in the world as it is now. A place that has changed
    /// since the apply is left alone and counts as lost, unless it was restored already.
    ///
    /// # Errors
    /// The world cannot be looked at.
    pub async fn still(
        mut self,
        planning: &dyn Planning,
        world: &dyn World,
        keeping: Keeping,
    ) -> Result<Undo> {
        let writes = std::mem::take(&mut self.plan.writes);
        let touched = writes.iter().flat_map(|write| write.touched.iter());
        let places: Vec<&Place> = touched.map(|touched| &touched.place).collect();
        let marks = planning.marks(world, &places).await?;
        // Several writes may restore one place, each after the one before.
        let mut now: HashMap<Place, Option<Mark>> =
            places.into_iter().cloned().zip(marks).collect();
        let mut left_alone: HashSet<Place> = HashSet::new();
        let (mut things, mut written) = (HashSet::new(), HashSet::new());
        let mut kept = Vec::new();
        for write in writes {
            let of = |touched: &Touched| now.get(&touched.place).cloned().flatten();
            // What an earlier write does to a thing decides what its settings are then. The
            // apply looks at that time.
            let is_open = |Touched { place, .. }: &Touched| {
                place.setting().is_some()
                    && things.contains(place.segments())
                    && !written.contains(place)
            };
            let is = |mark: &Option<Mark>, it| Mark::same(mark.as_ref(), of(it).as_ref());
            let is_open = write.touched.iter().all(is_open);
            let is_left = is_open || write.touched.iter().all(|it| is(&it.before, it));
            // A place that it only depends on need not be there any more.
            let mut changed = write.touched.iter().filter(|it| it.changed);
            let is_back = changed.all(|it| is(&it.after, it));
            if write
                .touched
                .iter()
                .any(|it| left_alone.contains(&it.place))
            {
                continue;
            }
            if is_left {
                for Touched { place, after, .. } in write.touched.iter().filter(|it| it.changed) {
                    now.insert(place.clone(), after.clone());
                    things.insert(place.segments().to_vec());
                    written.insert(place.clone());
                }
                kept.push(write);
                continue;
            }
            for Touched { place, .. } in write.touched.iter().filter(|it| it.changed) {
                left_alone.insert(place.clone());
                if !is_back {
                    self.left_alone.push(place.clone());
                    self.lost
                        .push((place.clone(), "it has changed since".to_owned()));
                }
            }
        }
        let Plan { calls, outcome, .. } = self.plan;
        self.plan = Plan::new(Some(planning), kept, calls, outcome, keeping);
        Ok(self)
    }
}

/// The plan that takes back the writes that were made, the last one first. Like those of every
/// plan, its writes are only made while places are as the apply left them.
///
/// Containers are made before, and taken away after, everything in them; and what lets contents
/// in is made before they come back, what keeps them out afterwards.
pub fn undo(planning: &dyn Planning, writes: &[Write], steps: &[Step], keeping: Keeping) -> Undo {
    let made = steps.iter().filter_map(|step| writes.get(step.number));
    let writes: &[Write] = &made.cloned().collect::<Vec<Write>>();
    let (changes, names) = changes(planning, writes, steps);
    let made: Vec<Write> = (writes.iter())
        .map(|write| names.write(write).into_owned())
        .collect();
    let destroyed = Destroyed::of(planning, &made);
    let versions = versions(planning, &made, steps);
    let containers: HashSet<&str> = (changes.iter())
        .filter(|it| it.place.is_container())
        .filter(|it| *it.image == Image::Nothing || it.is_gone())
        .map(|it| it.place.root())
        .collect();
    let mut settings: HashMap<&str, Vec<&Change<'_>>> = HashMap::new();
    for change in changes.iter().filter(|it| it.place.is_of_container()) {
        settings
            .entry(change.place.root())
            .or_default()
            .push(change);
    }
    let told = lasting::told(&made, &effects(&made));
    let (mut back, mut lost) = (Vec::new(), Vec::new());
    for change in &changes {
        // They go and come back with it.
        if change.place.is_of_container() && containers.contains(change.place.root()) {
            continue;
        }
        // A version that the plan made and took away or replaced again.
        let made = versions.get(&change.place);
        if made.is_some_and(|made| *made < change.first()) {
            continue;
        }
        if destroyed.is_settled(&change.place) {
            continue;
        }
        let settings = settings.get(change.place.root());
        let settings = settings.map(Vec::as_slice).unwrap_or_default();
        let later = settings.iter().filter(|it| it.first() > change.first());
        let later: Vec<&Place> = later.map(|it| &it.place).collect();
        match change.inverses(planning, &destroyed, &later) {
            Ok(mut some) => {
                if change.place.is_container() && change.is_gone() {
                    some = made_again(planning, change, some, settings);
                }
                let some = some.into_iter().filter(|it| !is_idle(&it.write));
                back.extend(some.map(|it| (rank(planning, change, &it), it)));
            }
            Err(because) => {
                // The domain knows best why.
                let known = told.iter().find(|(place, _)| *place == change.place);
                let because = known.map_or(because, |(_, because)| because.clone());
                lost.push((change.place.clone(), because));
            }
        }
    }
    for (place, because) in told {
        if !lost.iter().any(|(known, _)| *known == place) {
            lost.push((place, because));
        }
    }
    let left: HashMap<&Place, Option<&Mark>> = (changes.iter())
        .map(|change| (&change.place, change.left()))
        .collect();
    back.sort_by_key(|(rank, inverse)| (*rank, std::cmp::Reverse(inverse.of)));
    let back = back.into_iter().map(|(_, Inverse { mut write, .. })| {
        // What is copied back must still be the copy.
        let source = planning.source(&write.operation, &write.params);
        if let Some((source, mark)) = source.and_then(|it| Some((it.clone(), *left.get(&it)?))) {
            let source = Touched {
                place: source,
                before: mark.cloned(),
                after: mark.cloned(),
                ..Touched::default()
            };
            write.touched = write.touched.iter().cloned().chain([source]).collect();
        }
        write.lasting = planning.lasting(&write);
        write
    });
    Undo {
        plan: Plan::new(
            Some(planning),
            back.collect(),
            Arc::default(),
            Outcome::Result(serde_json::Value::Null),
            keeping,
        ),
        lost,
        left_alone: Vec::new(),
    }
}

/// Whether a write leaves the settings as they are, which is all that it would change: one that can
/// only be suspended, and already is.
fn is_idle(write: &Write) -> bool {
    let is_known = |mark: &Option<Mark>| !mark.as_ref().is_some_and(Mark::is_unknown);
    write.touched.iter().filter(|it| it.changed).all(|it| {
        it.place.setting().is_some()
            && is_known(&it.before)
            && Mark::same(it.before.as_ref(), it.after.as_ref())
    })
}

/// When a write of an undo is made. Within a rank, the writes of the apply are taken back from the
/// last one on.
fn rank(planning: &dyn Planning, change: &Change<'_>, inverse: &Inverse) -> u8 {
    let Write {
        operation, params, ..
    } = &inverse.write;
    match (change.place.is_container(), change.image) {
        (true, Image::Nothing) => 4,
        (true, _) => 0,
        (false, _) => match planning.precedence(operation, params) {
            Ordering::Less => 1,
            Ordering::Equal => 2,
            Ordering::Greater => 3,
        },
    }
}

/// The writes that make a container again, with the settings that it had before the plan changed
/// them and then took the container away.
fn made_again(
    planning: &dyn Planning,
    container: &Change<'_>,
    inverses: Vec<Inverse>,
    settings: &[&Change<'_>],
) -> Vec<Inverse> {
    let earlier = settings.iter().filter(|it| it.first() < container.first());
    let earlier = earlier.map(|it| (&it.place, it.original(), it.image));
    let earlier: Vec<(&Place, Option<&Mark>, &Image)> = earlier.collect();
    let (Some(first), false) = (inverses.first(), earlier.is_empty()) else {
        return inverses;
    };
    let of = first.of;
    let mark = inverses.last().and_then(|it| it.write.touched.first());
    let mark = mark.and_then(|touched| touched.after.clone());
    let calls = inverses
        .into_iter()
        .map(|it| (it.write.operation, it.write.params));
    let calls = planning.made_again(calls.collect(), &earlier);
    let mut before = None;
    let writes = calls.into_iter().map(|call| {
        let found = std::mem::replace(&mut before, mark.clone());
        let write = container.write(planning, call, found, mark.clone());
        Inverse { of, write }
    });
    writes.collect()
}

/// The places of the versions that writes made, with the number of the first that did.
fn versions(planning: &dyn Planning, writes: &[Write], steps: &[Step]) -> HashMap<Place, usize> {
    let mut versions = HashMap::new();
    for (number, (write, step)) in writes.iter().zip(steps).enumerate() {
        for Touched { place, .. } in write.touched.iter() {
            if let Some(id) = planning.made_beside(&write.operation, place, &step.ids) {
                let version = place.clone().with_version(&id);
                versions.entry(version).or_insert(number);
            }
        }
    }
    versions
}
