//! The plan that takes back an apply.

use super::{Keeping, Plan, Step};
use crate::dialogue::Outcome;
use crate::domain::{Image, Mark, Place, Planning, Touched, World, Write};
use crate::error::Result;
use std::collections::HashMap;

/// The way back from an apply.
#[derive(Debug, Clone, PartialEq)]
pub struct Undo {
    /// To be shown and applied as any plan.
    pub plan: Plan,
    /// What cannot be brought back, and why: a clause that follows "because".
    pub lost: Vec<(Place, String)>,
}

impl Undo {
    /// The part of it that can be done in the world as it is now. A place that has changed
    /// since the apply is left alone and counts as lost, unless it is back already.
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
        let mut now = planning.marks(world, &places).await?.into_iter();
        let mut kept = Vec::new();
        for write in writes {
            let (mut is_left, mut is_back) = (true, true);
            for touched in &write.touched {
                let mark = now.next().flatten();
                is_left &= Mark::same(touched.before.as_ref(), mark.as_ref());
                is_back &= Mark::same(touched.after.as_ref(), mark.as_ref());
            }
            if is_left {
                kept.push(write);
            } else if !is_back {
                let places = write.touched.into_iter().map(|touched| touched.place);
                let because = || "it has changed since".to_owned();
                self.lost.extend(places.map(|place| (place, because())));
            }
        }
        let Plan { calls, outcome, .. } = self.plan;
        self.plan = Plan::new(kept, calls, outcome, keeping);
        Ok(self)
    }
}

/// How a whole apply changed one place.
struct Change<'a> {
    place: &'a Place,
    image: &'a Image,
    before: Option<Mark>,
    left: Option<Mark>,
    /// The last write that changed it.
    last: usize,
}

impl Change<'_> {
    /// Containers are made before, and taken away after, the things in them.
    fn rank(&self) -> u8 {
        match (self.place.is_container(), self.image) {
            (true, Image::Nothing) => 2,
            (true, _) => 0,
            (false, _) => 1,
        }
    }
}

/// The plan that takes back the writes that were made, what was changed last first.
/// Each of its writes is guarded by what the apply left, as those of every plan.
pub fn undo(planning: &dyn Planning, writes: &[Write], steps: &[Step], keeping: Keeping) -> Undo {
    let mut numbers: HashMap<&Place, usize> = HashMap::new();
    let mut changes: Vec<Change<'_>> = Vec::new();
    for (last, (write, step)) in writes.iter().zip(steps).enumerate() {
        let marks = step.found.iter().zip(&step.left);
        for (touched, (found, left)) in write.touched.iter().zip(marks) {
            let place = &touched.place;
            if !touched.changed {
                continue;
            }
            if let Some(change) = numbers.get(place).and_then(|at| changes.get_mut(*at)) {
                (change.left, change.last) = (left.clone(), last);
                continue;
            }
            let image = step.images.iter().find(|(kept, _)| kept == place);
            let Some((_, image)) = image else { continue };
            numbers.insert(place, changes.len());
            changes.push(Change {
                place,
                image,
                before: found.clone(),
                left: left.clone(),
                last,
            });
        }
    }
    changes.sort_by_key(|change| (change.rank(), std::cmp::Reverse(change.last)));
    let (mut writes, mut lost) = (Vec::new(), Vec::new());
    for change in changes {
        match take_back(planning, &change) {
            Ok(write) => writes.extend(write),
            Err(because) => lost.push((change.place.clone(), because)),
        }
    }
    Undo {
        plan: Plan::new(
            writes,
            Vec::new(),
            Outcome::Result(serde_json::Value::Null),
            keeping,
        ),
        lost,
    }
}

/// The write that takes back a change; none where there is nothing to do.
fn take_back(
    planning: &dyn Planning,
    change: &Change<'_>,
) -> std::result::Result<Option<Write>, String> {
    let (operation, params) = match (change.image, &change.left) {
        (Image::Nothing, None) => return Ok(None),
        (Image::Nothing, Some(_)) => planning.removal(change.place),
        // A container that was deleted and created again is there.
        (Image::Call { .. }, left)
            if change.place.is_container() && Mark::same(change.before.as_ref(), left.as_ref()) =>
        {
            return Ok(None);
        }
        (Image::Call { operation, params }, _) => (operation.clone(), params.clone()),
        (Image::Lost(because), _) => return Err(because.clone()),
    };
    let after = match change.image {
        Image::Nothing => None,
        // It will be a new version.
        _ => change.before.clone().map(|mark| Mark {
            version: None,
            ..mark
        }),
    };
    Ok(Some(Write {
        operation,
        params,
        touched: vec![Touched {
            shares: false,
            place: change.place.clone(),
            before: change.left.clone(),
            after,
            changed: true,
            lines: Vec::new(),
        }],
    }))
}
