//! A fork of a world that records every write, with the marks of its places.

use super::reads::Written;
use super::{Reads, planning};
use crate::domain::{
    Access, Answer, Domain, First, Ids, Layer, Mark, Onward, Place, Planning, Touched, Value,
    World, Write,
};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A fork of a world that records its writes. Programs run here first, and nothing reaches the
/// world itself.
pub struct Draft {
    fork: Arc<dyn World>,
    /// The world itself, which stays as it was.
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    planning: Arc<dyn Planning>,
    writes: Mutex<Vec<Write>>,
    /// What was read and what was written, for telling the two apart.
    reads: Mutex<(Reads, Written)>,
    /// What people must know of each container that the writes are in.
    others: Mutex<HashMap<String, Option<String>>>,
    /// Held during a write, so that nothing changes between the look before it and the write.
    turn: tokio::sync::Mutex<()>,
}

impl Draft {
    /// A draft of this world as it is now.
    ///
    /// # Errors
    /// [`Error::world`]: the domain does not plan, or the world cannot be forked.
    pub fn of(world: &Arc<dyn World>, domain: &Arc<Domain>) -> Result<Arc<Draft>> {
        let alone = || Error::world(format!("{} cannot be copied", world.describe()));
        Ok(Arc::new(Draft {
            fork: world.fork().ok_or_else(alone)?,
            world: world.clone(),
            domain: domain.clone(),
            planning: planning(domain)?.clone(),
            writes: Mutex::default(),
            reads: Mutex::default(),
            others: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        }))
    }

    /// The writes that succeeded, in order.
    pub fn writes(&self) -> Vec<Write> {
        self.made().clone()
    }

    /// What was read of the world, beside what the writes depend on.
    pub fn reads(&self) -> Reads {
        let (reads, written) = &*self.noted();
        reads.clone().beside(written)
    }

    /// Takes the writes out, with what was read beside them, for a plan. The draft is empty then: no
    /// program may run on it any more.
    pub fn take_recorded(&self) -> (Vec<Write>, Reads) {
        let (reads, written) = std::mem::take(&mut *self.noted());
        (std::mem::take(&mut *self.made()), reads.beside(&written))
    }

