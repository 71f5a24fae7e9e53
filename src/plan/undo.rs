//! Taking back what was done.

use super::{Keeping, Plan, Step};
use crate::dialogue::Outcome;
use crate::domain::{Image, Mark, Place, Planning, Touched, Write};
use std::collections::HashMap;

/// What takes back an apply.
#[derive(Debug, Clone, PartialEq)]
pub struct Undo {
    /// To be shown and applied as any plan.
    pub plan: Plan,
    /// What cannot be brought back, and why: a clause that follows "because".
    pub lost: Vec<(Place, String)>,
}

/// What became of one place over a whole apply.
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
        match (&self.place.name, self.image) {
            (None, Image::Nothing) => 2,
            (None, _) => 0,
            (Some(_), _) => 1,
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
fn take_back(planning: &dyn Planning, change: &Change<'_>) -> Result<Option<Write>, String> {
    let (operation, params) = match (change.image, &change.left) {
        (Image::Nothing, None) => return Ok(None),
        (Image::Nothing, Some(_)) => planning.removal(change.place),
        // A bucket that was taken away and made again is there.
        (Image::Call { .. }, Some(_)) if change.place.name.is_none() => return Ok(None),
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
            place: change.place.clone(),
            before: change.left.clone(),
            after,
            changed: true,
        }],
    }))
}
