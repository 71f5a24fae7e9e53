//! A fork of a world that records every write, with the marks of its places.

use super::planning;
use crate::domain::{
    Access, Answer, Domain, Layer, Mark, Place, Planning, Touched, Value, World, Write,
};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::sync::{Arc, Mutex, PoisonError};

/// A fork of a world that records its writes. Programs run here first, and nothing reaches the
/// world itself.
pub struct Draft {
    fork: Arc<dyn World>,
    domain: Arc<Domain>,
    planning: Arc<dyn Planning>,
    writes: Mutex<Vec<Write>>,
    /// Held during a write, so that nothing changes between the look before it and the write.
    turn: tokio::sync::Mutex<()>,
}

impl Draft {
    /// A draft of this world as it is now.
    ///
    /// # Errors
    /// [`Error::World`]: the domain does not plan, or the world cannot be forked.
    pub fn of(world: &Arc<dyn World>, domain: &Arc<Domain>) -> Result<Arc<Draft>> {
        let alone = || Error::World(format!("{} cannot be copied", world.describe()));
        Ok(Arc::new(Draft {
            fork: world.fork().ok_or_else(alone)?,
            domain: domain.clone(),
            planning: planning(domain)?.clone(),
            writes: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        }))
    }

    /// The writes that succeeded, in order.
    pub fn writes(&self) -> Vec<Write> {
        self.writes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The places that a call touches itself, each once with its strongest access.
    fn places(&self, operation: &str, params: &Value) -> Vec<(Place, Access)> {
        let mut places: Vec<(Place, Access)> = Vec::new();
        let mut numbers = std::collections::HashMap::new();
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

    /// Makes a write on the fork, and records how the places were before and after it.
    async fn write(&self, operation: &str, params: &Value) -> Result<Answer> {
        let _turn = self.turn.lock().await;
        let places = self.places(operation, params);
        let all: Vec<&Place> = places.iter().map(|(place, _)| place).collect();
        // Its error counts only if the call succeeds: a refusal explains itself.
        let before = self.planning.marks(&*self.fork, &all).await;
        let (answer, observed) = self.fork.call_observed(operation, params).await?;
        let answer = match answer {
            Ok(answer) => answer,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if let Some(touched) = observed {
            self.record(operation, params, touched);
            return Ok(Ok(answer));
        }
        let before = before?;
        let changed = places.iter().filter(|(_, access)| *access != Access::Read);
        let changed: Vec<&Place> = changed.map(|(place, _)| place).collect();
        let mut after = self
            .planning
            .marks(&*self.fork, &changed)
            .await?
            .into_iter();
        let touched = places.iter().zip(before).map(|((place, access), before)| {
            let changed = *access != Access::Read;
            let after: Option<Mark> = if changed {
                after.next().flatten()
            } else {
                before.clone()
            };
            Touched {
                place: place.clone(),
                before,
                after,
                changed,
                shares: *access == Access::Share,
                lines: Vec::new(),
            }
        });
        self.record(operation, params, touched.collect());
        Ok(Ok(answer))
    }

    fn record(&self, operation: &str, params: &Value, touched: Vec<Touched>) {
        let mut writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        writes.push(Write {
            operation: operation.to_owned(),
            params: params.clone(),
            touched,
        });
    }
}

#[async_trait]
impl Layer for Draft {
    fn under(&self) -> &dyn World {
        &*self.fork
    }

    async fn pass(&self, operation: &str, params: &Value) -> Result<Answer> {
        if self.domain.writes(operation) {
            self.write(operation, params).await
        } else {
            self.fork.call(operation, params).await
        }
    }

    fn title(&self) -> String {
        format!("a draft of {}", self.fork.describe())
    }
}
