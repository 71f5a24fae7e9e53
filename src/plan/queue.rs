//! Writes that were looked at and wait until one of those under way comes to its end.

use super::memory::Going;
use super::pace::Silence;
use super::{End, Step};
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;
use tokio::time::Instant;

/// How long a look counts. After that the places are looked at again.
const FRESH: Duration = Duration::from_secs(5);

/// The writes, in the order in which they are to be begun.
#[derive(Default)]
pub(super) struct Queue<'a> {
    waiting: VecDeque<Looked<'a>>,
    /// Why there is none after them.
    end: Option<End>,
}

/// A write whose places are as they should be.
pub(super) struct Looked<'a> {
    pub going: Going<'a>,
    pub step: Step,
    /// What is left of the silence in which it was looked at.
    pub silence: Silence,
    since: Instant,
}

/// The writes to begin.
pub(super) struct Next<'a> {
    pub ready: Vec<Looked<'a>>,
    /// Why no other is to be begun after them.
    pub end: Option<End>,
}

impl<'a> Queue<'a> {
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether no write is to come after those that wait.
    pub fn has_end(&self) -> bool {
        self.end.is_some()
    }

    pub fn clear(&mut self) {
        self.waiting.clear();
        self.end = None;
    }

    /// Adds the writes of a lot, and why those after them cannot be made.
    pub fn extend(&mut self, ready: Vec<(Going<'a>, Step)>, silence: &Silence, end: Option<End>) {
        let since = Instant::now();
        if self.end.is_none() {
            self.waiting
                .extend(ready.into_iter().map(|(going, step)| Looked {
                    going,
                    step,
                    silence: silence.clone(),
                    since,
                }));
            self.end = end;
        }
    }

    /// The writes that have waited for too long since they were looked at.
    pub fn stale(&mut self) -> Option<Vec<Going<'a>>> {
        let first = self.waiting.front()?;
        let is_stale = first.since.elapsed() > FRESH && self.end.is_none();
        is_stale.then(|| self.waiting.drain(..).map(|it| it.going).collect())
    }

    /// The next writes for so many free places of `most`. Those that go together by one call, as
    /// `gathers` names it, take one place. A few free places are left until there are more, since
    /// the beginning of each lot is recorded.
    pub fn next(
        &mut self,
        free: usize,
        most: usize,
        gathers: impl Fn(&Going<'a>) -> Option<String>,
    ) -> Next<'a> {
        let (mut count, mut alone) = (0, 0);
        let mut calls = BTreeSet::new();
        for looked in &self.waiting {
            let places = alone + calls.len();
            match gathers(&looked.going) {
                Some(call) if calls.contains(&call) => {}
                _ if places >= free => break,
                Some(call) => drop(calls.insert(call)),
                None => alone += 1,
            }
            count += 1;
        }
        if count < self.waiting.len() && free * 4 < most {
            count = 0;
        }
        let mut ready: Vec<Looked<'a>> = self.waiting.drain(..count).collect();
        for looked in &mut ready {
            looked.silence.go_on(looked.since);
        }
        let end = match self.waiting.is_empty() {
            true => self.end.take(),
            false => None,
        };
        Next { ready, end }
    }
}
