//! Carrying out a plan: exactly its writes, in order, each only while every place it touches
//! is as the plan saw it.

use super::names::Names;
use super::{Keeping, Stop};
use crate::domain::{Ids, Image, Mark, Place, Planning, Refusal, World, Write};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// Records an apply, so that its state is known whenever it is cut off.
#[async_trait]
pub trait Record: Send {
    /// The write with this number is about to be made. `step` has the contents that it
    /// destroys, but not yet its results. The write is made when this returns.
    async fn intent(&mut self, number: usize, step: &Step) -> Result<()>;

    /// The write was made.
    async fn done(&mut self, number: usize, step: &Step) -> Result<()>;
}

/// A record that keeps nothing.
pub struct Unrecorded;

#[async_trait]
impl Record for Unrecorded {
    async fn intent(&mut self, _: usize, _: &Step) -> Result<()> {
        Ok(())
    }
    async fn done(&mut self, _: usize, _: &Step) -> Result<()> {
        Ok(())
    }
}

/// One write of a plan, as it was carried out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// The mark of each place before the write, in the order of [`Write::touched`].
    pub found: Vec<Option<Mark>>,
    /// Images of the places that the plan had not changed before.
    pub images: Vec<(Place, Image)>,
    /// The mark of each place after the write; empty until it is made.
    pub left: Vec<Option<Mark>>,
    /// The ids that the world gave to what the write made.
    pub ids: Ids,
}

/// How long an apply waits for a world that does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// The number of tries of a write or a read.
    pub attempts: u32,
    /// The wait before the second try; it doubles from there.
    pub first_wait: Duration,
    /// The longest silence of one write, with its looks, its tries and the waits between
    /// them. Only a transfer that moves bytes breaks it ([`World::moved`]): every other write
    /// has no more time than this. Whether more was moved is looked at when the time is over,
    /// so a transfer that stands still is waited for at most twice as long. Then the apply
    /// ends: as [`End::Unknown`] where the write had been begun, as [`End::Failed`] where it
    /// had not.
    pub deadline: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            attempts: 5,
            first_wait: Duration::from_millis(500),
            deadline: Duration::from_secs(300),
        }
    }
}

/// How an apply ended.
#[derive(Debug)]
pub struct Applied {
    /// The writes that were made, from the first on; as many as the plan has where `end`
    /// is [`End::Whole`].
    pub steps: Vec<Step>,
    /// Why there are no more.
    pub end: End,
}

/// Why an apply ended.
#[derive(Debug)]
pub enum End {
    /// Every write was made.
    Whole,
    /// It was stopped.
    Stopped,
    /// A place is not as the plan saw it. The write was not made.
    Drifted {
        /// The place.
        place: Place,
        /// The mark that the plan saw.
        expected: Option<Mark>,
        /// Its mark now.
        found: Option<Mark>,
    },
    /// The world refused the write. It was not made, or where it was one of many things,
    /// perhaps a part of it.
    Refused(Refusal),
    /// A write was begun, and whether it was made is not known: the world did not answer,
    /// or its answer was not waited for.
    Unknown(Error),
    /// The world could not be read or did not answer, or the record could not be kept. The
    /// write was not made, unless only the record of its completion failed.
    Failed(Error),
}

/// An apply, ready to go.
pub struct Apply<'a> {
    /// How the domain plans.
    pub planning: &'a dyn Planning,
    /// The world that is changed.
    pub world: &'a dyn World,
    /// The plan's writes.
    pub writes: &'a [Write],
    /// The limits on kept contents.
    pub keeping: Keeping,
    /// The time to wait for answers.
    pub patience: Patience,
    /// The handle that ends it early.
    pub stop: Stop,
    /// How far an interrupted apply of the same writes had come.
    pub earlier: Earlier,
}

/// How far an interrupted apply had come.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Earlier {
    /// The writes that are known to have been made, from the first on.
    pub made: Vec<Step>,
    /// The step of the write after them, where it had been begun: whether it was made is
    /// not known.
    pub begun: Option<Step>,
}

/// The changes that the apply has made so far.
#[derive(Default)]
pub(super) struct Memory {
    /// The marks that its writes left.
    pub seen: HashMap<Place, Option<Mark>>,
    /// The places of which an image is kept, or that need none.
    pub kept: HashSet<Place>,
    /// The settings among them, by their things.
    settings: HashMap<Place, Vec<Place>>,
    /// The old versions that the plan takes away for good.
    pub destroyed: HashSet<Place>,
    /// The ids that the world gave to what the plan made.
    names: Names,
    /// The bytes that are kept.
    pub bytes: u64,
    /// Whether a write was begun and not found out about.
    pub in_doubt: bool,
}

