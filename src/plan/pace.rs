//! How fast an apply goes: how many writes are under way together, and how long one is waited
//! for.

use super::Apply;
use super::conditions::Conditions;
use crate::error::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::time::Instant;

/// How many writes are under way together: fewer after the world said that it is busy, and more
/// again while it takes them.
pub(super) struct Pace {
    window: usize,
    at_most: AtomicUsize,
    /// Whether the world makes no conditional writes together by one call.
    is_alone: AtomicBool,
    /// What is known of how it takes conditions.
    pub conditions: Conditions,
}

impl Pace {
    pub fn new(window: usize) -> Pace {
        let window = window.max(1);
        Pace {
            window,
            at_most: AtomicUsize::new(window),
            is_alone: AtomicBool::new(window == 1),
            conditions: Conditions::default(),
        }
    }

    pub fn at_most(&self) -> usize {
        self.at_most.load(Ordering::Relaxed)
    }

    /// Every write is a call of its own from now on.
    pub fn alone(&self) {
        self.is_alone.store(true, Ordering::Relaxed);
    }

    pub fn is_alone(&self) -> bool {
        self.is_alone.load(Ordering::Relaxed)
    }

    /// The world is busy.
    pub fn slower(&self) {
        let half = |most: usize| Some((most / 2).max(1));
        let _ = (self.at_most).fetch_update(Ordering::Relaxed, Ordering::Relaxed, half);
    }

    /// The world has taken a write.
    pub fn faster(&self) {
        let more = |most: usize| (most < self.window).then_some(most + 1);
        let _ = (self.at_most).fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }
}

/// The time in which a write, with its looks, had no answer.
#[derive(Clone)]
pub(super) struct Silence {
    since: Instant,
    /// What transfers had moved by then.
    moved: Option<u64>,
}

impl Apply<'_> {
    /// A silence that begins now.
    pub(super) fn silence(&self) -> Silence {
        Silence {
            since: Instant::now(),
            moved: self.moved(),
        }
    }

    fn moved(&self) -> Option<u64> {
        self.world.moved().map(|moved| moved.bytes())
    }
}

impl Silence {
    /// Goes on after a pause that began at this time.
    pub fn go_on(&mut self, paused: Instant) {
        self.since += paused.elapsed();
    }

    /// Waits until no transfer has moved anything for as long as the deadline.
    pub async fn over(&mut self, apply: &Apply<'_>) -> Error {
        let deadline = apply.patience.deadline;
        loop {
            tokio::time::sleep_until(self.since + deadline).await;
            let now = apply.moved();
            if now == self.moved {
                let seconds = deadline.as_secs_f64();
                return Error::World(format!("there was no answer within {seconds} s"));
            }
            self.since = Instant::now();
            self.moved = now;
        }
    }
}
