//! Why an instance was ended early: the limit that its program broke, or another cause.

use super::Limits;
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::counted;
use std::fmt;

/// Why an instance was ended early. Each is an outcome of the program with an error name
/// of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// See [`Limits::deadline`].
    Deadline,
    /// See [`Limits::patience`].
    Patience,
    /// See [`Limits::fuel`].
    Fuel,
    /// See [`Limits::memory`].
    Memory,
    /// See [`Limits::calls`].
    Calls,
    /// See [`Limits::call_bytes_out`].
    CallBytes,
    /// See [`Limits::call_values`].
    CallValues,
    /// See [`Limits::call_bytes_in`].
    AnswerBytes,
    /// See [`Limits::total_bytes`].
    TotalBytes,
    /// See [`Limits::result_bytes`].
    ResultBytes,
    /// See [`Limits::program_bytes`].
    ProgramBytes,
    /// The program nests or recurses more deeply than the stack allows.
    Stack,
    /// The interpreter crashed or misbehaved while it ran the program.
    Interpreter,
}

/// Whether this is the error name of a [`Breach`]. A program can raise an error of the same
/// name: [`EndedBy`](super::EndedBy) tells the two apart.
pub fn is_limit(name: &str) -> bool {
    Breach::ALL.iter().any(|breach| breach.name() == name)
}

impl Breach {
    /// Every breach.
    const ALL: [Breach; 13] = [
        Breach::Deadline,
        Breach::Patience,
        Breach::Fuel,
        Breach::Memory,
        Breach::Calls,
        Breach::CallBytes,
        Breach::CallValues,
        Breach::AnswerBytes,
        Breach::TotalBytes,
        Breach::ResultBytes,
        Breach::ProgramBytes,
        Breach::Stack,
        Breach::Interpreter,
    ];

    /// The error's name in the outcome.
    pub fn name(self) -> &'static str {
        match self {
            Breach::Deadline => "DeadlineExceeded",
            Breach::Patience => "PatienceExhausted",
            Breach::Fuel => "FuelExhausted",
            Breach::Memory => "MemoryError",
            Breach::Calls => "CallLimitExceeded",
            Breach::CallBytes | Breach::CallValues => "CallTooLarge",
            Breach::AnswerBytes => "AnswerTooLarge",
            Breach::TotalBytes => "TransferLimitExceeded",
            Breach::ResultBytes => "ResultTooLarge",
            Breach::ProgramBytes => "ProgramTooLarge",
            Breach::Stack => "StackOverflow",
            Breach::Interpreter => "InterpreterError",
        }
    }

    /// The outcome, with a message that states the limit.
    pub fn outcome(self, limits: &Limits) -> Outcome {
        let bytes = Bytes;
        let message = match self {
            Breach::Deadline => format!("the program ran longer than {:?}", limits.deadline),
            Breach::Patience => format!(
                "the program's calls waited longer than {:?} for the server or the disk",
                limits.patience
            ),
            Breach::Fuel => format!("the program did more than {} steps of work", limits.fuel),
            Breach::Memory => {
                format!(
                    "the program used more memory than {}",
                    bytes(limits.memory as u64)
                )
            }
            Breach::Calls => format!(
                "the program made more than {}",
                counted(limits.calls, "call")
            ),
            Breach::CallBytes => {
                format!(
                    "a call is larger than {}",
                    bytes(limits.call_bytes_out as u64)
                )
            }
            Breach::CallValues => format!("a call has more than {} values", limits.call_values),
            Breach::AnswerBytes => {
                format!(
                    "the answer to a call is larger than {}",
                    bytes(limits.call_bytes_in as u64)
                )
            }
            Breach::TotalBytes => {
                format!(
                    "the program's calls moved more than {}",
                    bytes(limits.total_bytes)
                )
            }
            Breach::ResultBytes => {
                format!(
                    "the result is larger than {}",
                    bytes(limits.result_bytes as u64)
                )
            }
            Breach::ProgramBytes => {
                format!(
                    "the program is longer than {}",
                    bytes(limits.program_bytes as u64)
                )
            }
            Breach::Stack => "the program is nested or recurses too deeply".to_owned(),
            Breach::Interpreter => "the interpreter gave up on the program".to_owned(),
        };
        Outcome::Error(ProgramError {
            error: self.name().to_owned(),
            message,
            traceback: None,
        })
    }
}

/// A breach passes through wasmtime as the error of a host function.
impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::error::Error for Breach {}

/// A number of bytes for people: in MiB or KiB where it is a multiple of them.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n >= 1 << 20 && n % (1 << 20) == 0 => write!(f, "{} MiB", n >> 20),
            n if n >= 1 << 10 && n % (1 << 10) == 0 => write!(f, "{} KiB", n >> 10),
            n => f.write_str(&counted(n, "byte")),
        }
    }
}
