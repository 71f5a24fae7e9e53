//! The plan that takes back an apply.

use super::{Keeping, Plan, Step};
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

/// Why a link that was signed is not taken back: a clause that follows "because".
const HANDED_OUT: &str = "whoever has it can use it until it expires";

/// How a whole apply changed one place.
struct Change<'a> {
    place: &'a Place,
    image: &'a Image,
    before: Option<Mark>,
    left: Option<Mark>,
    /// The last write that changed it.
    last: usize,
    /// The versions that were made, with what they hold.
    made: Vec<Mark>,
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

/// The plan that takes back the writes that were made, the last one first. Like those of every
/// plan, its writes are only made while places are as the apply left them.
pub fn undo(planning: &dyn Planning, writes: &[Write], steps: &[Step], keeping: Keeping) -> Undo {
    let mut numbers: HashMap<&Place, usize> = HashMap::new();
    let mut changes: Vec<Change<'_>> = Vec::new();
    let mut lost = Vec::new();
    for (last, (write, step)) in writes.iter().zip(steps).enumerate() {
        let marks = step.found.iter().zip(&step.left);
        for (touched, (found, left)) in write.touched.iter().zip(marks) {
            let place = &touched.place;
            if !touched.changed {
                continue;
            }
            // A link leaves nothing at its place, but others may have it.
            if touched.shares && touched.after.is_some() && left.is_none() {
                lost.push((place.clone(), HANDED_OUT.to_owned()));
                continue;
            }
            if let Some(change) = numbers.get(place).and_then(|at| changes.get_mut(*at)) {
                (change.left, change.last) = (left.clone(), last);
                change.made.extend(left.clone());
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
                made: left.iter().cloned().collect(),
            });
        }
    }
    changes.sort_by_key(|change| (change.rank(), std::cmp::Reverse(change.last)));
    let removed: HashSet<&str> = changes
        .iter()
        .filter(|it| it.rank() == 2)
        .map(Change::root)
        .collect();
    let mut writes = Vec::new();
    for change in &changes {
        let is_removed = removed.contains(change.root());
        if is_removed && change.place.setting().is_some() {
            continue;
        }
        match take_back(planning, change, is_removed) {
            Ok(some) => writes.extend(some),
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

/// The writes that take back a change; none where there is nothing to do. `is_removed` says
/// that the container goes, too.
fn take_back(
    planning: &dyn Planning,
    change: &Change<'_>,
    is_removed: bool,
) -> std::result::Result<Vec<Write>, String> {
    let calls = match (change.image, &change.left) {
        (Image::Nothing, None) => return Ok(Vec::new()),
        (Image::Nothing, Some(_)) if is_removed && change.has_versions() => {
            return Ok(change.remove_versions(planning));
        }
        (Image::Nothing, Some(_)) => vec![planning.removal(change.place)],
        // A container that was deleted and created again is there.
        (Image::Call { .. } | Image::Calls(_), left)
            if change.place.is_container() && Mark::same(change.before.as_ref(), left.as_ref()) =>
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
        _ => change.before.clone().map(|mark| Mark {
            version: None,
            ..mark
        }),
    };
    let mut before = change.left.clone();
    let writes = calls.into_iter().map(|call| {
        let found = std::mem::replace(&mut before, after.clone());
        let shares = planning.shares(&call.0, &call.1);
        change.write(call, shares, found, after.clone())
    });
    Ok(writes.collect())
}

impl Change<'_> {
    fn root(&self) -> &str {
        self.place.root()
    }

    fn has_versions(&self) -> bool {
        let is_known = |mark: &Mark| mark.version.is_some();
        !self.made.is_empty() && self.made.iter().all(is_known)
    }

    /// Takes away every version that was made, so that the container is empty.
    fn remove_versions(&self, planning: &dyn Planning) -> Vec<Write> {
        let mut writes = Vec::new();
        for (at, mark) in self.made.iter().enumerate().rev() {
            let version = mark.version.as_deref().unwrap_or_default();
            let before = at.checked_sub(1).and_then(|at| self.made.get(at));
            let call = planning.removal_of_version(self.place, version);
            writes.extend(
                call.map(|call| self.write(call, false, Some(mark.clone()), before.cloned())),
            );
        }
        writes
    }

    fn write(
        &self,
        call: (String, Value),
        shares: bool,
        before: Option<Mark>,
        after: Option<Mark>,
    ) -> Write {
        let (operation, params) = call;
        Write {
            operation,
            params,
            touched: vec![Touched {
                shares,
                place: self.place.clone(),
                before,
                after,
                changed: true,
                ..Touched::default()
            }],
        }
    }
}
