//! How a whole apply changed each place, and the writes that take a change back.

use super::Step;
use super::names::Names;
use crate::domain::{Image, Mark, Place, Planning, Touched, Value, WayBack, Write};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How a whole apply changed one place.
pub(super) struct Change<'a> {
    pub place: Place,
    pub image: &'a Image,
    /// The writes that changed it, in order.
    ways: Vec<Way>,
}

/// How one write changed a place.
struct Way {
    /// The number of the write.
    at: usize,
    found: Option<Mark>,
    left: Option<Mark>,
    /// The place of the version that it left.
    version: Option<Place>,
    /// The place of what the write made there beside what was there.
    made: Option<Place>,
    /// What takes away just that.
    back: Option<WayBack>,
    /// The call, of a setting.
    call: Option<(String, Value)>,
}

/// A write that takes something back.
pub(super) struct Inverse {
    /// The number of the write that it takes back.
    pub of: usize,
    pub write: Write,
}

/// What a plan does for good, by the number of the last write that does it.
#[derive(Default)]
pub(super) struct Destroyed {
    /// The things, such as old versions, that are gone.
    gone: HashMap<Place, usize>,
    /// The things of which a setting has become final: what was written there before cannot be
    /// taken away.
    locked: HashMap<Place, usize>,
    /// These settings.
    finals: HashSet<Place>,
}

impl Destroyed {
    pub fn of(planning: &dyn Planning, writes: &[Write]) -> Destroyed {
        let mut all = Destroyed::default();
        for (at, write) in writes.iter().enumerate() {
            for place in planning.destroyed(std::slice::from_ref(write)) {
                if place.setting().is_some() && !place.is_version() {
                    all.locked.insert(Place::new(place.segments()), at);
                    all.finals.insert(place);
                } else {
                    all.gone.insert(place, at);
                }
            }
        }
        all
    }

    /// Whether a place is a setting that stays, or one of a version that is gone.
    pub fn is_settled(&self, setting: &Place) -> bool {
        if self.finals.contains(setting) {
            return true;
        }
        let id = setting.setting().and_then(|it| it.rsplit_once(' '));
        let version = id.map(|(_, id)| setting.clone().with_version(id));
        version.is_some_and(|version| version != *setting && self.gone.contains_key(&version))
    }

    /// Whether the version that a place with this mark showed was taken away, after a write.
    fn has_taken(&self, version: Option<&Place>, after: Option<usize>) -> bool {
        let by = version.and_then(|version| self.gone.get(version));
        by.is_some_and(|by| after.is_none_or(|at| *by > at))
    }

    /// Whether what a write made was taken away after it.
    fn is_void(&self, made: &WayBack, at: usize) -> bool {
        self.gone.get(&made.place).is_some_and(|by| *by > at)
    }
}

/// The changes of all places, in the order of their first writes, and the ids that the world gave.
pub(super) fn changes<'a>(
    planning: &dyn Planning,
    writes: &[Write],
    steps: &'a [Step],
) -> (Vec<Change<'a>>, Names) {
    let mut names = Names::default();
    let mut numbers: HashMap<(Place, usize), usize> = HashMap::new();
    let mut changes: Vec<Change<'_>> = Vec::new();
    // How often each thing was changed so far. What has the name of a setting afterwards is a
    // setting of another content.
    let mut contents: HashMap<Place, usize> = HashMap::new();
    for (at, (write, step)) in writes.iter().zip(steps).enumerate() {
        names.learn(write, step);
        let write = &*names.write(write);
        let marks = step.found.iter().zip(&step.left);
        let changed = write.touched.iter().zip(marks);
        let changed: Vec<_> = changed.filter(|(touched, _)| touched.changed).collect();
        let mut images: HashMap<Place, &Image> = HashMap::new();
        for (kept, image) in &step.images {
            images.entry(names.place(kept)).or_insert(image);
        }
        for (touched, (found, left)) in &changed {
            let place = &touched.place;
            let content = match thing_of(place) {
                Some(thing) => contents.get(&thing).copied().unwrap_or_default(),
                None => 0,
            };
            let made = planning.made_beside(&write.operation, place, &step.ids);
            let back = planning.way_back(write, place, &step.ids, [found.as_ref(), left.as_ref()]);
            let way = Way {
                at,
                found: (*found).clone(),
                left: (*left).clone(),
                version: left.as_ref().and_then(|it| planning.version(place, it)),
                made: match &back {
                    Some(back) => Some(back.place.clone()),
                    None => made.map(|id| place.clone().with_version(&id)),
                },
                back,
                call: (place.setting()).map(|_| (write.operation.clone(), write.params.clone())),
            };
            let number = numbers.get(&(place.clone(), content)).copied();
            if let Some(change) = number.and_then(|number| changes.get_mut(number)) {
                change.ways.push(way);
                continue;
            }
            let Some(image) = images.get(place).copied() else {
                continue;
            };
            numbers.insert((place.clone(), content), changes.len());
            changes.push(Change {
                place: place.clone(),
                image,
                ways: vec![way],
            });
        }
        for (touched, _) in changed {
            if touched.place.is_thing() {
                *contents.entry(touched.place.clone()).or_default() += 1;
            }
        }
    }
    (changes, names)
}

