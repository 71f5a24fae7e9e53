//! One write of a plan: make it, and find out whether it was made, whatever the world answers.

use super::conditions::Tried;
use super::pace::Pace;
use super::retry::Retrying;
use super::{Apply, Drift, End, Record, Step};
use crate::domain::{Answer, Ids, Mark, Place, Refusal, Value, Write};
use crate::error::{Error, Result};
use futures_util::future::join_all;
use tokio::time::Instant;

/// The marks and the ids of a write that was made.
pub(super) type Made = (Vec<Option<Mark>>, Ids);

/// An answer of the world that leaves open whether a write was made.
pub(super) enum Doubt {
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
    Foreign(Drift),
}

impl Apply<'_> {
    /// The step of a write that had been begun, where it was made.
    pub(super) async fn was_made(&self, write: &Write, mut step: Step) -> Result<Option<Step>> {
        Ok(match self.seen(write, &step.found).await? {
            Seen::Made(left) => {
                step.left = left;
                Some(step)
            }
            _ => None,
        })
    }

    /// The same of a write that is not to be made any more: it also counts as made if only a
    /// part of it was.
    pub(super) async fn settled(
        &self,
        write: &Write,
        mut step: Step,
        record: &mut dyn Record,
    ) -> Result<Option<Step>, End> {
        let seen = self.seen(write, &step.found).await.map_err(End::Failed)?;
        step.left = match seen {
            Seen::Made(left) => left,
            Seen::Foreign(drift) => return Err(End::Drifted(Box::new(drift))),
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
        record.done(step.number, &step).await.map_err(End::Failed)?;
        Ok(Some(step))
    }

    /// Makes the call, and tries again until it is known whether the write was made. `first` is
    /// what came of it where it was tried before.
    pub(super) async fn carry_out(
        &self,
        write: &Write,
        found: &[Option<Mark>],
        pace: &Pace,
        mut first: Option<Doubt>,
    ) -> Result<Made, End> {
        let mut params = self.planning.guarded(write, found);
        if first.is_none() {
            match self.try_condition(write, found, pace).await {
                Tried::Made(made) => return Ok(made),
                Tried::Doubted(doubt) => first = Some(doubt),
                Tried::Nothing => {}
            }
        }
        let mut wait = self.patience.first_wait;
        for attempt in 1.. {
            let began = Instant::now();
            let tried = match first.take() {
                Some(doubt) => Err(doubt),
                None => self.call(write, &params).await,
            };
            let doubt = match tried {
                Ok(made) => {
                    pace.took(began.elapsed());
                    return Ok(made);
                }
                Err(doubt) => doubt,
            };
            if matches!(&doubt, Doubt::Refused(refusal) if is_passing(refusal)) {
                pace.slower();
            }
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
                Seen::Foreign(drift) => return Err(End::Drifted(Box::new(drift))),
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

    async fn call(&self, write: &Write, params: &Value) -> Result<Made, Doubt> {
        // Tried again only after a look: a copy or a delete made twice would be another one
        // in a versioned bucket, and a delete could hit what someone put there meanwhile.
        let answer = self.world.call_once(&write.operation, params).await;
        let answer = answer.map_err(Doubt::Unanswered)?;
        self.told(write, answer)
    }

    /// What an answer says of a write.
    pub(super) fn told(&self, write: &Write, answer: Answer) -> Result<Made, Doubt> {
        let answer = answer.map_err(Doubt::Refused)?;
        let left = self.planning.left(write, &answer);
        let ids = self.planning.ids(&write.operation, &write.params, &answer);
        Ok((left.map_err(Doubt::Refused)?, ids))
    }

    /// Makes several writes by one call. What is not made by it, or not known to be, is made or
    /// found out alone.
    pub(super) async fn carry_out_all(
        &self,
        writes: &[(&Write, &[Option<Mark>])],
        pace: &Pace,
    ) -> Vec<Result<Made, End>> {
        let tried = self.try_conditions(writes, pace).await;
        let is_open = tried.iter().all(|it| matches!(it, Tried::Nothing));
        let each = match is_open {
            true => self.call_all(writes, pace).await,
            false => (tried.into_iter())
                .map(|tried| match tried {
                    Tried::Made(made) => Ok(made),
                    Tried::Doubted(doubt) => Err(Some(doubt)),
                    Tried::Nothing => Err(None),
                })
                .collect(),
        };
        let ends = writes
            .iter()
            .zip(each)
            .map(async |((write, found), made)| match made {
                Ok(made) => {
                    pace.faster();
                    Ok(made)
                }
                Err(doubt) => self.carry_out(write, found, pace, doubt).await,
            });
        let ends: Vec<_> = ends.collect();
        join_all(ends).await
    }

    /// One call for several writes: of each what came of it, or nothing where it is to be made alone.
    async fn call_all(
        &self,
        writes: &[(&Write, &[Option<Mark>])],
        pace: &Pace,
    ) -> Vec<Result<Made, Option<Doubt>>> {
        let answer = match self.planning.gathered(writes) {
            Some((operation, params)) => Some(self.world.call_once(&operation, &params).await),
            None => None,
        };
        let each = writes.iter().map(|(write, _)| match &answer {
            None => Err(None),
            Some(Ok(Ok(answer))) => match self.planning.answer_of(write, answer) {
                Some(alone) => self.told(write, alone).map_err(Some),
                None => Err(Some(Doubt::Unanswered(Error::world(
                    "the answer says nothing of it",
                )))),
            },
            // Nothing was made, and perhaps each can be alone.
            Some(Ok(Err(refusal))) if knows_no_conditions(refusal) => {
                pace.alone();
                Err(None)
            }
            Some(Ok(Err(refusal))) => Err(Some(Doubt::Refused(refusal.clone()))),
            Some(Err(error)) => Err(Some(Doubt::Unanswered(Error::world(error.to_string())))),
        });
        each.collect()
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
    pub(super) fn reads(&self) -> Retrying<'_> {
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
                return Ok(Seen::Foreign(Drift {
                    place: touched.place.clone(),
                    expected: before.clone(),
                    found: now,
                    is_read: false,
                }));
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
