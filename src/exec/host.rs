//! What the host keeps for one instance while its program runs.

use super::breach::Breach;
use super::{CallRecord, Limits, Seed};
use crate::domain::{Answer, World};
use crate::error::Error;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::sync::{Arc, Mutex, PoisonError};

/// One instance's share of the host.
pub struct Host {
    pub world: Arc<dyn World>,
    pub limits: Limits,
    pub clock: Clock,
    pub random: ChaCha8Rng,
    /// The calls so far. Outlives the instance, so that a program that is cut off
    /// still tells what it did.
    pub calls: CallLog,
    /// Why the world failed, when it did: ours, not the program's.
    pub failure: Option<Error>,
    /// Whether the guest was refused memory.
    pub memory_refused: bool,
    bytes_moved: u64,
    last_words: Vec<u8>,
}

/// The calls of one program, shared with who waits for it.
pub type CallLog = Arc<Mutex<Vec<CallRecord>>>;

impl Host {
    pub fn new(world: Arc<dyn World>, limits: Limits, seed: &Seed) -> Self {
        Host {
            world,
            limits,
            clock: Clock::starting_at(seed.now),
            random: ChaCha8Rng::seed_from_u64(seed.random),
            calls: CallLog::default(),
            failure: None,
            memory_refused: false,
            bytes_moved: 0,
            last_words: Vec::new(),
        }
    }

    /// Counts and records a call that is about to be made.
    pub fn begin_call(&mut self, operation: &str, bytes: u64) -> Result<(), Breach> {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.len() >= self.limits.calls as usize {
            return Err(Breach::Calls);
        }
        calls.push(CallRecord {
            operation: operation.to_owned(),
            error: None,
        });
        drop(calls);
        self.moved(bytes)
    }

    /// Records how a call was answered, in `bytes` bytes.
    pub fn end_call(&mut self, answer: Answer, bytes: usize) -> Result<(), Breach> {
        if let Err(refusal) = answer {
            let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(call) = calls.last_mut() {
                call.error = Some(refusal.code);
            }
        }
        if bytes > self.limits.call_bytes_in {
            return Err(Breach::AnswerBytes);
        }
        self.moved(bytes as u64)
    }

    fn moved(&mut self, bytes: u64) -> Result<(), Breach> {
        self.bytes_moved = self.bytes_moved.saturating_add(bytes);
        if self.bytes_moved > self.limits.total_bytes {
            return Err(Breach::TotalBytes);
        }
        Ok(())
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