    fn noted(&self) -> MutexGuard<'_, (Reads, Written)> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn made(&self) -> MutexGuard<'_, Vec<Write>> {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what was read of the world.
    fn note(&self, (operation, params): (&str, &Value), answer: &Answer) {
        let seen = self.planning.seen(operation, params, answer);
        let (reads, written) = &mut *self.noted();
        reads.note((operation, params), answer, seen, written);
    }

    /// The places that a call touches itself, each once with its strongest access.
    fn places(&self, operation: &str, params: &Value) -> Vec<(Place, Access)> {
        let mut places: Vec<(Place, Access)> = Vec::new();
        let mut numbers = HashMap::new();
        let touches = self.domain.touches(operation, params).into_iter();
        for touch in touches.filter(|touch| !touch.is_later()) {
            let number = *numbers.entry(touch.place.clone()).or_insert(places.len());
            match places.get_mut(number) {
                Some((_, known)) => *known = touch.access.max(*known),
                None => places.push((touch.place, touch.access)),
            }
        }
        places
    }

    /// The settings of a container that a call may make, where earlier writes changed them: a
    /// container that is made again has those of a new one.
    fn settings_again(&self, places: &[(Place, Access)]) -> Vec<(Place, Access)> {
        let known: HashSet<&Place> = places.iter().map(|(place, _)| place).collect();
        let written = places.iter().filter(|(_, access)| *access != Access::Read);
        let written = written.map(|(place, _)| place);
        let containers: Vec<&Place> = written.filter(|it| it.is_container()).collect();
        if containers.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<(Place, Access)> = Vec::new();
        let writes = self.made();
        for Touched { place, .. } in writes.iter().flat_map(|write| write.touched.iter()) {
            let is_of = |it: &&Place| it.segments() == place.segments();
            if place.setting().is_some()
                && containers.iter().any(is_of)
                && !known.contains(place)
                && found.iter().all(|(it, _)| it != place)
            {
                found.push((place.clone(), Access::Write));
            }
        }
        found
    }

    /// What was at the settings of things before the plan, where it has made the things anew: what
    /// is there now may be of its own making.
    async fn firsts(&self, places: &[(Place, Access)]) -> Result<HashMap<Place, First>> {
        let of_new: Vec<&Place> = {
            let noted = self.noted();
            let written = places.iter().filter(|(_, access)| *access != Access::Read);
            written
                .map(|(place, _)| place)
                .filter(|place| noted.1.is_first_setting_of_new(place))
                .collect()
        };
        if of_new.is_empty() {
            return Ok(HashMap::new());
        }
        let marks = self
            .planning
            .marks(&*self.world, &of_new)
            .await?
            .into_iter();
        let firsts = of_new.into_iter().cloned().zip(marks);
        Ok(firsts
            .map(|(place, mark)| (place, First { mark }))
            .collect())
    }

    /// The places among these that a call opens to others who were not let in before.
    async fn opened(
        &self,
        operation: &str,
        params: &Value,
        places: &[(Place, Access)],
    ) -> Result<HashSet<Place>> {
        let mut opened = HashSet::new();
        for (place, _) in places.iter().filter(|(_, it)| *it == Access::Share) {
            let opens = self.planning.opens(&*self.fork, place, operation, params);
            if opens.await? {
                opened.insert(place.clone());
            }
        }
        Ok(opened)
    }

    /// Whether a container was there before the writes, and an earlier one of them removed it.
    fn was_removed(&self, container: &Place) -> bool {
        let writes = self.made();
        let mut touched = writes.iter().flat_map(|write| write.touched.iter());
        touched.any(|it| it.place == *container && it.before.is_some() && it.after.is_none())
    }

    /// Makes a write on the fork, and records how the places were before and after it.
    async fn write(&self, operation: &str, params: &Value) -> Result<Answer> {
        let _turn = self.turn.lock().await;
        let mut places = self.places(operation, params);
        let named = places.len();
        let along = self.planning.taken_along(&*self.fork, operation, params);
        places.extend(along.await?.into_iter().map(|it| (it, Access::Delete)));
        places.extend(self.settings_again(&places));
        let all: Vec<&Place> = places.iter().map(|(place, _)| place).collect();
        // Its error counts only if the call succeeds: a refusal explains itself.
        let before = self.planning.marks(&*self.fork, &all).await;
        let firsts = self.firsts(&places).await;
        let opened = self.opened(operation, params, &places).await;
        let (answer, observed) = self.fork.call_observed(operation, params).await?;
        let answer = match answer {
            Ok(answer) => answer,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if let Some(touched) = observed {
            let all = touched.len();
            let touched = self.warned(operation, params, touched, all).await?;
            self.record(operation, params, touched, Ids::new());
            return Ok(Ok(answer));
        }
        let (before, firsts, opened) = (before?, firsts?, opened?);
        let ids = self.planning.ids(operation, params, &answer);
        let places: Vec<(Place, Access)> = (places.into_iter())
            .map(|(place, access)| (self.planning.made(place, &ids), access))
            .collect();
        let changed = places.iter().filter(|(_, access)| *access != Access::Read);
        let changed: Vec<&Place> = changed.map(|(place, _)| place).collect();
        let mut after = self
            .planning
            .marks(&*self.fork, &changed)
            .await?
            .into_iter();
        let of_call = places.iter().zip(before);
        let touched = of_call.map(|((place, access), before)| {
            let changed = *access != Access::Read;
            let after: Option<Mark> = if changed {
                after.next().flatten()
            } else {
                before.clone()
            };
            Touched {
                made: self.planning.made_beside(operation, place, &ids),
                first: firsts.get(place).cloned().map(Box::new),
                shares: opened.contains(place),
                ..self.touched((operation, params), (place, *access), [before, after])
            }
        });
        let touched = touched.collect();
        let touched = self.warned(operation, params, touched, named).await?;
        self.record(operation, params, touched, ids);
        Ok(Ok(answer))
    }

    /// What a call did to a place, by the marks before and after it.
    fn touched(
        &self,
        (operation, params): (&str, &Value),
        (place, access): (&Place, Access),
        [before, after]: [Option<Mark>; 2],
    ) -> Touched {
        let mut touched = Touched {
            place: place.clone(),
            changed: access != Access::Read,
            ..Touched::default()
        };
        let is_thing = !place.is_container() && place.setting().is_none();
        match (&before, &after) {
            (Some(before), Some(after)) if touched.changed && is_thing => {
                touched.changed = !self.planning.left_alone(operation, before, after);
                touched.uncovers = self.uncovers(place, access, after);
                if Mark::same(Some(before), Some(after)) {
                    touched.lines = self.planning.same_content(operation, params);
                }
            }
            (None, Some(_)) if place.is_container() => {
                touched.made_again = self.was_removed(place);
            }
            (None, Some(after)) if is_thing => {
                touched.uncovers = self.uncovers(place, access, after);
            }
            _ => {}
        }
        Touched {
            before,
            after,
            ..touched
        }
    }

    /// Whether a deletion left something there that lay below what it took away.
    fn uncovers(&self, place: &Place, access: Access, after: &Mark) -> bool {
        access == Access::Delete && self.planning.version(place, after).is_some()
    }

    /// What a write changed, with what people must know of the first ones, which the call names.
    async fn warned(
        &self,
        operation: &str,
        params: &Value,
        mut touched: Vec<Touched>,
        named: usize,
    ) -> Result<Vec<Touched>> {
        let of_call = touched.iter_mut().take(named);
        for touched in of_call.filter(|touched| touched.changed) {
            let place = &touched.place;
            touched.warnings = self.planning.warnings(operation, params, place);
            // A container that is gone is in no list any more.
            if !place.is_container() || touched.after.is_some() {
                touched.warnings.extend(self.about_others(place).await?);
            }
        }
        Ok(touched)
    }

    /// The sentence about a place in a container of somebody else, which is found out once.
    async fn about_others(&self, place: &Place) -> Result<Option<String>> {
        let known = self.others().get(place.root()).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let sentence = self.planning.others(&*self.fork, place).await?;
        self.others()
            .insert(place.root().to_owned(), sentence.clone());
        Ok(sentence)
    }

    fn others(&self) -> MutexGuard<'_, HashMap<String, Option<String>>> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, operation: &str, params: &Value, touched: Vec<Touched>, ids: Ids) {
        let mut write = Write {
            ids,
            ..Write::new(operation.to_owned(), params.clone(), touched)
        };
        write.lasting = self.planning.lasting(&write);
        let parts = (write.touched.iter()).map(|it| self.planning.parts(&write, &it.place));
        let parts: Vec<_> = parts.collect();
        if parts.iter().any(|parts| !parts.is_empty()) {
            let touched = Arc::make_mut(&mut write.touched).iter_mut();
            touched.zip(parts).for_each(|(it, parts)| it.parts = parts);
        }
        self.noted().1.add(&write);
        self.made().push(write);
    }
}

#[async_trait]
impl Layer for Draft {
    fn under(&self) -> &dyn World {
        &*self.fork
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if self.domain.writes(operation) {
            self.write(operation, params).await
        } else {
            let answer = onward.call(operation, params).await?;
            self.note((operation, params), &answer);
            Ok(answer)
        }
    }

    /// A policy judges by it, so it counts as read.
    async fn told(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        let answer = self.fork.known(operation, params).await?;
        if let Some(answer) = &answer {
            self.note((operation, params), answer);
        }
        Ok(answer)
    }

    fn title(&self) -> String {
        format!("a draft of {}", self.fork.describe())
    }
}
