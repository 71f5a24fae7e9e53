//! The state that a world holds between two calls.

use super::state_file::MAX_BYTES;
use crate::domain::{StateChange, StateValue};
use crate::error::{Error, Result};
use crate::exec::Seed;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The state of a world, with what its clock and its randomness follow from.
#[derive(Debug, Clone)]
pub struct HeldState {
    pub state: StateValue,
    /// How often it was changed.
    pub changes: u64,
    /// When the world started, or the time at which it was held last. Each change takes a
    /// second.
    pub start: jiff::Timestamp,
    /// How often it had been changed then.
    changes_before: u64,
    /// Whether its domain says when worlds start.
    pub has_own_time: bool,
    /// The seed of its randomness.
    pub random: u64,
    /// At least the size of the state, in bytes of JSON. Changes add what they bring, since
    /// measuring a large state at each call would cost more than the call.
    size: u64,
}

impl HeldState {
    /// A state that was not changed yet.
    pub fn new(state: StateValue, start: jiff::Timestamp, random: u64) -> Self {
        HeldState {
            size: state.json_size(),
            state,
            changes: 0,
            changes_before: 0,
            has_own_time: false,
            start,
            random,
        }
    }

    /// The same state with the time of its domain.
    #[must_use]
    pub fn with_own_time(self, has_own_time: bool) -> Self {
        HeldState {
            has_own_time,
            ..self
        }
    }

    /// Goes on from this time, unless the time is its own. Held again at the same time, it
    /// keeps the seconds that its changes have taken since.
    pub fn hold(&mut self, now: jiff::Timestamp) {
        if !self.has_own_time && self.start != now {
            (self.start, self.changes_before) = (now, self.changes);
        }
    }

    /// Takes over a state that another program has written.
    pub fn replace(&mut self, state: StateValue) {
        self.size = state.json_size();
        self.random = random_of(&state);
        self.state = state;
    }

    /// Makes the changes of one call. The inner error is a clause for the author, and the
    /// state is as it was.
    pub fn apply(&mut self, changes: Vec<StateChange>) -> Result<Result<(), String>> {
        let (state, size) = (self.state.clone(), self.size);
        for change in changes {
            self.size += change.json_size();
            let applied = self.state.apply(change);
            applied.map_err(|problem| Error::sandbox(format!("a change is wrong: {problem}")))?;
        }
        if self.size > MAX_BYTES {
            self.size = self.state.json_size();
        }
        if self.size > MAX_BYTES {
            (self.state, self.size) = (state, size);
            let most = MAX_BYTES >> 20;
            return Ok(Err(format!("the state would be larger than {most} MiB")));
        }
        self.changes += 1;
        Ok(Ok(()))
    }

    /// Counts a change that was made to the state directly, and brought this many bytes.
    pub fn count_change(&mut self, bytes: u64) {
        self.changes += 1;
        self.size += bytes;
    }

    /// The clock and the randomness of the next call. They depend on the changes so far and
    /// not on what was only read, so that a plan's writes find the same again.
    pub fn seed(&self) -> Seed {
        let name = format!("{}/{}", self.random, self.changes);
        let hash: [u8; 32] = Sha256::digest(name).into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        let since = self.changes.saturating_sub(self.changes_before);
        let passed = Duration::from_secs(since.min(1 << 32));
        Seed {
            now: self.start.checked_add(passed).unwrap_or(self.start),
            random: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
        }
    }
}

/// The seed of the randomness of a state that is kept. Opened again, it must not deal out the same
/// ids once more.
pub fn random_of(state: &StateValue) -> u64 {
    let tag = state.mark().tag;
    tag.bytes().fold(0, |hash: u64, byte| {
        hash.wrapping_mul(31).wrapping_add(u64::from(byte))
    })
}
