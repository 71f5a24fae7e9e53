//! Dialogues as JSON Lines: one row for each turn, with everything that the turn depends on.
//!
//! Rows are for training and analysis in other programs. Each can be read alone, and every
//! field has one type in all rows, so that Hugging Face `datasets`, pyarrow and pandas load
//! the file as it is. Results, which may be any JSON, are therefore JSON text.
//! `datasets/s3/rows.schema.json` is the JSON Schema.
//!
//! Rows lose nothing: [`dialogues`] restores the files that [`rows`] read, byte for byte.
//! Redundant fields (the stack, the last response, the world) must agree with the others.

mod export;
mod import;

pub use export::rows;
pub use import::dialogues;

use super::Split;
use crate::dialogue::{GoalRecord, Offer, Outcome, Program, ProgramError, Status};
use serde::{Deserialize, Serialize};

/// One turn of a dialogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRow {
    /// The dialogue's uid.
    pub dialogue: String,
    /// The goal that the dialogue was written for.
    pub goal: Option<String>,
    /// The name of the world that it starts from.
    pub world: Option<String>,
    /// Its part of the dataset.
    pub split: Option<Split>,
    /// The turn in its dialogue, 1 for the first.
    pub turn: u32,
    /// How many turns the dialogue has.
    pub turns: u32,
    /// S_{t-1}: the goals before the turn, the one touched last at the end.
    pub stack: Vec<RowGoal>,
    /// R_{t-1}: what the agent said last; in the first turn its greeting.
    pub previous_response: Option<String>,
    /// U_t: what the user says.
    pub utterance: String,
    /// P_t and O_t: the goals that the turn updates, in the order of execution, and their
    /// outcomes.
    pub programs: Vec<RowGoal>,
    /// The environment's signature after the turn's last program: 8 hex digits. None
    /// where the turn runs nothing: its signature is then of the state alone, which
    /// dialogues do not record.
    pub signature: Option<String>,
    /// R_t: what the agent says.
    pub response: Option<String>,
    /// The dialogue's file, relative to its dataset, with `/`.
    pub file: String,
    /// All attributes of the dialogue beside its uid, as they stand in the file.
    pub attributes: Vec<RowAttribute>,
    /// The environment's signature before the first turn.
    pub initial_signature: Option<String>,
    /// The agent's words before the first turn.
    pub greeting: Option<String>,
}

/// A goal of a row, with its program and its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowGoal {
    /// The goal.
    pub uid: u32,
    /// Its status.
    pub status: Status,
    /// The program with its exact white space: every character between `<program>` and
    /// `</program>`. None where the turn keeps the code and changes the status.
    pub program: Option<String>,
    /// The result of the program as JSON text. None where it did not run, or failed.
    pub result: Option<String>,
    /// How the program failed: the environment's code, or the exception's class. None
    /// where it did not run, or returned.
    pub error: Option<String>,
    /// The exception's text. None where there is no error.
    pub message: Option<String>,
    /// The environment's signature after the program: 8 hex digits.
    pub signature: Option<String>,
}

/// An attribute of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowAttribute {
    /// Its name: `goal`, `world`.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl TurnRow {
    /// The operations that the turns of its dialogue offer.
    pub fn offer(&self) -> Offer {
        let attributes = self.attributes.iter();
        let attributes = attributes.map(|it| (it.name.as_str(), it.value.as_str()));
        Offer::read(attributes).unwrap_or_default()
    }
}

impl From<&GoalRecord> for RowGoal {
    fn from(record: &GoalRecord) -> Self {
        let (result, error) = match &record.outcome {
            None => (None, None),
            Some(Outcome::Result(value)) => (Some(value.to_string()), None),
            Some(Outcome::Error(error)) => (None, Some(error)),
        };
        let program = record.program.as_ref();
        RowGoal {
            uid: record.uid,
            status: record.status,
            program: program.map(|program| program.text().to_owned()),
            result,
            error: error.map(|error| error.error.clone()),
            message: error.map(|error| error.message.clone()),
            signature: record.signature.clone(),
        }
    }
}

impl RowGoal {
    /// The goal as a dialogue has it. `Err` says what is wrong with it.
    ///
    /// # Errors
    /// Two fields contradict each other, or the result is no JSON.
    pub fn record(&self) -> Result<GoalRecord, String> {
        let uid = self.uid;
        let outcome = match (&self.result, &self.error) {
            (None, None) if self.message.is_some() => {
                return Err(format!("goal {uid} has a message and no error"));
            }
            (None, None) => None,
            (Some(_), Some(_)) => {
                return Err(format!("goal {uid} has both a result and an error"));
            }
            (Some(json), None) => Some(Outcome::Result(
                serde_json::from_str(json)
                    .map_err(|error| format!("the result of goal {uid} is no JSON: {error}"))?,
            )),
            (None, Some(error)) => Some(Outcome::Error(ProgramError {
                error: error.clone(),
                message: self.message.clone().unwrap_or_default(),
                traceback: None,
            })),
        };
        Ok(GoalRecord {
            uid,
            status: self.status,
            program: self.program.clone().map(Program::from_text),
            outcome,
            signature: self.signature.clone(),
        })
    }
}
