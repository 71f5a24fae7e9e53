//! Compares what a dialogue does with what it records.

use super::{DialogueReplay, ReplayedTurn, Replayer};
use crate::dialogue::{Outcome, ProgramError, Transcript, Turn, Violation};
use crate::domain::{Signature, World, exact_json};
use crate::error::Result;
use std::fmt;
use std::sync::Arc;

/// The comparison of a whole dialogue.
#[derive(Debug)]
pub struct Verification {
    /// The number of programs that ran.
    pub programs: usize,
    /// All differences, in the order of the dialogue.
    pub differences: Vec<Difference>,
}

impl Verification {
    /// Whether all signatures and outcomes are as recorded. Messages of errors may differ.
    pub fn matches(&self) -> bool {
        !self.differences.iter().any(Difference::counts)
    }
}

/// The outcome of a program, and the signature after it as 8 hex digits.
#[derive(Debug, Clone, PartialEq)]
pub struct SignedOutcome {
    /// The outcome.
    pub outcome: Outcome,
    /// The signature.
    pub signature: String,
}

/// One difference from what is recorded. Turns count from 1.
///
/// `Display` is one line for people, without the name of the dialogue.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// The dialogue was replayed in another world than it was recorded in.
    World {
        /// The signature recorded.
        recorded: String,
        /// The signature of the world that it was replayed on.
        now: Signature,
    },
    /// A turn breaks the status rules. Neither it nor later turns ran.
    Rules {
        /// The number of the turn, from 1.
        turn: usize,
        /// The broken rules.
        violations: Vec<Violation>,
    },
    /// A program ran that has no complete record.
    Unrecorded {
        /// The number of the turn, from 1.
        turn: usize,
        /// The goal.
        uid: u32,
        /// The result of the program now.
        now: SignedOutcome,
    },
    /// An outcome is recorded, and no program ran.
    NotRun {
        /// The number of the turn, from 1.
        turn: usize,
        /// The goal.
        uid: u32,
    },
    /// A program did something else.
    Other {
        /// The number of the turn, from 1.
        turn: usize,
        /// The goal.
        uid: u32,
        /// The result when the dialogue was recorded.
        recorded: SignedOutcome,
        /// The result of the program now.
        now: SignedOutcome,
    },
    /// An error has another message. No signature depends on it, since every server
    /// words its errors in its own way.
    Message {
        /// The number of the turn, from 1.
        turn: usize,
        /// The goal.
        uid: u32,
        /// The message recorded.
        recorded: String,
        /// The message now.
        now: String,
    },
}

impl Difference {
    /// Whether the dialogue did not do what is recorded.
    pub fn counts(&self) -> bool {
        !matches!(self, Difference::Message { .. })
    }
}

/// The differences of one turn from its record. `turn` counts from 1.
pub fn compare(turn: usize, recorded: &Turn, now: &ReplayedTurn) -> Vec<Difference> {
    let mut differences = Vec::new();
    for record in &recorded.goals {
        let uid = record.uid;
        let Some(done) = now.done.iter().find(|done| done.uid == uid) else {
            if record.outcome.is_some() || record.signature.is_some() {
                differences.push(Difference::NotRun { turn, uid });
            }
            continue;
        };
        let now = SignedOutcome {
            outcome: done.execution.outcome.clone(),
            signature: done.signature.to_string(),
        };
        let (Some(outcome), Some(signature)) = (&record.outcome, &record.signature) else {
            differences.push(Difference::Unrecorded { turn, uid, now });
            continue;
        };
        let recorded = SignedOutcome {
            outcome: outcome.clone(),
            signature: signature.clone(),
        };
        if recorded.signature != now.signature || !is_same(&recorded.outcome, &now.outcome) {
            differences.push(Difference::Other {
                turn,
                uid,
                recorded,
                now,
            });
        } else if let (Outcome::Error(then), Outcome::Error(error)) =
            (&recorded.outcome, &now.outcome)
            && then.message != error.message
        {
            differences.push(Difference::Message {
                turn,
                uid,
                recorded: then.message.clone(),
                now: error.message.clone(),
            });
        }
    }
    differences
}

