//! What a rehearsal read of the world. A program may have decided by it, so it is compared again
//! before its plan is applied.

use super::{Drift, End};
use crate::domain::{Answer, Mark, Place, Planning, Seen, Value, World, Write};
use crate::error::Result;
use futures_util::{StreamExt, stream};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};

/// The most contents that are compared. The marks of many are told by few listings.
const MOST_CONTENTS: usize = 10_000;

/// The most answers that are asked for again.
const MOST_ANSWERS: usize = 100;

/// The most that are asked for at once.
const AT_ONCE: usize = 16;

/// What a program read of the world itself, rather than of what it had written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reads {
    /// The marks of the contents that it read or saw in a listing.
    contents: BTreeMap<Place, Option<Mark>>,
    answers: Vec<Asked>,
    known: HashSet<[u8; 32]>,
    /// How many of its reads are not compared: there were too many, or they cannot be repeated.
    unchecked: usize,
}

/// A question, and a digest of its answer.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    place: Place,
    operation: String,
    params: Value,
    answer: [u8; 32],
}

impl Reads {
    /// Notes a read, after what the same program has written.
    pub(super) fn note(
        &mut self,
        (operation, params): (&str, &Value),
        answer: &Answer,
        seen: Seen,
        written: &Written,
    ) {
        match seen {
            Seen::Nothing => {}
            Seen::Unrepeatable => self.unchecked += 1,
            Seen::Contents(contents) => {
                for (place, mark) in contents {
                    // What it has written itself is as it left it.
                    if written.has(&place) || self.contents.contains_key(&place) {
                        continue;
                    }
                    match self.contents.len() < MOST_CONTENTS {
                        true => drop(self.contents.insert(place, mark)),
                        false => self.unchecked += 1,
                    }
                }
            }
            Seen::Answer(place) => {
                let question = digest(&(operation, params));
                if !self.known.insert(question) {
                    return;
                }
                if written.changed.contains(place.root()) || self.answers.len() >= MOST_ANSWERS {
                    self.unchecked += 1;
                    return;
                }
                self.answers.push(Asked {
                    place,
                    operation: operation.to_owned(),
                    params: params.clone(),
                    answer: digest(answer),
                });
            }
        }
    }

    /// Leaves out what the writes depend on: an apply looks at that before each of them.
    pub(super) fn beside(mut self, written: &Written) -> Reads {
        self.contents.retain(|place, _| !written.has(place));
        self
    }

    /// How many reads are not compared before an apply.
    pub fn unchecked(&self) -> usize {
        self.unchecked
    }

    /// Compares all of it with the world as it is now.
    ///
    /// # Errors
    /// [`End::Drifted`] by the first that is another one; [`End::Failed`] where the world cannot
    /// be read.
    pub(super) async fn compare(
        &self,
        planning: &dyn Planning,
        world: &dyn World,
        reads: &dyn World,
    ) -> Result<(), End> {
        let places: Vec<&Place> = self.contents.keys().collect();
        let marks = planning.marks(reads, &places).await.map_err(End::Failed)?;
        let contents = self.contents.iter().zip(marks);
        for ((place, seen), now) in contents {
            let tag = |mark: &Option<Mark>| mark.as_ref().map(|mark| mark.tag.clone());
            if tag(seen) != tag(&now) {
                return Err(End::Drifted(Box::new(Drift {
                    place: place.clone(),
                    expected: seen.clone(),
                    found: now,
                    is_read: true,
                })));
            }
        }
        if self.answers.is_empty() {
            return Ok(());
        }
        // A draft answers in its own way, and so does another one.
        let Some(fork) = world.fork() else {
            return Ok(());
        };
        let asked = self.answers.iter().map(async |asked| {
            let answer = fork.call(&asked.operation, &asked.params).await?;
            Ok((asked, digest(&answer)))
        });
        let asked: Vec<_> = asked.collect();
        let mut answers = stream::iter(asked).buffered(AT_ONCE);
        while let Some(answer) = answers.next().await {
            let (asked, now) = answer.map_err(End::Failed)?;
            if now != asked.answer {
                let mark = || Some(Mark::unknown(0));
                return Err(End::Drifted(Box::new(Drift {
                    place: asked.place.clone(),
                    expected: mark(),
                    found: mark(),
                    is_read: true,
                })));
            }
        }
        Ok(())
    }
}

/// What a program has written so far.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The paths of the things that its writes touch, and of the containers that they make or
    /// remove.
    things: HashSet<Vec<String>>,
    /// The paths of the things that its writes make, replace or remove.
    made: HashSet<Vec<String>>,
    /// The settings that its writes change.
    settings: HashSet<Place>,
    /// The containers in which something has changed.
    changed: HashSet<String>,
}

impl Written {
    /// Adds a write.
    pub(super) fn add(&mut self, write: &Write) {
        for touched in write.touched.iter() {
            if touched.place.setting().is_none() {
                self.things.insert(touched.place.segments().to_vec());
            }
            if !touched.changed {
                continue;
            }
            self.changed.insert(touched.place.root().to_owned());
            if touched.place.setting().is_some() {
                self.settings.insert(touched.place.clone());
            } else if touched.place.is_thing() {
                self.made.insert(touched.place.segments().to_vec());
            }
        }
    }

    /// Whether a place is a setting, not changed so far, of a thing that the writes have changed.
    pub(super) fn is_first_setting_of_new(&self, place: &Place) -> bool {
        let is_of_thing = place.setting().is_some() && place.segments().len() > 1;
        is_of_thing
            && !place.is_version()
            && self.made.contains(place.segments())
            && !self.settings.contains(place)
    }

    fn has(&self, place: &Place) -> bool {
        let container = place.segments().get(..1).unwrap_or_default();
        self.things.contains(place.segments()) || self.things.contains(container)
    }
}

fn digest(value: &impl std::fmt::Debug) -> [u8; 32] {
    Sha256::digest(format!("{value:?}")).into()
}