impl Memory {
    /// Remembers a write that was made. `write` is as the plan has it.
    fn note(&mut self, write: &Write, step: &Step) {
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

    /// The mark that a place must have: the plan's, unless the apply itself changed it.
    pub fn expected<'m>(&'m self, place: &Place, planned: &'m Option<Mark>) -> &'m Option<Mark> {
        self.seen.get(place).unwrap_or(planned)
    }

    /// Whether a place is a setting of a thing that the apply itself has written, so that only the
    /// world knows it: a default retention begins when the object is made.
    pub fn is_of_own(&self, place: &Place) -> bool {
        let is_setting = |name: &str| !name.starts_with("version ");
        let thing = Place::new(place.segments());
        place.setting().is_some_and(is_setting)
            && !self.seen.contains_key(place)
            && self.seen.contains_key(&thing)
    }
}

impl<'a> Apply<'a> {
    /// An apply of all these writes with the default patience and keeping.
    pub fn new(planning: &'a dyn Planning, world: &'a dyn World, writes: &'a [Write]) -> Apply<'a> {
        Apply {
            planning,
            world,
            writes,
            keeping: Keeping::default(),
            patience: Patience::default(),
            stop: Stop::default(),
            earlier: Earlier::default(),
        }
    }

    /// Makes the writes. `watch` is told how many are made after each.
    pub async fn run(
        &self,
        record: &mut dyn Record,
        watch: &mut (dyn FnMut(usize) + Send),
    ) -> Applied {
        let _applying = self.stop.applying();
        let mut memory = Memory {
            destroyed: self.planning.destroyed(self.writes),
            ..Memory::default()
        };
        let mut steps = self.earlier.made.clone();
        let mut begun = self.earlier.begun.clone();
        for (write, step) in self.writes.iter().zip(&steps) {
            memory.note(write, step);
        }
        for (number, write) in self.writes.iter().enumerate().skip(steps.len()) {
            if self.stop.is_stopped() {
                let end = match self.begun_was_made(number, begun, record).await {
                    Ok(made) => {
                        steps.extend(made);
                        End::Stopped
                    }
                    Err(end) => end,
                };
                return Applied { steps, end };
            }
            let named = memory.names.write(write).into_owned();
            let made = self.in_time(number, &named, begun.take(), &mut memory, record);
            match made.await {
                Ok(step) => {
                    memory.note(write, &step);
                    steps.push(step);
                    watch(steps.len());
                    // Lets other tasks stop the apply, even if the world answers at once.
                    tokio::task::yield_now().await;
                }
                Err(end) => return Applied { steps, end },
            }
        }
        Applied {
            steps,
            end: End::Whole,
        }
    }

    /// Makes one write, but waits for no answer after the deadline, nor after the apply was
    /// abandoned.
    async fn in_time(
        &self,
        number: usize,
        write: &Write,
        begun: Option<Step>,
        memory: &mut Memory,
        record: &mut dyn Record,
    ) -> Result<Step, End> {
        memory.in_doubt = begun.is_some();
        let why = tokio::select! {
            biased;
            made = self.make(number, write, begun, memory, record) => return made,
            () = self.stop.abandoned() => "its answer was not waited for".to_owned(),
            () = self.silence() => {
                let seconds = self.patience.deadline.as_secs_f64();
                format!("there was no answer within {seconds} s")
            }
        };
        Err(if memory.in_doubt {
            End::Unknown(Error::World(why))
        } else {
            End::Failed(Error::World(why))
        })
    }

    /// Waits until no transfer has moved anything for as long as the deadline.
    async fn silence(&self) {
        let moved = || self.world.moved().map(|moved| moved.bytes());
        let mut before = moved();
        loop {
            tokio::time::sleep(self.patience.deadline).await;
            let now = moved();
            if now == before {
                return;
            }
            before = now;
        }
    }
}

impl Applied {
    /// Whether every write was made.
    pub fn is_whole(&self) -> bool {
        matches!(self.end, End::Whole)
    }

    /// Why it is not whole, where it is not: an error code and a sentence that says what
    /// was done and what was not. `of` is how many writes there were to make.
    pub fn failure(&self, of: usize) -> Option<(String, String)> {
        let (code, why) = match &self.end {
            End::Whole => return None,
            End::Stopped => ("Interrupted".to_owned(), "it was stopped".to_owned()),
            End::Drifted {
                place,
                expected,
                found,
            } => (
                "PlanOutdated".to_owned(),
                match (expected, found) {
                    (None, _) => format!("{place} is there now, and was not when this was planned"),
                    (_, None) => format!("{place} is gone, and was there when this was planned"),
                    _ => format!("{place} has changed since this was planned"),
                },
            ),
            End::Refused(refusal) => (
                refusal.code.clone(),
                format!(
                    "the next write was refused: {}",
                    refusal.message.trim_end_matches('.')
                ),
            ),
            End::Unknown(error) => {
                let made = match self.steps.len() {
                    0 => "Whether the first write".to_owned(),
                    made => {
                        format!("{made} of {of} planned writes were made. Whether the next one")
                    }
                };
                let sentence = format!("{made} was made is not known: {error}.");
                return Some(("ConnectionLost".to_owned(), sentence));
            }
            End::Failed(error) => (
                "ConnectionLost".to_owned(),
                format!("the next write could not be made: {error}"),
            ),
        };
        let made = match self.steps.len() {
            0 => "Nothing was changed".to_owned(),
            made => format!("Only {made} of {of} planned writes were made"),
        };
        Some((code, format!("{made}: {why}.")))
    }
}
