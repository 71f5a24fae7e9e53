//! Everything has a limit, in one struct, passed in.

use sha2::{Digest, Sha256};
use std::time::Duration;

/// What one program may use. Breaking a limit is an outcome with an error name
/// of its own, given behind each field.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Wall-clock time, waits for the environment included. `DeadlineExceeded`.
    pub deadline: Duration,
    /// Deterministic work, in wasm fuel (about one unit an instruction). `FuelExhausted`.
    pub fuel: u64,
    /// Linear memory of the instance, bytes. `MemoryError`, as Python has it.
    pub memory: usize,
    /// Calls to the environment. `CallLimitExceeded`.
    pub calls: u32,
    /// Bytes of one call's parameters. `CallTooLarge`.
    pub call_bytes_out: usize,
    /// Values in one call's parameters, nested ones counted: each takes more room here
    /// than it took in the call. `CallTooLarge`.
    pub call_values: u32,
    /// Bytes of one call's answer. `AnswerTooLarge`.
    pub call_bytes_in: usize,
    /// Bytes of all calls and answers together. `TransferLimitExceeded`.
    pub total_bytes: u64,
    /// Bytes of the result as JSON. `ResultTooLarge`.
    pub result_bytes: usize,
    /// Bytes of printed output kept; what is beyond is cut, and said so.
    pub output_bytes: usize,
    /// Bytes of the program's text. `ProgramTooLarge`.
    pub program_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            deadline: Duration::from_secs(30),
            fuel: 50_000_000_000,
            memory: 256 << 20,
            calls: 10_000,
            call_bytes_out: 64 << 20,
            call_values: 1_000_000,
            call_bytes_in: 64 << 20,
            total_bytes: 512 << 20,
            result_bytes: 4 << 20,
            output_bytes: 64 << 10,
            program_bytes: 256 << 10,
        }
    }
}

/// The clock and randomness a program sees: the same seed on the same state
/// gives the same outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    /// What the clock shows when the program starts. It moves with `time.sleep`.
    pub now: jiff::Timestamp,
    /// Seeds `random`.
    pub random: u64,
}

impl Default for Seed {
    fn default() -> Self {
        // 2024-01-01T00:00:00Z
        Seed {
            now: jiff::Timestamp::constant(1_704_067_200, 0),
            random: 0,
        }
    }
}

impl Seed {
    /// The seed of one program of a dialogue: each has its own, the same in every run.
    /// `turn` counts from 1, `uid` is the goal's.
    #[must_use]
    pub fn of_program(&self, turn: usize, uid: u32) -> Seed {
        let name = format!("{}/{turn}/{uid}", self.random);
        let hash: [u8; 32] = Sha256::digest(name).into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        Seed {
            random: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            ..*self
        }
    }
}
