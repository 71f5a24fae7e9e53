//! How fast an apply goes: how many writes are under way together, and how long one is waited
//! for.

use super::Apply;
use super::conditions::Conditions;
use crate::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// How many times as long as the quickest a call takes that does not wait for the world, and one that
/// waits for it.
const QUICK: u64 = 2;
const SLOW: u64 = 4;

/// How many writes are under way together: fewer after the world said that it is busy, and more
/// again while it takes them. What takes hardly longer than the quickest waits for the way and not
/// for the world, so there are more of it.
pub(super) struct Pace {
    window: usize,
    widest: usize,
    at_most: AtomicUsize,
    /// The time of the quickest call, in microseconds.
    quickest: AtomicU64,
    /// Whether the world makes no conditional writes together by one call.
    is_alone: AtomicBool,
    /// What is known of how it takes conditions.
    pub conditions: Conditions,
}

impl Pace {
    /// Begins with this window. It becomes up to `widest`, unless it is 1.
    pub fn new(window: usize, widest: usize) -> Pace {
        let window = window.max(1);
        Pace {
            window,
            widest: if window == 1 { 1 } else { widest.max(window) },
            quickest: AtomicU64::new(u64::MAX),
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

    /// The world has taken writes that were made together.
    pub fn faster(&self) {
        let more = |most: usize| (most < self.window).then_some(most + 1);
        let _ = (self.at_most).fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// The world has taken a write, by a call of its own that took so long.
    pub fn took(&self, time: Duration) {
        let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let quickest = self.quickest.fetch_min(time, Ordering::Relaxed).min(time);
        let next = |most: usize| {
            let is_wide = most >= self.window;
            if most < self.widest && (!is_wide || time <= quickest.saturating_mul(QUICK)) {
                return Some(most + 1);
            }
            (most > self.window && time > quickest.saturating_mul(SLOW)).then_some(most - 1)
        };
        let _ = (self.at_most).fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
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
                return Error::world(format!("there was no answer within {seconds} s"));
            }
            self.since = Instant::now();
            self.moved = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many are under way together after so many calls of so many milliseconds.
    fn after(calls: &[(usize, u64)]) -> usize {
        let pace = Pace::new(64, 256);
        for (count, milliseconds) in calls {
            for _ in 0..*count {
                pace.took(Duration::from_millis(*milliseconds));
            }
        }
        pace.at_most()
    }

    #[test]
    fn it_widens_while_calls_wait_for_the_way_alone() {
        assert_eq!(after(&[(100, 80)]), 164);
        assert_eq!(after(&[(1000, 80)]), 256);
        assert_eq!(after(&[(50, 80), (1000, 170)]), 114);
        assert_eq!(after(&[(50, 80), (20, 400)]), 94);
        assert_eq!(after(&[(50, 80), (1000, 400)]), 64);
    }

    #[test]
    fn a_busy_world_gets_half_and_more_again() {
        let pace = Pace::new(64, 256);
        pace.slower();
        pace.slower();
        assert_eq!(pace.at_most(), 16);
        for milliseconds in 1..=30 {
            pace.took(Duration::from_millis(100 * milliseconds));
        }
        assert_eq!(pace.at_most(), 46);
    }

    #[test]
    fn one_after_the_other_stays_so() {
        let pace = Pace::new(1, 256);
        pace.took(Duration::from_millis(1));
        assert_eq!(pace.at_most(), 1);
    }
}
