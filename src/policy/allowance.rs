//! A world that stops a program when its cost requires asking the user.

use super::AskAbove;
use crate::domain::{Answer, Costly, Domain, Layer, Onward, Spent, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A world around a world that costs something to ask. When a program has come to what
/// [`AskAbove`] says, its next call fails and is not made, and [`Allowance::costly`] tells so.
/// Whoever ran the program asks, and runs it again from its start with more.
///
/// Outside a draft, a program that has written is not stopped: it could not be run again from
/// its start.
pub struct Allowance {
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    most: AskAbove,
    before: Spent,
    /// Whether writes can be thrown away, or are not made twice.
    is_draft: bool,
    has_written: AtomicBool,
    /// Copies share it: what stops one of them stops the program.
    costly: Arc<Mutex<Option<Costly>>>,
}

impl Allowance {
    /// An allowance that begins now. None for a world that costs nothing. `is_draft` says that
    /// a program can be run again from its start although it has written.
    pub fn of(
        world: &Arc<dyn World>,
        domain: &Arc<Domain>,
        most: AskAbove,
        is_draft: bool,
    ) -> Option<Arc<Allowance>> {
        Some(Arc::new(Allowance {
            before: world.spent()?,
            world: world.clone(),
            domain: domain.clone(),
            most,
            is_draft,
            has_written: AtomicBool::new(false),
            costly: Arc::default(),
        }))
    }

    /// An allowance of `factor` times as much for the same program, which may go on.
    #[must_use]
    pub fn raised(&self, factor: u64) -> Arc<Allowance> {
        Arc::new(Allowance {
            world: self.world.clone(),
            domain: self.domain.clone(),
            most: self.most.times(factor),
            before: self.before,
            is_draft: self.is_draft,
            has_written: AtomicBool::new(self.has_written.load(Ordering::SeqCst)),
            costly: Arc::default(),
        })
    }

    /// Why the program was stopped, if it was.
    pub fn costly(&self) -> Option<Costly> {
        let costly = self.costly.lock().unwrap_or_else(PoisonError::into_inner);
        costly.clone()
    }

    /// The reason why a call is too costly, if it is.
    fn too_much(&self, operation: &str, params: &Value) -> Option<Costly> {
        let spent = self.world.spent()?.since(self.before);
        let may_stop = self.is_draft || !self.has_written.load(Ordering::SeqCst);
        if !may_stop || !self.most.is_reached(spent) {
            return None;
        }
        let touches = self.domain.touches(operation, params);
        Some(Costly {
            spent,
            operation: operation.to_owned(),
            place: touches.into_iter().next().map(|touch| touch.place),
        })
    }
}

#[async_trait]
impl Layer for Allowance {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Allowance {
            world: self.world.fork()?,
            domain: self.domain.clone(),
            most: self.most,
            before: self.before,
            is_draft: true,
            has_written: AtomicBool::new(false),
            costly: self.costly.clone(),
        }))
    }

    /// Once it has come so far that its user is asked, nothing is read before that.
    fn followed(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        match self.too_much(operation, params) {
            None => self.world.follow(operation, params, answer, may),
            // What was listed is still known.
            Some(_) => self.world.follow(operation, params, answer, &|_, _| false),
        }
    }

    /// The world may make a listing to know it.
    async fn told(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        match self.too_much(operation, params) {
            None => self.world.known(operation, params).await,
            Some(_) => Ok(None),
        }
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if let Some(costly) = self.too_much(operation, params) {
            let stopped = Error::world(format!("the program was stopped: {costly}"));
            *self.costly.lock().unwrap_or_else(PoisonError::into_inner) = Some(costly);
            return Err(stopped);
        }
        if self.domain.writes(operation) {
            self.has_written.store(true, Ordering::SeqCst);
        }
        onward.call(operation, params).await
    }
}
