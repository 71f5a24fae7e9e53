//! What comes before writes: places are looked at, and contents that are destroyed are kept.

use super::memory::{Asked, Expected, Going};
use super::retry::Retrying;
use super::{Apply, Drift, End, Step};
use crate::domain::{Answer, Image, Layer, Mark, Onward, Place, Planning, Value, Wanted, World};
use crate::error::Result;
use async_trait::async_trait;
use futures_util::future::{join_all, try_join_all};
use std::collections::{HashMap, HashSet};
use std::slice;
use std::sync::{MutexGuard, PoisonError};

type Found = HashMap<Place, Option<Mark>>;

impl Apply<'_> {
    /// Looks at the places of all these writes, and keeps what they destroy. The steps of the
    /// writes that can be made, in order, up to the first that cannot be.
    pub(super) async fn looked(&self, lot: &[Going<'_>], asked: &Asked) -> Vec<Result<Step, End>> {
        let checked = match self.found(lot).await {
            Ok(found) => {
                let looked = lot
                    .iter()
                    .map(|going| self.looked_again(going, &found, lot.len()));
                join_all(looked.collect::<Vec<_>>()).await
            }
            Err(error) if lot.len() < 2 => vec![Err(End::Failed(error))],
            // Perhaps only one of them cannot be looked at.
            Err(_) => {
                let each: Vec<_> = lot.iter().map(|going| self.looked_alone(going)).collect();
                join_all(each).await
            }
        };
        let count = checked.iter().take_while(|step| step.is_ok()).count();
        let ready = lot.iter().zip(checked.iter().flatten()).take(count);
        let ready: Vec<(&Going<'_>, &Step)> = ready.collect();
        let mut images = self.images(&ready, asked).await.into_iter();
        let mut steps = Vec::with_capacity(count + 1);
        for step in checked.into_iter().take(count + 1) {
            let step = match (step, images.next()) {
                (Ok(step), Some(Ok(images))) => Ok(Step { images, ..step }),
                (Ok(_), Some(Err(error))) => Err(End::Failed(error)),
                (step, _) => step,
            };
            steps.push(step);
        }
        steps
    }

    /// What a look at many places says of one write. A server may tell other things of a place
    /// among many than of it alone, and what a plan has seen may be either.
    async fn looked_again(
        &self,
        going: &Going<'_>,
        found: &Found,
        many: usize,
    ) -> Result<Step, End> {
        match checked(going, found) {
            Err(End::Drifted(_)) if many > 1 => self.looked_alone(going).await,
            looked => looked,
        }
    }

    async fn looked_alone(&self, going: &Going<'_>) -> Result<Step, End> {
        let found = self.found(slice::from_ref(going)).await;
        checked(going, &found.map_err(End::Failed)?)
    }

    /// The marks of all places of these writes. Places whose versions matter are looked at one
    /// by one, since a listing does not tell them.
    async fn found(&self, lot: &[Going<'_>]) -> Result<Found> {
        let (mut alone, mut together) = (Vec::new(), HashSet::new());
        for going in lot {
            for (touched, expected) in going.write.touched.iter().zip(&going.expected) {
                let is_replaced = touched.changed && touched.after.is_some();
                match is_replaced && expected.mark.is_some() && lot.len() > 1 {
                    true => alone.push(&touched.place),
                    false => drop(together.insert(&touched.place)),
                }
            }
        }
        let together: Vec<&Place> = together.into_iter().collect();
        let reads = self.reads();
        let singly: Vec<_> = (alone.iter())
            .map(|place| self.planning.marks(&reads, slice::from_ref(place)))
            .collect();
        let (gathered, singly) =
            tokio::try_join!(self.planning.marks(&reads, &together), try_join_all(singly))?;
        let marks = gathered.into_iter().chain(singly.into_iter().flatten());
        let places = together.into_iter().chain(alone).cloned();
        Ok(places.zip(marks).collect())
    }

    /// For each write an image of each place that it changes and that is not kept yet.
    async fn images(
        &self,
        ready: &[(&Going<'_>, &Step)],
        asked: &Asked,
    ) -> Vec<Result<Vec<(Place, Image)>>> {
        let mut wanted = Vec::new();
        for (going, step) in ready {
            for (place, expected, found) in going.with(step) {
                let copy = expected.copy.as_ref();
                wanted.extend(
                    (expected.kept.filter(|_| found.is_some())).map(|most_bytes| Wanted {
                        place,
                        found: found.as_ref(),
                        most_bytes,
                        copy: copy.map(|(copy, mark)| (copy, mark)),
                    }),
                );
            }
        }
        let reads = Once {
            reads: self.reads(),
            planning: self.planning,
            asked,
        };
        let images = self.planning.images(&reads, &wanted, &asked.destroyed);
        let images = images.await;
        let mut images = images.into_iter();
        let each = ready.iter().map(|(going, step)| {
            let kept = going.with(step).filter(|(_, it, _)| it.kept.is_some());
            let kept = kept.filter_map(|(place, _, found)| {
                let image = match found {
                    None => Ok(Image::Nothing),
                    Some(_) => images.next()?,
                };
                Some(image.map(|image| (place.clone(), image)))
            });
            kept.collect()
        });
        each.collect()
    }
}

/// A world that is asked once about containers.
struct Once<'a> {
    reads: Retrying<'a>,
    planning: &'a dyn Planning,
    asked: &'a Asked,
}

#[async_trait]
impl Layer for Once<'_> {
    fn under(&self) -> &dyn World {
        &self.reads
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if !self.planning.is_about_container(operation) {
            return onward.call(operation, params).await;
        }
        let question = format!("{operation} {params:?}");
        let known = self.answers().get(&question).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let answer = onward.call(operation, params).await?;
        self.answers().insert(question, answer.clone());
        Ok(answer)
    }
}

impl Once<'_> {
    fn answers(&self) -> MutexGuard<'_, HashMap<String, Answer>> {
        let answers = self.asked.answers.lock();
        answers.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Going<'_> {
    /// Its places, with what was expected and what was found there.
    fn with<'s>(
        &'s self,
        step: &'s Step,
    ) -> impl Iterator<Item = (&'s Place, &'s Expected, &'s Option<Mark>)> {
        let places = self.write.touched.iter().map(|touched| &touched.place);
        let places = places.zip(&self.expected).zip(&step.found);
        places.map(|((place, expected), found)| (place, expected, found))
    }
}

/// The step of a write whose places are all as the plan saw them.
fn checked(going: &Going<'_>, marks: &Found) -> Result<Step, End> {
    let mut found = Vec::with_capacity(going.expected.len());
    for (touched, expected) in going.write.touched.iter().zip(&going.expected) {
        let now = marks.get(&touched.place).cloned().flatten();
        if expected.is_told && !Mark::same(expected.mark.as_ref(), now.as_ref()) {
            return Err(End::Drifted(Box::new(Drift {
                place: touched.place.clone(),
                expected: expected.mark.clone(),
                found: now,
                is_read: false,
            })));
        }
        found.push(now);
    }
    Ok(Step {
        number: going.number,
        found,
        ..Step::default()
    })
}
