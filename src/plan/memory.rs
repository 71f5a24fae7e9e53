//! What an apply knows of the writes that it has made, and what it wants to know of the next.

use super::copies::{self, Copies};
use super::names::Names;
use super::{Apply, Keeping, Step};
use crate::domain::{Answer, Mark, Place, Planning, Write};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The changes that the apply has made so far.
#[derive(Default)]
pub(super) struct Memory {
    /// The marks that its writes left.
    seen: HashMap<Place, Option<Mark>>,
    /// The places of which an image is kept, or that need none.
    kept: HashSet<Place>,
    /// The settings among them, by their things.
    settings: HashMap<Place, Vec<Place>>,
    /// What images need to know.
    pub asked: Arc<Asked>,
    /// Where copies stay of what the plan deletes.
    copies: Copies,
    /// The ids that the world gave to what the plan made.
    names: Names,
    /// The bytes that are kept, or are to be.
    bytes: u64,
}

/// What all images of a plan need to know.
#[derive(Default)]
pub(super) struct Asked {
    /// The old versions that the plan takes away for good.
    pub destroyed: HashSet<Place>,
    /// The answers of the world about containers, which only writes to these change.
    pub answers: Mutex<HashMap<String, Answer>>,
}

impl Asked {
    /// A container was changed.
    pub fn forget(&self) {
        let mut answers = (self.answers.lock()).unwrap_or_else(PoisonError::into_inner);
        answers.clear();
    }
}

/// A write whose turn it is.
pub(super) struct Going<'a> {
    /// Which write of the plan it is.
    pub number: usize,
    /// The write, with the ids of the world.
    pub write: Cow<'a, Write>,
    /// What is expected of each place that it touches, in their order.
    pub expected: Vec<Expected>,
}

/// What is expected of a place before a write.
pub(super) struct Expected {
    pub mark: Option<Mark>,
    /// Whether the mark can be told in advance.
    pub is_told: bool,
    /// The most bytes of its content that are kept; none if it is kept already, or stays.
    pub kept: Option<u64>,
    /// Where the apply has put a copy of it, with the mark of that.
    pub copy: Option<(Place, Mark)>,
}

impl Memory {
    /// Of an apply that has made nothing yet.
    pub fn of(planning: &dyn Planning, writes: &[Write]) -> Memory {
        Memory {
            asked: Arc::new(Asked {
                destroyed: planning.destroyed(writes),
                answers: Mutex::default(),
            }),
            copies: copies::of(planning, writes),
            ..Memory::default()
        }
    }

    /// Remembers a write that was made. `write` is as the plan has it.
    pub fn note(&mut self, write: &Write, step: &Step) {
        self.names.learn(write, step);
        let changed = write.touched.iter().zip(&step.left);
        let changed: Vec<_> = changed.filter(|(touched, _)| touched.changed).collect();
        for (touched, _) in changed.iter().filter(|(it, _)| it.place.is_thing()) {
            self.forget_settings(&touched.place);
        }
        for (touched, left) in changed {
            let place = self.names.place(&touched.place);
            if place.setting().is_some() {
                let thing = Place::new(place.segments());
                self.settings.entry(thing).or_default().push(place.clone());
            }
            self.seen.insert(place.clone(), left.clone());
            self.kept.insert(place);
        }
    }

    /// A thing with another content has other settings.
    fn forget_settings(&mut self, thing: &Place) {
        for setting in self.settings.remove(thing).unwrap_or_default() {
            self.seen.remove(&setting);
            self.kept.remove(&setting);
        }
    }

    /// A write with the world's ids.
    pub fn named<'w>(&self, write: &'w Write) -> Cow<'w, Write> {
        self.names.write(write)
    }

    /// A write whose turn it is: all that it waits for is made.
    pub fn going<'a>(&mut self, apply: &Apply<'a>, number: usize) -> Option<Going<'a>> {
        let write = self.names.write(apply.writes.get(number)?);
        let expected = write.touched.iter().map(|touched| {
            let (place, planned) = (&touched.place, &touched.before);
            // The plan's, unless the apply itself changed it.
            let mark = self.seen.get(place).unwrap_or(planned).clone();
            let is_unknown = mark.as_ref().is_some_and(Mark::is_unknown);
            Expected {
                is_told: !is_unknown && !self.is_of_own(place),
                kept: None,
                copy: None,
                mark,
            }
        });
        let mut expected: Vec<Expected> = expected.collect();
        for (touched, expected) in write.touched.iter().zip(&mut expected) {
            if touched.changed && !self.kept.contains(&touched.place) {
                expected.copy = self.copy(number, &touched.place);
                let size = match (&expected.copy, &expected.mark) {
                    (None, Some(mark)) => mark.size,
                    _ => 0,
                };
                expected.kept = Some(self.reserve(size, apply.keeping));
            }
        }
        Some(Going {
            number,
            write,
            expected,
        })
    }

    /// Where a copy is of what a write deletes.
    fn copy(&self, number: usize, place: &Place) -> Option<(Place, Mark)> {
        let copy = self.copies.get(&(number, place.clone()))?;
        let left = self.seen.get(copy)?.clone()?;
        Some((copy.clone(), left))
    }

    /// Room for a content of this size: the most bytes of it that are kept.
    fn reserve(&mut self, size: u64, keeping: Keeping) -> u64 {
        let room = keeping.most_bytes_in_all.saturating_sub(self.bytes);
        let most = keeping.most_bytes.min(room);
        self.bytes += size.min(most);
        most
    }

    /// Whether a place is a setting of a thing that the apply itself has written, so that only the
    /// world knows it: a default retention begins when the object is made.
    fn is_of_own(&self, place: &Place) -> bool {
        let is_setting = |name: &str| !name.starts_with("version ");
        let thing = Place::new(place.segments());
        place.setting().is_some_and(is_setting)
            && !self.seen.contains_key(place)
            && self.seen.contains_key(&thing)
    }
}
