//! One write of a plan: check the places, keep the contents that it destroys, record the
//! intent, make it, and find out whether it was made, whatever the world answers.

use super::apply::{Applied, Apply, End, Memory, Record, Step};
use super::names::Names;
use super::retry::Retrying;
use crate::domain::{Ids, Image, Mark, Place, Refusal, Value, Write};
use crate::error::{Error, Result};

/// An answer of the world that leaves open whether a write was made.
enum Doubt {
    Refused(Refusal),
    Unanswered(Error),
}

/// How the places of a write look afterwards.
enum Seen {
    /// As the write leaves them.
    Made(Vec<Option<Mark>>),
    /// At least one as it was before: the write may be tried.
    NotMade,
    /// One of them is neither.
    Foreign {
        place: Place,
        expected: Option<Mark>,
        found: Option<Mark>,
    },
}

impl Apply<'_> {
    /// Makes one write. `begun` is its step where an interrupted apply had begun it.
    pub(super) async fn make(
        &self,
        number: usize,
        write: &Write,
        begun: Option<Step>,
        memory: &mut Memory,
        record: &mut dyn Record,
    ) -> Result<Step, End> {
        if let Some(mut step) = begun {
            let seen = self.seen(write, &step.found).await.map_err(End::Failed)?;
            if let Seen::Made(left) = seen {
                step.left = left;
                record.done(number, &step).await.map_err(End::Failed)?;
                return Ok(step);
            }
        }
        memory.in_doubt = false;
        let mut step = self.look(write, memory).await?;
        self.keep(write, &mut step, memory)
            .await
            .map_err(End::Failed)?;
        if self.stop.is_stopped() {
            return Err(End::Stopped);
        }
        record.intent(number, &step).await.map_err(End::Failed)?;
        memory.in_doubt = true;
        (step.left, step.ids) = self.carry_out(write, &step.found).await?;
        record.done(number, &step).await.map_err(End::Failed)?;
        Ok(step)
    }

    /// Finds out whether the write that an interrupted apply had begun was made. Makes no
    /// write: the apply ends here, and can be taken back. A write of several things counts
    /// as made if one of them was.
    pub async fn settle(&self, record: &mut dyn Record) -> Applied {
        let mut steps = self.earlier.made.clone();
        let begun = self.earlier.begun.clone();
        let end = match self.begun_was_made(steps.len(), begun, record).await {
            Ok(made) => {
                steps.extend(made);
                if steps.len() < self.writes.len() {
                    End::Stopped
                } else {
                    End::Whole
                }
            }
            Err(end) => end,
        };
        Applied { steps, end }
    }

    /// The step of the write that an interrupted apply had begun, where it was made.
    pub(super) async fn begun_was_made(
        &self,
        number: usize,
        begun: Option<Step>,
        record: &mut dyn Record,
    ) -> Result<Option<Step>, End> {
        match (begun, self.writes.get(number)) {
            (Some(step), Some(write)) => {
                let names = Names::of(self.writes, &self.earlier.made);
                self.settled(number, &names.write(write), step, record)
                    .await
            }
            _ => Ok(None),
        }
    }

    async fn settled(
        &self,
        number: usize,
        write: &Write,
        mut step: Step,
        record: &mut dyn Record,
    ) -> Result<Option<Step>, End> {
        let seen = self.seen(write, &step.found).await.map_err(End::Failed)?;
        step.left = match seen {
            Seen::Made(left) => left,
            Seen::Foreign {
                place,
                expected,
                found,
            } => {
                return Err(End::Drifted {
                    place,
                    expected,
                    found,
                });
            }
            Seen::NotMade => {
                let now = self.marks(write).await.map_err(End::Failed)?;
                let same = |(one, other): (&Option<Mark>, &Option<Mark>)| {
                    Mark::same(one.as_ref(), other.as_ref())
                };
                if step.found.iter().zip(&now).all(same) {
                    return Ok(None);
                }
                now
            }
        };
        record.done(number, &step).await.map_err(End::Failed)?;
        Ok(Some(step))
    }

    /// Checks that every place is as the plan saw it.
    async fn look(&self, write: &Write, memory: &Memory) -> Result<Step, End> {
        let found = self.marks(write).await.map_err(End::Failed)?;
        for (touched, found) in write.touched.iter().zip(&found) {
            let expected = memory.expected(&touched.place, &touched.before);
            let is_unknown =
                expected.as_ref().is_some_and(Mark::is_unknown) || memory.is_of_own(&touched.place);
            if !is_unknown && !Mark::same(expected.as_ref(), found.as_ref()) {
                return Err(End::Drifted {
                    place: touched.place.clone(),
                    expected: expected.clone(),
                    found: found.clone(),
                });
            }
        }
        Ok(Step {
            found,
            ..Step::default()
        })
    }

    /// Keeps an image of each place that is changed for the first time.
    async fn keep(&self, write: &Write, step: &mut Step, memory: &mut Memory) -> Result<()> {
        for (touched, found) in write.touched.iter().zip(&step.found) {
            let place = &touched.place;
            if !touched.changed || memory.kept.contains(place) {
                continue;
            }
            let image = match found {
                None => Image::Nothing,
                Some(mark) => {
                    let room = self.keeping.most_bytes_in_all.saturating_sub(memory.bytes);
                    let most = self.keeping.most_bytes.min(room);
                    memory.bytes += mark.size.min(most);
                    let destroyed = &memory.destroyed;
                    let reads = self.reads();
                    self.planning.image(&reads, place, destroyed, most).await?
                }
            };
            step.images.push((place.clone(), image));
        }
        Ok(())
    }

    /// Makes the call, and tries again until it is known whether the write was made.
    async fn carry_out(
        &self,
        write: &Write,
        found: &[Option<Mark>],
    ) -> Result<(Vec<Option<Mark>>, Ids), End> {
        let mut params = self.planning.guarded(write, found);
        let mut wait = self.patience.first_wait;
        for attempt in 1.. {
            let doubt = match self.call(write, &params).await {
                Ok(made) => return Ok(made),
                Err(doubt) => doubt,
            };
            let seen = match self.seen(write, found).await {
                Ok(seen) => seen,
                Err(error) => {
                    return Err(match doubt {
                        Doubt::Refused(refusal) if !is_passing(&refusal) => End::Refused(refusal),
                        Doubt::Refused(_) => End::Unknown(error),
                        Doubt::Unanswered(first) => End::Unknown(first),
                    });
                }
            };
            match seen {
                Seen::Made(left) => return Ok((left, Ids::new())),
                Seen::Foreign {
                    place,
                    expected,
                    found,
                } => {
                    return Err(End::Drifted {
                        place,
                        expected,
                        found,
                    });
                }
                Seen::NotMade => {}
            }
            match doubt {
                // A server without conditions: the places were checked before the call.
                Doubt::Refused(refusal)
                    if knows_no_conditions(&refusal) && params != write.params =>
                {
                    params = write.params.clone();
                }
                Doubt::Refused(refusal) if !is_passing(&refusal) => {
                    return Err(End::Refused(refusal));
                }
                Doubt::Refused(refusal) if attempt >= self.patience.attempts => {
                    return Err(End::Refused(refusal));
                }
                Doubt::Unanswered(error) if attempt >= self.patience.attempts => {
                    return Err(End::Failed(error));
                }
                Doubt::Refused(_) | Doubt::Unanswered(_) => {
                    tokio::time::sleep(wait).await;
                    wait *= 2;
                }
            }
        }
        unreachable!("there is no end of numbers")
    }

    async fn call(&self, write: &Write, params: &Value) -> Result<(Vec<Option<Mark>>, Ids), Doubt> {
        // Tried again only after a look: a copy or a delete made twice would be another one
        // in a versioned bucket, and a delete could hit what someone put there meanwhile.
        let answer = self.world.call_once(&write.operation, params).await;
        let answer = answer.map_err(Doubt::Unanswered)?;
        let answer = answer.map_err(Doubt::Refused)?;
        let left = self.planning.left(write, &answer);
        let ids = self.planning.ids(&write.operation, &write.params, &answer);
        Ok((left.map_err(Doubt::Refused)?, ids))
    }

    /// The marks of a write's places as they are now.
    async fn marks(&self, write: &Write) -> Result<Vec<Option<Mark>>> {
        let places: Vec<&Place> = write.touched.iter().map(|touched| &touched.place).collect();
        self.planning.marks(&self.reads(), &places).await
    }

    async fn holds(&self, write: &Write, place: &Place) -> Result<bool> {
        self.planning.holds(&self.reads(), write, place).await
    }

    /// The world, for reads that are tried again.
    fn reads(&self) -> Retrying<'_> {
        Retrying {
            world: self.world,
            patience: self.patience,
        }
    }

    /// Whether a write was made; `found` are the marks from before it.
    async fn seen(&self, write: &Write, found: &[Option<Mark>]) -> Result<Seen> {
        let marks = self.marks(write).await?;
        let mut left = Vec::with_capacity(marks.len());
        let mut missing = false;
        for ((touched, before), now) in write.touched.iter().zip(found).zip(marks) {
            let same = |mark: &Option<Mark>| Mark::same(mark.as_ref(), now.as_ref());
            // A place that is only depended on says nothing, and may have changed since.
            // A write that leaves the same content shows only in a new version. Without
            // versions it is made again, so that its metadata is not lost.
            let is_told = match (before, &now) {
                (Some(before), Some(now)) => {
                    !Mark::same(Some(before), Some(now)) || before.version != now.version
                }
                _ => true,
            };
            let is_made = !touched.changed || same(&touched.after) && is_told;
            if !is_made && same(before) {
                missing = true;
            } else if !is_made && !self.holds(write, &touched.place).await? {
                return Ok(Seen::Foreign {
                    place: touched.place.clone(),
                    expected: before.clone(),
                    found: now,
                });
            }
            left.push(now);
        }
        Ok(if missing {
            Seen::NotMade
        } else {
            Seen::Made(left)
        })
    }
}

/// Whether a refusal means that the world supports no conditions on writes.
fn knows_no_conditions(refusal: &Refusal) -> bool {
    refusal.status == 501 || matches!(refusal.code.as_str(), "NotImplemented" | "MalformedXML")
}

/// Whether a refusal means that the world is busy, and the same call may succeed later.
/// 501 is not one: a server that lacks an operation will lack it at the next try.
pub(super) fn is_passing(refusal: &Refusal) -> bool {
    let is_busy = matches!(
        refusal.code.as_str(),
        "ConditionalRequestConflict" | "OperationAborted" | "RequestTimeout"
    );
    is_busy || matches!(refusal.status, 408 | 429 | 500 | 502..)
}