/// Whether two outcomes give the same signature.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Result(one), Outcome::Result(other)) => {
            one == other || exact_json(one) == exact_json(other)
        }
        (Outcome::Error(one), Outcome::Error(other)) => one.error == other.error,
        _ => false,
    }
}

/// The signature before the first turn, and the difference if another one is recorded. The
/// replay must not have run a turn yet.
///
/// # Errors
/// The world cannot be read.
pub async fn initial(
    transcript: &Transcript,
    replay: &mut DialogueReplay<'_>,
) -> Result<(Signature, Option<Difference>)> {
    let now = replay.signature().await?;
    let recorded = transcript.initial_signature.clone();
    let other = recorded.filter(|recorded| *recorded != now.to_string());
    Ok((
        now,
        other.map(|recorded| Difference::World { recorded, now }),
    ))
}

impl Replayer {
    /// Replays a dialogue in `world`, which is changed, and compares it with its record.
    ///
    /// # Errors
    /// The sandbox or the world failed.
    pub async fn verify(
        &self,
        transcript: &Transcript,
        world: Arc<dyn World>,
    ) -> Result<Verification> {
        let (mut programs, replay) = (0, self.start(world));
        let mut replay = replay.offering(transcript.offer());
        let (_, other) = initial(transcript, &mut replay).await?;
        let mut differences = Vec::from_iter(other);
        for (turn, recorded) in (1..).zip(&transcript.turns) {
            match replay.turn(recorded).await? {
                Ok(now) => {
                    programs += now.done.len();
                    differences.extend(compare(turn, recorded, &now));
                }
                Err(violations) => {
                    differences.push(Difference::Rules { turn, violations });
                    break;
                }
            }
        }
        Ok(Verification {
            programs,
            differences,
        })
    }
}

/// The longest outcome that is printed whole, in characters.
const PRINTED: usize = 120;

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::World { recorded, now } => write!(
                f,
                "before the first turn: expected a world with signature {recorded}, got one with \
                 {now}"
            ),
            Difference::Rules { turn, violations } => {
                let reasons: Vec<String> = violations.iter().map(Violation::to_string).collect();
                write!(f, "turn {turn}: {}", reasons.join("; "))
            }
            Difference::Unrecorded { turn, uid, now } => write!(
                f,
                "turn {turn}, goal {uid}: nothing is recorded to compare with, got {now}; \
                 `dialog2api dataset annotate` records it"
            ),
            Difference::NotRun { turn, uid } => write!(
                f,
                "turn {turn}, goal {uid}: an outcome is recorded, and no program ran"
            ),
            Difference::Other {
                turn,
                uid,
                recorded,
                now,
            } => {
                write!(f, "turn {turn}, goal {uid}: ")?;
                let (signed, now_signed) = (&recorded.signature, &now.signature);
                if signed == now_signed {
                    let (outcome, now) = (Words(&recorded.outcome), Words(&now.outcome));
                    write!(
                        f,
                        "expected {outcome}, got {now}; the signature {signed} is the same"
                    )
                } else if is_same(&recorded.outcome, &now.outcome) {
                    let outcome = Words(&now.outcome);
                    write!(
                        f,
                        "expected signature {signed}, got {now_signed}; {outcome} is the same"
                    )
                } else {
                    write!(f, "expected {recorded}, got {now}")
                }
            }
            Difference::Message {
                turn,
                uid,
                recorded,
                now,
            } => write!(
                f,
                "turn {turn}, goal {uid}: the same error with another message: expected {:?}, got {:?}",
                clip(recorded),
                clip(now)
            ),
        }
    }
}

impl fmt::Display for SignedOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} with signature {}",
            Words(&self.outcome),
            self.signature
        )
    }
}

/// An outcome on one line.
struct Words<'a>(&'a Outcome);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Outcome::Result(value) => write!(f, "result {}", clip(&value.to_string())),
            Outcome::Error(ProgramError { error, message, .. }) if message.is_empty() => {
                write!(f, "error {error}")
            }
            Outcome::Error(ProgramError { error, message, .. }) => {
                write!(f, "error {error} ({})", clip(message))
            }
        }
    }
}

/// Cuts text that is too long for a line.
fn clip(text: &str) -> String {
    match text.char_indices().nth(PRINTED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}
