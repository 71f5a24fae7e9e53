//! Measures the time spent waiting for a model.

use crate::error::Result;
use crate::llm::{Completion, Model, Progress, Request};
use async_trait::async_trait;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A model that measures the time until its answers.
pub(super) struct TimedModel {
    model: Arc<dyn Model>,
    spent: Mutex<(u32, Duration)>,
}

impl TimedModel {
    pub fn new(model: Arc<dyn Model>) -> Self {
        TimedModel {
            model,
            spent: Mutex::default(),
        }
    }

    /// The number of requests that it answered.
    pub fn answered(&self) -> u32 {
        self.spent().0
    }

    /// The total time until its answers, in seconds.
    pub fn seconds(&self) -> f64 {
        self.spent().1.as_secs_f64()
    }

    fn spent(&self) -> (u32, Duration) {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Model for TimedModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let started = Instant::now();
        let answer = self.model.complete(request, progress).await;
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.0 += u32::from(answer.is_ok());
        spent.1 += started.elapsed();
        answer
    }
}
