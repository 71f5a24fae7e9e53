//! The plan that takes back an apply.

use super::names::Names;
use super::{Keeping, Plan, Step, effects, lasting};
use crate::dialogue::Outcome;
use crate::domain::{Image, Mark, Place, Planning, Touched, Value, World, Write};
use crate::error::Result;
use std::collections::{HashMap, HashSet};

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
        let touched = writes.iter().flat_map(|write| &write.touched);
        let places: Vec<&Place> = touched.map(|touched| &touched.place).collect();
        let marks = planning.marks(world, &places).await?;
        // Several writes may restore one place, each after the one before.
        let mut now: HashMap<Place, Option<Mark>> =
            places.into_iter().cloned().zip(marks).collect();
        let mut left_alone: HashSet<Place> = HashSet::new();
        let mut kept = Vec::new();
        for write in writes {
            let of = |touched: &Touched| now.get(&touched.place).cloned().flatten();
            let is_as = |mark: fn(&Touched) -> &Option<Mark>| {
                let mut all = write.touched.iter();
                all.all(|touched| Mark::same(mark(touched).as_ref(), of(touched).as_ref()))
            };
            let (is_left, is_back) = (is_as(|it| &it.before), is_as(|it| &it.after));
            if write
                .touched
                .iter()
                .any(|it| left_alone.contains(&it.place))
            {
                continue;
            }
            if is_left {
                for touched in &write.touched {
                    now.insert(touched.place.clone(), touched.after.clone());
                }
                kept.push(write);
                continue;
            }
            left_alone.extend(write.touched.iter().map(|touched| touched.place.clone()));
            if !is_back {
                for Touched { place, .. } in write.touched {
                    self.left_alone.push(place.clone());
                    self.lost.push((place, "it has changed since".to_owned()));
                }
            }
        }
        let Plan { calls, outcome, .. } = self.plan;
        self.plan = Plan::new(kept, calls, outcome, keeping);
        Ok(self)
    }
}

/// How a whole apply changed one place.
struct Change<'a> {
    place: Place,
    image: &'a Image,
    /// The writes that changed it, in order.
    ways: Vec<Way>,
    /// The last of them.
    last: usize,
}

/// How one write changed a place.
struct Way {
    before: Option<Mark>,
    left: Option<Mark>,
    /// The calls that take away just what the write made there.
    back: Option<Vec<(String, Value)>>,
}

/// The plan that takes back the writes that were made, the last one first. Like those of every
/// plan, its writes are only made while places are as the apply left them.
pub fn undo(planning: &dyn Planning, writes: &[Write], steps: &[Step], keeping: Keeping) -> Undo {
    let writes = writes.get(..steps.len()).unwrap_or(writes);
    let (changes, names) = changes(planning, writes, steps);
    let made: Vec<Write> = (writes.iter())
        .map(|write| names.write(write).into_owned())
        .collect();
    let destroyed = planning.destroyed(&made);
    let versions = versions(planning, &made, steps);
    // Their settings go and come back with them.
    let containers: HashSet<&str> = changes
        .iter()
        .filter(|it| it.place.is_container())
        .filter(|it| *it.image == Image::Nothing || it.left().is_none())
        .map(Change::root)
        .collect();
    let (mut back, mut lost) = (Vec::new(), Vec::new());
    for change in &changes {
        let of_container = change.place.segments().len() == 1 && change.place.setting().is_some();
        if of_container && containers.contains(change.root()) {
            continue;
        }
        // A version that the plan made and took away again.
        if change.left().is_none() && versions.contains(&change.place) {
            continue;
        }
        match take_back(planning, change, &destroyed) {
            Ok(some) => back.extend(some),
            Err(because) => lost.push((change.place.clone(), because)),
        }
    }
    for (place, because) in lasting::told(&made, &effects(&made)) {
        if !lost.iter().any(|(known, _)| *known == place) {
            lost.push((place, because));
        }
    }
    for write in &mut back {
        write.lasting = planning.lasting(write);
    }
    Undo {
        plan: Plan::new(
            back,
            Vec::new(),
            Outcome::Result(serde_json::Value::Null),
            keeping,
        ),
        lost,
        left_alone: Vec::new(),
    }
}

/// The places of the versions that writes made.
fn versions(planning: &dyn Planning, writes: &[Write], steps: &[Step]) -> HashSet<Place> {
    let steps = writes.iter().zip(steps);
    let versions = steps.flat_map(|(write, step)| {
        write.touched.iter().filter_map(|Touched { place, .. }| {
            let id = planning.made_beside(&write.operation, place, &step.ids)?;
            Some(place.clone().with_version(&id))
        })
    });
    versions.collect()
}

