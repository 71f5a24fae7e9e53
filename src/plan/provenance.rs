//! Where the contents of a plan's places end: which place holds what another one held before,
//! and which contents are nowhere afterwards.

use super::effects::kept;
use super::pieces::{Pieces, Slot};
use crate::domain::{Mark, Place, Touched, Write, WrittenPart};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Contents, each named by the place that held it before the plan.
pub(super) type Contents<'a> = BTreeSet<&'a Place>;

/// The contents after some writes.
#[derive(Default)]
pub(super) struct Provenance<'a> {
    /// What each changed thing holds now; nothing of what was there before if it is new.
    now: HashMap<&'a Place, Contents<'a>>,
    /// The parts of what is not whole yet.
    pieces: HashMap<&'a Place, Pieces<'a>>,
    /// What each thing held before.
    first: HashMap<&'a Place, Option<&'a Mark>>,
    /// The contents that stay as old versions.
    kept: HashSet<&'a Place>,
    /// The contents that were copied to each place.
    arrived: HashMap<&'a Place, HashSet<Contents<'a>>>,
    /// The sources and targets of copies.
    involved: HashSet<&'a Place>,
    /// The places by what they held before.
    by_content: HashMap<(&'a str, u64), &'a Place>,
}

impl<'a> Provenance<'a> {
    /// Follows the contents through these writes.
    pub fn of(writes: &'a [Write]) -> Self {
        let mut all = Provenance::default();
        let touched = || writes.iter().flat_map(|write| write.touched.iter());
        for touched in touched().filter(|it| is_thing(&it.place)) {
            let before = touched.before.as_ref();
            all.first.entry(&touched.place).or_insert(before);
        }
        for (place, mark) in &all.first {
            let content = mark.and_then(content);
            all.by_content.extend(content.map(|it| (it, *place)));
        }
        let gone: HashSet<&Place> = touched()
            .filter(|it| it.changed && it.after.is_none())
            .map(|it| &it.place)
            .collect();
        for write in writes {
            let joined = all.follow_parts(write);
            for touched in write.touched.iter().filter(|it| it.changed) {
                if is_thing(&touched.place) {
                    all.note_version(touched, &gone);
                    all.follow(touched, source(write), joined.as_ref());
                }
            }
        }
        all
    }

    /// Follows a write to one thing.
    fn follow(
        &mut self,
        touched: &'a Touched,
        source: Option<&'a Place>,
        joined: Option<&Joined<'a>>,
    ) {
        let place = &touched.place;
        let copied = match (source, joined, touched.after.as_ref()) {
            (_, _, None) => None,
            (_, Some(joined), Some(_)) => Some((joined.from.clone(), joined.held.clone())),
            (Some(source), None, Some(_)) => Some((Contents::from([source]), self.held(source))),
            // What was read at one place and is written at another is a copy, too.
            (None, None, Some(after)) => {
                let from = content(after).and_then(|it| self.by_content.get(&it));
                from.map(|from| (Contents::from([*from]), Contents::from([*from])))
            }
        };
        let is_other = |from: &Contents<'_>| from.iter().any(|it| *it != place);
        let copied = copied.map(|(from, held)| {
            if is_other(&from) {
                self.involved.extend(from);
                self.involved.insert(place);
                self.arrived.entry(place).or_default().insert(held.clone());
            }
            held
        });
        self.now.insert(place, copied.unwrap_or_default());
    }

    /// Follows the parts that a write makes. Returns what it puts together of them.
    fn follow_parts(&mut self, write: &'a Write) -> Option<Joined<'a>> {
        let mut joined = None;
        let settings = write.touched.iter().filter(|it| it.changed);
        for touched in settings.filter(|it| it.place.setting().is_some()) {
            match (&touched.after, touched.parts.is_empty()) {
                // An end without an object: what the parts held is gone with them.
                (None, true) => drop(self.pieces.remove(&touched.place)),
                (None, false) => {
                    let pieces = self.pieces.remove(&touched.place).unwrap_or_default();
                    let names: HashSet<&str> = touched.parts.iter().map(|it| &*it.name).collect();
                    let size = |place: &Place| self.size(place);
                    joined = Some(Joined {
                        from: pieces.sources(&names),
                        held: pieces.held(Some(&names), size),
                    });
                }
                (Some(_), _) => {
                    for part in &touched.parts {
                        let slot = self.slot(write, part);
                        let pieces = self.pieces.entry(&touched.place).or_default();
                        pieces.put(&part.name, slot);
                    }
                }
            }
        }
        joined
    }

    /// What a part holds.
    fn slot(&mut self, write: &'a Write, part: &'a WrittenPart) -> Slot<'a> {
        let from = match (source(write), &part.content) {
            (Some(source), _) => Some(source),
            (None, Some(mark)) => content(mark)
                .and_then(|it| self.by_content.get(&it))
                .copied(),
            (None, None) => None,
        };
        self.involved.extend(from);
        Slot {
            source: from,
            held: match (from, source(write)) {
                // What is brought along was read before the plan changed anything.
                (Some(from), None) => Contents::from([from]),
                (Some(from), Some(_)) => self.held(from),
                (None, _) => Contents::new(),
            },
            range: part.range,
        }
    }

