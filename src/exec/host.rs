//! What the host keeps for one instance while its program runs.

use super::calls::Calls;
use super::{Limits, Seed};
use crate::domain::World;
use crate::error::Error;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::sync::Arc;

/// One instance's share of the host.
pub struct Host {
    pub limits: Limits,
    pub clock: Clock,
    pub random: ChaCha8Rng,
    pub calls: Calls,
    /// Why the world failed, when it did: ours, not the program's.
    pub failure: Option<Error>,
    /// Whether the guest was refused memory.
    pub memory_refused: bool,
    last_words: Vec<u8>,
}

impl Host {
    pub fn new(world: Arc<dyn World>, limits: Limits, seed: &Seed) -> Self {
        Host {
            calls: Calls::new(world, &limits),
            limits,
            clock: Clock::starting_at(seed.now),
            random: ChaCha8Rng::seed_from_u64(seed.random),
            failure: None,
            memory_refused: false,
            last_words: Vec::new(),
        }
    }

    /// Keeps what the interpreter itself says before it gives up.
    pub fn last_words(&mut self, bytes: &[u8]) {
        let room = 2_000_usize.saturating_sub(self.last_words.len());
        self.last_words
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// What the interpreter said before it gave up; mostly nothing.
    pub fn spoken(&self) -> String {
        String::from_utf8_lossy(&self.last_words).trim().to_owned()
    }
}

impl wasmtime::ResourceLimiter for Host {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let granted = desired <= self.limits.memory;
        self.memory_refused |= !granted;
        Ok(granted)
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}

/// A clock that only the program moves.
pub struct Clock {
    start: u64,
    elapsed: u64,
}

impl Clock {
    fn starting_at(now: jiff::Timestamp) -> Self {
        let start = u64::try_from(now.as_nanosecond()).unwrap_or_default();
        Clock { start, elapsed: 0 }
    }

    pub fn advance(&mut self, nanos: u64) {
        self.elapsed = self.elapsed.saturating_add(nanos);
    }

    /// Nanoseconds since the program started.
    pub fn elapsed(&self) -> u64 {
        self.elapsed
    }

    /// Nanoseconds since 1970.
    pub fn calendar(&self) -> u64 {
        self.start.saturating_add(self.elapsed)
    }
}
