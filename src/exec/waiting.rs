//! How long a program has waited for a server or a disk.

use super::Breach;
use super::Limits;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time that the calls of one program waited for their world. It is not the program's own, so
/// its deadline does not count it.
#[derive(Default)]
pub struct Waiting(Mutex<State>);

#[derive(Default)]
struct State {
    /// The waits that have ended.
    before: Duration,
    /// The begin of the wait that goes on.
    since: Option<Instant>,
}

impl Waiting {
    /// Waits for an answer, and counts the time.
    pub async fn counted<T>(&self, answer: impl Future<Output = T>) -> T {
        let begun = Instant::now();
        self.lock().since = Some(begun);
        let answer = answer.await;
        let mut state = self.lock();
        state.since = None;
        state.before += begun.elapsed();
        answer
    }

    /// Ends when a program that started at this time has broken the deadline or the patience.
    pub async fn breach(&self, started: Instant, limits: &Limits) -> Breach {
        loop {
            let (waited, is_waiting) = self.so_far();
            let own = started.elapsed().saturating_sub(waited);
            let left = limits.deadline.saturating_sub(own);
            let patience = limits.patience.saturating_sub(waited);
            let next = match is_waiting {
                _ if left.is_zero() => return Breach::Deadline,
                _ if patience.is_zero() => return Breach::Patience,
                true => patience,
                false => left,
            };
            // The program may begin to wait, or go on, meanwhile.
            tokio::time::sleep(next.clamp(Duration::from_millis(1), LOOK)).await;
        }
    }

    fn so_far(&self) -> (Duration, bool) {
        let state = self.lock();
        let now = state.since.map(|since| since.elapsed());
        (state.before + now.unwrap_or_default(), now.is_some())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often the time is looked at, at least.
const LOOK: Duration = Duration::from_millis(100);