    fn size(&self, place: &Place) -> u64 {
        let mark = self.first.get(place).copied().flatten();
        mark.map_or(0, |mark| mark.size)
    }

    /// What a place holds now.
    fn held(&self, place: &'a Place) -> Contents<'a> {
        let known = self.now.get(place).cloned();
        known.unwrap_or_else(|| Contents::from([place]))
    }

    /// The content that a place holds now and that was somewhere before, if it is one.
    pub fn held_alone(&self, place: &'a Place) -> Option<&'a Place> {
        let held = self.held(place);
        let mut each = held.into_iter();
        each.next().filter(|_| each.next().is_none())
    }

    /// How many contents were copied to a place, one over the other.
    pub fn merged(&self, place: &Place) -> usize {
        self.arrived.get(place).map_or(0, HashSet::len)
    }

    /// The places whose contents are nowhere afterwards, among those that are copied from or to.
    /// That a plan deletes or overwrites something else is seen at its place.
    pub fn lost(&self) -> HashSet<&'a Place> {
        let alive = self.alive();
        let contents: HashSet<_> = alive.iter().filter_map(|it| self.content(it)).collect();
        let is_lost = |place: &&&Place| {
            let content = self.content(place);
            let elsewhere = content.is_some_and(|content| contents.contains(&content));
            self.was_there(place) && !alive.contains(**place) && !elsewhere
        };
        self.involved.iter().filter(is_lost).copied().collect()
    }

    /// The places whose contents were copied and are somewhere else afterwards.
    pub fn moved(&self) -> HashSet<&'a Place> {
        let alive = self.alive();
        let is_moved = |place: &&&Place| {
            let is_here = self.held(place).contains(**place);
            self.was_there(place) && alive.contains(**place) && !is_here
        };
        self.involved.iter().filter(is_moved).copied().collect()
    }

    /// The contents that are somewhere afterwards.
    fn alive(&self) -> HashSet<&'a Place> {
        let untouched = self
            .first
            .keys()
            .filter(|place| !self.now.contains_key(*place));
        let now = self.now.values().flatten();
        let mut alive: HashSet<&Place> = now.chain(&self.kept).chain(untouched).copied().collect();
        for pieces in self.pieces.values() {
            alive.extend(pieces.held(None, |place| self.size(place)));
        }
        alive
    }

    fn was_there(&self, place: &Place) -> bool {
        self.first.get(place).is_some_and(Option::is_some)
    }

    fn content(&self, place: &Place) -> Option<(&'a str, u64)> {
        self.first.get(place).copied().flatten().and_then(content)
    }

    /// Notes that what a thing holds stays as an old version, if it does.
    fn note_version(&mut self, touched: &'a Touched, gone: &HashSet<&Place>) {
        let version = touched
            .before
            .as_ref()
            .and_then(|mark| mark.version.as_deref());
        let version = version.filter(|version| *version != "null");
        let version = version.map(|id| touched.place.clone().with_version(id));
        let stays = kept(touched)
            .or(version)
            .is_some_and(|it| !gone.contains(&it));
        if stays {
            self.kept.extend(self.held(&touched.place));
        }
    }
}

/// What a write puts together of parts.
struct Joined<'a> {
    /// The places that the parts were copied from.
    from: Contents<'a>,
    held: Contents<'a>,
}

/// The thing that a write copies from.
pub(super) fn source(write: &Write) -> Option<&Place> {
    let mut all = write.touched.iter();
    let source = all.find(|touched| !touched.changed)?;
    Some(&source.place)
}

fn is_thing(place: &Place) -> bool {
    place.segments().len() > 1 && place.setting().is_none()
}

/// What tells contents apart. Nothing is alike that is empty, or that nobody can look at.
fn content(mark: &Mark) -> Option<(&str, u64)> {
    (mark.size > 0 && !mark.is_unknown()).then_some((mark.tag.as_str(), mark.size))
}