/// The changes of all places, in the order in which they are taken back.
fn changes<'a>(
    planning: &dyn Planning,
    writes: &[Write],
    steps: &'a [Step],
) -> (Vec<Change<'a>>, Names) {
    let mut names = Names::default();
    let mut numbers: HashMap<Place, usize> = HashMap::new();
    let mut changes: Vec<Change<'_>> = Vec::new();
    for (last, (write, step)) in writes.iter().zip(steps).enumerate() {
        names.learn(write, step);
        let write = &*names.write(write);
        let marks = step.found.iter().zip(&step.left);
        for (touched, (found, left)) in write.touched.iter().zip(marks) {
            if !touched.changed {
                continue;
            }
            let place = &touched.place;
            let marks = [found.as_ref(), left.as_ref()];
            let way = Way {
                before: found.clone(),
                left: left.clone(),
                back: planning.way_back(write, place, &step.ids, marks),
            };
            if let Some(change) = numbers.get(place).and_then(|at| changes.get_mut(*at)) {
                change.last = last;
                change.ways.push(way);
                continue;
            }
            let mut images = step.images.iter();
            let Some((_, image)) = images.find(|(kept, _)| names.place(kept) == *place) else {
                continue;
            };
            numbers.insert(place.clone(), changes.len());
            changes.push(Change {
                place: place.clone(),
                image,
                ways: vec![way],
                last,
            });
        }
    }
    changes.sort_by_key(|change| (change.rank(), std::cmp::Reverse(change.last)));
    (changes, names)
}

/// The writes that take back a change; none where there is nothing to do.
fn take_back(
    planning: &dyn Planning,
    change: &Change<'_>,
    destroyed: &HashSet<Place>,
) -> std::result::Result<Vec<Write>, String> {
    if let Some(writes) = change.step_by_step(planning, destroyed) {
        return Ok(writes);
    }
    let (first, left) = (change.before(), change.left());
    let calls = match (change.image, left) {
        (Image::Nothing, None) => return Ok(Vec::new()),
        (Image::Nothing, Some(_)) => vec![planning.removal(&change.place)],
        // A container that was deleted and created again is there.
        (Image::Call { .. } | Image::Calls(_), left)
            if change.place.is_container() && Mark::same(first, left) =>
        {
            return Ok(Vec::new());
        }
        (Image::Call { operation, params }, _) => vec![(operation.clone(), params.clone())],
        (Image::Calls(calls), _) => calls.clone(),
        (Image::Lost(because), _) => return Err(because.clone()),
    };
    let after = match change.image {
        Image::Nothing => None,
        // It will be a new version.
        _ => first.cloned().map(|mark| Mark {
            version: None,
            ..mark
        }),
    };
    let mut before = left.cloned();
    let writes = calls.into_iter().map(|call| {
        let found = std::mem::replace(&mut before, after.clone());
        change.write(planning, call, found, after.clone())
    });
    Ok(writes.collect())
}

impl Change<'_> {
    fn root(&self) -> &str {
        self.place.root()
    }

    /// Containers are made before, and taken away after, the things in them.
    fn rank(&self) -> u8 {
        match (self.place.is_container(), self.image) {
            (true, Image::Nothing) => 2,
            (true, _) => 0,
            (false, _) => 1,
        }
    }

    fn before(&self) -> Option<&Mark> {
        self.ways.first()?.before.as_ref()
    }

    fn left(&self) -> Option<&Mark> {
        self.ways.last()?.left.as_ref()
    }

    /// Takes away all that was made, the last first, where every write made something apart from
    /// what was there, and that still is there.
    fn step_by_step(
        &self,
        planning: &dyn Planning,
        destroyed: &HashSet<Place>,
    ) -> Option<Vec<Write>> {
        let is_destroyed = |place: &Place| {
            place.segments() == self.place.segments() && self.place.setting().is_none()
        };
        if destroyed.iter().any(is_destroyed) {
            return None;
        }
        let mut writes = Vec::new();
        for way in self.ways.iter().rev() {
            let mut calls = way.back.clone()?;
            let last = calls.pop()?;
            // Those before the last one only make it possible.
            let first = calls.into_iter();
            let still = |call| self.write(planning, call, way.left.clone(), way.left.clone());
            writes.extend(first.map(still));
            writes.push(self.write(planning, last, way.left.clone(), way.before.clone()));
        }
        Some(writes)
    }

    fn write(
        &self,
        planning: &dyn Planning,
        call: (String, Value),
        before: Option<Mark>,
        after: Option<Mark>,
    ) -> Write {
        let (operation, params) = call;
        let touched = Touched {
            shares: planning.shares(&operation, &params),
            place: self.place.clone(),
            before,
            after,
            changed: true,
            ..Touched::default()
        };
        Write::new(operation, params, vec![touched])
    }
}