/// The thing whose setting a place is. Those of a container are its own whatever becomes of it.
fn thing_of(place: &Place) -> Option<Place> {
    place.setting()?;
    let thing = Place::new(place.segments());
    thing.is_thing().then_some(thing)
}

impl Change<'_> {
    /// The first write that changed it.
    pub fn first(&self) -> usize {
        self.ways.first().map_or(0, |way| way.at)
    }

    /// What was there at first.
    pub fn original(&self) -> Option<&Mark> {
        self.ways.first().and_then(|way| way.found.as_ref())
    }

    /// What the apply left there.
    pub fn left(&self) -> Option<&Mark> {
        self.ways.last().and_then(|way| way.left.as_ref())
    }

    /// Whether nothing is there now.
    pub fn is_gone(&self) -> bool {
        self.left().is_none()
    }

    /// Whether it is a setting that is as it was, or a container that was removed and made again.
    fn is_back(&self) -> bool {
        let found = self.original();
        let left = self.left();
        let is_known = found.or(left).is_some_and(|mark| !mark.is_unknown());
        let is_whole = self.place.is_container() && *self.image != Image::Nothing;
        (self.place.setting().is_some() && is_known || is_whole) && Mark::same(found, left)
    }

    /// The writes that take it back, the last one first: each takes away what one write made
    /// beside what was there, as long as that is still there, and one brings back what was there
    /// at first, if it went. `later` are the settings of its container that the plan changed
    /// after it.
    ///
    /// # Errors
    /// Why what was there cannot be brought back: a clause that follows "because".
    pub fn inverses(
        &self,
        planning: &dyn Planning,
        destroyed: &Destroyed,
        later: &[&Place],
    ) -> Result<Vec<Inverse>, String> {
        if self.is_back() {
            return Ok(Vec::new());
        }
        if self.place.is_version() && !self.is_gone() && *self.image == Image::Nothing {
            return Ok(Vec::from_iter(self.hidden_again(planning)));
        }
        let original = self.original();
        let locked = destroyed.locked.get(&self.place).copied();
        let mut known: HashSet<&Place> = HashSet::new();
        let mut is_restored = false;
        let mut taken: Vec<(usize, Option<&WayBack>)> = Vec::new();
        for (number, way) in self.ways.iter().enumerate() {
            let is_void = |made: &WayBack| destroyed.is_void(made, way.at);
            let is_void = way.back.as_ref().is_some_and(is_void);
            // What stands under the same id is taken away once.
            let is_new = !is_void && way.made.as_ref().is_none_or(|made| known.insert(made));
            let back = way.back.as_ref().filter(|_| Some(way.at) >= locked);
            if let Some(made) = back {
                if is_new {
                    taken.push((number, Some(made)));
                }
            } else if !is_restored && (number == 0 || is_same_version(original, way.found.as_ref()))
            {
                is_restored = true;
                taken.push((number, None));
            }
        }
        let first = original.and_then(|it| planning.version(&self.place, it));
        let is_taken = destroyed.has_taken(first.as_ref(), None);
        if !is_restored && is_taken {
            taken.insert(0, (0, None));
        }
        let mut now = self.state(self.ways.len(), destroyed, is_taken);
        let mut inverses = Vec::new();
        for (number, made) in taken.into_iter().rev() {
            let Some(way) = self.ways.get(number) else {
                continue;
            };
            let (calls, after) = match made {
                Some(made) => (made.calls.clone(), self.state(number, destroyed, is_taken)),
                None => (
                    self.restoring(planning, now.as_ref(), later)?,
                    self.restored(planning),
                ),
            };
            let last = calls.len().saturating_sub(1);
            let mut found = now.clone();
            for (number, call) in calls.into_iter().enumerate() {
                // Calls before the one that takes something away only make it possible. Calls
                // after the one that brings something back complete it.
                let left = match made {
                    Some(_) if number < last => now.clone(),
                    _ => after.clone(),
                };
                let mut write = self.write(planning, call, found, left.clone());
                if let (Some(made), true) = (made, number == last) {
                    self.takes_away(&mut write, made);
                }
                inverses.push(Inverse { of: way.at, write });
                found = left;
            }
            now = match made {
                Some(_) => self.state(number, destroyed, is_taken),
                None => original.cloned(),
            };
        }
        Ok(inverses)
    }

    /// The write that hides a thing again, by a marker with the id of one that was replaced. What
    /// replaced it is the thing's to take away, and gone by then.
    fn hidden_again(&self, planning: &dyn Planning) -> Option<Inverse> {
        let call = planning.removal(&Place::new(self.place.segments()))?;
        Some(Inverse {
            of: self.first(),
            write: self.write(planning, call, None, self.original().cloned()),
        })
    }

    /// Notes what a write of an undo takes away, and that what lay below it shows again.
    fn takes_away(&self, write: &mut Write, made: &WayBack) {
        let touched = Arc::make_mut(&mut write.touched).iter_mut();
        for touched in touched.filter(|it| it.place == self.place) {
            let id = made.place.setting().and_then(|it| it.split_once(' '));
            touched.unmade = id.map(|(_, id)| id.to_owned());
            touched.uncovers = touched.after.is_some();
        }
    }

    /// What the place holds before the write with this number among its own is made, once all that
    /// the plan made there and took away for good is left out. `is_taken` says whether it has taken
    /// away what was there at first, too.
    fn state(&self, number: usize, destroyed: &Destroyed, is_taken: bool) -> Option<Mark> {
        let earlier = self.ways.get(..number).unwrap_or(&self.ways);
        let is_void = |way: &&Way| {
            let back = way.back.as_ref();
            destroyed.has_taken(way.version.as_ref(), Some(way.at))
                || back.is_some_and(|made| destroyed.is_void(made, way.at))
        };
        match earlier.iter().rev().find(|way| !is_void(way)) {
            Some(way) => way.left.clone(),
            // What lay below it.
            None if is_taken => Some(Mark::unknown(0)),
            None => self.original().cloned(),
        }
    }

    /// The calls that bring back what was there at first.
    fn restoring(
        &self,
        planning: &dyn Planning,
        now: Option<&Mark>,
        later: &[&Place],
    ) -> Result<Vec<(String, Value)>, String> {
        Ok(match (self.image, now) {
            (Image::Nothing, None) => Vec::new(),
            (Image::Nothing, Some(_)) => {
                let place = match self.place.is_thing() {
                    true => planning.set_aside(&self.place, later),
                    false => self.place.clone(),
                };
                vec![planning.removal(&place).ok_or(Image::NOT_TOLD)?]
            }
            (Image::Call { operation, params }, _) => vec![(operation.clone(), params.clone())],
            (Image::Calls(calls), _) => calls.clone(),
            (Image::Lost(because), _) => return Err(because.clone()),
        })
    }

    /// What is there once it is brought back.
    fn restored(&self, planning: &dyn Planning) -> Option<Mark> {
        planning.restored(&self.place, self.image, self.original())
    }

    /// A write of an undo at this place.
    pub fn write(
        &self,
        planning: &dyn Planning,
        call: (String, Value),
        before: Option<Mark>,
        after: Option<Mark>,
    ) -> Write {
        let (operation, params) = call;
        let made = self.ways.last().and_then(|way| way.call.as_ref());
        let made = made.map(|(operation, params)| (operation.as_str(), params));
        let touched = Touched {
            shares: planning.shares(&operation, &params, made),
            place: self.place.clone(),
            before,
            after,
            changed: true,
            ..Touched::default()
        };
        Write::new(operation, params, vec![touched])
    }
}

fn is_same_version(one: Option<&Mark>, other: Option<&Mark>) -> bool {
    let version = |mark: Option<&Mark>| mark.and_then(|mark| mark.version.clone());
    version(one).is_some() && version(one) == version(other)
}
