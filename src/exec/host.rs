//! The host's state for one instance while its program runs.

use super::calls::CallHandler;
use super::prepare::Nowhere;
use super::printed::Printed;
use super::{Limits, Seed};
use crate::domain::World;
use crate::error::Error;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::sync::Arc;

/// The host's state for one instance.
pub struct Host {
    pub limits: Limits,
    pub clock: Clock,
    pub random: ChaCha8Rng,
    pub calls: CallHandler,
    /// What the program printed. It outlasts the instance.
    pub printed: Printed,
    /// The world's failure, if it failed: an error on our side and no outcome.
    pub failure: Option<Error>,
    /// Whether the guest asked for more memory than its limit.
    pub memory_refused: bool,
    last_words: Vec<u8>,
}

impl Host {
    pub fn new(world: Arc<dyn World>, limits: Limits, seed: &Seed) -> Self {
        Host {
            clock: Clock::starting_at(seed.now.max(world.reached_time().unwrap_or(seed.now))),
            calls: CallHandler::new(world, &limits),
            printed: Printed::up_to(limits.output_bytes),
            limits,
            random: ChaCha8Rng::seed_from_u64(seed.random),
            failure: None,
            memory_refused: false,
            last_words: Vec::new(),
        }
    }

    /// The state of an instance that stays. It can make no calls.
    pub fn of_resident(limits: Limits) -> Self {
        Host::new(Arc::new(Nowhere), limits, &Seed::default())
    }

    /// Sets the clock and the randomness for the next request.
    pub fn restart(&mut self, seed: &Seed) {
        self.clock = Clock::starting_at(seed.now);
        self.random = ChaCha8Rng::seed_from_u64(seed.random);
    }

    /// Keeps the interpreter's own messages, such as a panic's.
    pub fn last_words(&mut self, bytes: &[u8]) {
        let room = 2_000_usize.saturating_sub(self.last_words.len());
        self.last_words
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// The interpreter's own messages so far; usually empty.
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

/// A clock that advances only when the program reads it or sleeps, and when a call is answered
/// at a later time.
pub struct Clock {
    start: u64,
    elapsed: u64,
}

impl Clock {
    fn starting_at(now: jiff::Timestamp) -> Self {
        let start = u64::try_from(now.as_nanosecond()).unwrap_or_default();
        Clock { start, elapsed: 0 }
    }

    /// Goes on to this time, unless it is past.
    pub fn reach(&mut self, time: jiff::Timestamp) {
        let time = Clock::starting_at(time).start;
        self.start = self.start.max(time.saturating_sub(self.elapsed));
    }

    pub fn advance(&mut self, nanos: u64) {
        self.elapsed = self.elapsed.saturating_add(nanos);
    }

    /// Nanoseconds since the program's start.
    pub fn elapsed(&self) -> u64 {
        self.elapsed
    }

    /// Nanoseconds since 1970.
    pub fn calendar(&self) -> u64 {
        self.start.saturating_add(self.elapsed)
    }
}
