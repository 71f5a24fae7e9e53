//! The limits of a program, and its clock and randomness.

use sha2::{Digest, Sha256};
use std::time::Duration;

/// The limits of one program. A program that breaks a limit ends with the error named in
/// the limit's description.
///
/// ```
/// use dialog2api_core::exec::Limits;
///
/// let limits = Limits { calls: 100, ..Limits::default() };
/// assert_eq!((limits.calls, limits.deadline.as_secs()), (100, 30));
/// assert!(Limits::interactive().calls > Limits::default().calls);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Wall-clock time of the program's own work and of calls that the environment answers in
    /// this process. [Waits](crate::domain::World::waits) for a server or a disk are not counted.
    /// `DeadlineExceeded`.
    pub deadline: Duration,
    /// The time that all calls together may wait for a server or a disk. `PatienceExhausted`.
    pub patience: Duration,
    /// Work in wasm fuel, about one unit per instruction. The same in every run.
    /// `FuelExhausted`.
    pub fuel: u64,
    /// Linear memory of the instance, in bytes; 1 GiB at most. Python's `MemoryError`.
    pub memory: usize,
    /// How many calls the program may make. `CallLimitExceeded`.
    pub calls: u32,
    /// Bytes of one call's encoded parameters. `CallTooLarge`.
    pub call_bytes_out: usize,
    /// Values in one call's parameters, nested ones included. Limited besides the bytes,
    /// because a decoded value takes more room than an encoded one. `CallTooLarge`.
    pub call_values: u32,
    /// Bytes of one call's encoded answer. `AnswerTooLarge`.
    pub call_bytes_in: usize,
    /// Bytes of all calls and answers of the program together. `TransferLimitExceeded`.
    pub total_bytes: u64,
    /// Bytes of the result as JSON. `ResultTooLarge`.
    pub result_bytes: usize,
    /// Bytes of printed output that are kept. Longer output is cut with a note, and the
    /// program goes on.
    pub output_bytes: usize,
    /// Bytes of the program's text. `ProgramTooLarge`.
    pub program_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            deadline: Duration::from_secs(30),
            patience: Duration::from_secs(30 * 60),
            fuel: 50_000_000_000,
            memory: 256 << 20,
            // Room for 10,000 transfers, and for the listings before them.
            calls: 11_000,
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

impl Limits {
    /// Limits for a program whose writes the policy holds, and whose long reads it asks about. Work
    /// on 100,000 objects fits in. Evaluations keep the low limit on calls: it ends an endless loop
    /// after the same number of calls on every machine.
    pub fn interactive() -> Limits {
        Limits {
            calls: 1_000_000,
            ..Limits::default()
        }
    }
}

/// The clock and the randomness of a program. The same program with the same seed on the
/// same state of the world has the same outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    /// The time when the program starts, unless its world has reached a later one.
    /// `time.sleep` advances it.
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
    /// The seed of one program in a dialogue that starts with this seed: different for each
    /// program, the same in every run. `turn` counts from 1, `uid` is the goal's number.
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
