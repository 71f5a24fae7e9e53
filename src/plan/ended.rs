//! How an apply ended, and what people read of that.

use super::Step;
use crate::domain::{Mark, Place, Refusal};
use crate::error::Error;
use std::fmt;

/// How the sentence begins about what made no write.
pub(crate) const NOTHING_CHANGED: &str = "Nothing was changed";

/// How an apply ended.
#[derive(Debug)]
pub struct Applied {
    /// The writes that were made, in the order of the plan; as many as it has where `end` is
    /// [`End::Whole`]. Where it is not, others may be missing between them: writes that have
    /// nothing to do with each other are under way together.
    pub steps: Vec<Step>,
    /// Why there are no more.
    pub end: End,
    /// How many writes were begun of which it is not known whether they were made.
    pub in_doubt: usize,
}

/// How a place differs from what the plan saw.
#[derive(Debug)]
pub struct Drift {
    /// The place.
    pub place: Place,
    /// The mark that the plan saw.
    pub expected: Option<Mark>,
    /// Its mark now.
    pub found: Option<Mark>,
    /// Whether the program only read it.
    pub is_read: bool,
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.is_read {
            true if self.place.segments().is_empty() => "what the program listed".to_owned(),
            true => format!("{}, which the program read,", self.place),
            false => self.place.to_string(),
        };
        match (&self.expected, &self.found) {
            (None, _) => write!(f, "{place} is there now, and was not when this was planned"),
            (_, None) => write!(f, "{place} is gone, and was there when this was planned"),
            _ => write!(f, "{place} has changed since this was planned"),
        }
    }
}

/// Why an apply ended.
#[derive(Debug)]
pub enum End {
    /// Every write was made.
    Whole,
    /// It was stopped.
    Stopped,
    /// A place is not as the plan saw it. The write was not made.
    Drifted(Box<Drift>),
    /// The world refused the write. It was not made, or where it was one of many things,
    /// perhaps a part of it.
    Refused(Refusal),
    /// Writes were begun, and whether they were made is not known: the world did not answer,
    /// or its answers were not waited for.
    Unknown(Error),
    /// The world could not be read or did not answer, or the record could not be kept. The
    /// write was not made, unless only the record of its completion failed.
    Failed(Error),
}

impl Applied {
    /// An apply of which these writes were made, that ended like this. Where it is not known
    /// what became of a write, it is one.
    pub fn new(steps: Vec<Step>, end: End) -> Applied {
        let in_doubt = usize::from(matches!(end, End::Unknown(_)));
        Applied {
            steps,
            end,
            in_doubt,
        }
    }

    /// Whether every write was made.
    pub fn is_whole(&self) -> bool {
        matches!(self.end, End::Whole)
    }

    /// Why it is not whole, where it is not: an error code and a sentence that says what
    /// was done and what was not. `of` is how many writes there were to make.
    pub fn failure(&self, of: usize) -> Option<(String, String)> {
        let which = match self.has_gaps() {
            true => "one write",
            false => "the next write",
        };
        let (code, why) = match &self.end {
            End::Whole => return None,
            End::Stopped => ("Interrupted".to_owned(), "it was stopped".to_owned()),
            End::Drifted(drift) => ("PlanOutdated".to_owned(), drift.to_string()),
            End::Refused(refusal) => (
                refusal.code.clone(),
                format!(
                    "{which} was refused: {}",
                    refusal.message.trim_end_matches('.')
                ),
            ),
            End::Unknown(error) => {
                let doubt = match (self.steps.len(), self.in_doubt) {
                    (0, 0 | 1) => "Whether the first write was made".to_owned(),
                    (0, doubts) => format!("Whether any of {doubts} writes were made"),
                    (made, 0 | 1) => {
                        let which = match self.has_gaps() {
                            true => "one more",
                            false => "the next one",
                        };
                        format!("{made} of {of} planned writes were made. Whether {which} was made")
                    }
                    (made, doubts) => format!(
                        "{made} of {of} planned writes were made. Whether {doubts} more were made"
                    ),
                };
                let sentence = format!("{doubt} is not known: {error}.");
                return Some(("ConnectionLost".to_owned(), sentence));
            }
            End::Failed(error) => (
                "ConnectionLost".to_owned(),
                format!("{which} could not be made: {error}"),
            ),
        };
        let made = match self.steps.len() {
            0 => NOTHING_CHANGED.to_owned(),
            made => format!("Only {made} of {of} planned writes were made"),
        };
        Some((code, format!("{made}: {why}.")))
    }

    /// Whether a write is missing before one that was made.
    fn has_gaps(&self) -> bool {
        let last = self.steps.last();
        last.is_some_and(|last| last.number >= self.steps.len())
    }
}
