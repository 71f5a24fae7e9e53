//! STAR: what a wizard did next in recorded dialogues, and what the agenda does (section 6.5).
//! The data are not part of the crate; `cargo run -p worksheets --example star -- FOLDER` reads
//! them from a folder.

mod agent;
mod bank;
mod baseline;
mod record;
mod report;
mod score;
mod trip;
mod trivia;
mod words;

use crate::agenda::{Effect, Ended, Next, Turned};
use crate::desk::{Op, Refused};
use crate::program::Carried;
use crate::read::{Format, read};
use crate::sheets::Sheets;
use crate::state::{State, Status};
use serde_json::{Value as Json, json};

pub use agent::{Protocol, StarPlay, predictions};
pub use baseline::{after_label, commonest};
pub use record::{StarDialogue, StarEvent, StarTurn};
pub use report::{LabelScore, REPORTED, StarReport, report};
pub use score::{Interval, Prediction, Score, Scores, scores};

/// The tasks that have sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StarTask {
    /// A customer reports a fraud to a bank.
    Bank,
    /// Directions, step by step.
    Trip,
    /// A game of questions.
    Trivia,
}

impl StarTask {
    /// All tasks.
    pub const ALL: [Self; 3] = [Self::Bank, Self::Trip, Self::Trivia];

    /// The name, which is that of the file of its dialogues.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bank => "bank",
            Self::Trip => "trip",
            Self::Trivia => "trivia",
        }
    }

    /// The sheets, as CSV.
    pub fn csv(self) -> &'static str {
        match self {
            Self::Bank => include_str!("sheets/bank.csv"),
            Self::Trip => include_str!("sheets/trip.csv"),
            Self::Trivia => include_str!("sheets/trivia.csv"),
        }
    }

    /// The sheets.
    pub fn sheets(self) -> Sheets {
        read(self.csv().as_bytes(), Format::Csv).unwrap_or_else(|_| Sheets::new(Vec::new()))
    }

    fn side(self) -> Box<dyn Side> {
        match self {
            Self::Bank => Box::<bank::Bank>::default(),
            Self::Trip => Box::<trip::Trip>::default(),
            Self::Trivia => Box::<trivia::Trivia>::default(),
        }
    }
}

/// What an act stands for: the label that counts strictly, and those that count leniently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Label {
    strict: &'static str,
    lenient: &'static [&'static str],
}

/// Labels that are one and the same when scored leniently.
const OTHERS: &str = "others";

impl Label {
    const fn one(strict: &'static str, lenient: &'static [&'static str]) -> Self {
        Self { strict, lenient }
    }

    /// No act: by how the program ended.
    const fn none(strict: &'static str) -> Self {
        Self::one(strict, &[OTHERS])
    }
}

/// The user and the backend of a task, as a recorded dialogue has them.
trait Side {
    /// Takes in what has happened up to a user's turn, and what the user says in it.
    fn hear(&mut self, dialogue: &StarDialogue, turn: usize);
    /// The state before the turn, from what the wizard has been told and has done.
    fn state(&self) -> Json;
    /// Carries out what the user says as a program. The error is the exception that ends it.
    fn program(&self, on: &mut Carried<'_>) -> Result<(), Refused>;
    /// What comes of an action or a call.
    fn effect(&mut self, next: &Next, state: &State, protocol: Protocol) -> Effect;
    fn label(&self, turned: &Turned, ended: &Ended) -> Label;
    /// The act that a label of the wizard stands for.
    fn act(&self, label: &str) -> Option<&'static str>;
}

/// The latest record of a sheet with a status.
fn latest<'s>(state: &'s State, sheet: &str, status: Status) -> Option<&'s str> {
    let mut records = state.records.iter().rev();
    let found = records.find(|record| {
        record.status == status && record.task().is_some_and(|task| task.sheet == sheet)
    });
    found.map(|record| record.var.as_str())
}

/// The value of a slot, as JSON.
fn value(state: &State, record: &str, field: &str) -> Option<Json> {
    let (_, task) = state.task(record)?;
    let slot = task.fields.get(field)?;
    slot.value.as_ref().map(crate::state::Value::json)
}

fn new(on: &mut Carried<'_>, sheet: &str, fields: &Json) -> Result<String, Refused> {
    let op = json!({"op": "new", "sheet": sheet, "fields": fields});
    apply(on, &op).map(Option::unwrap_or_default)
}

fn set(on: &mut Carried<'_>, record: &str, field: &str, value: &Json) -> Result<(), Refused> {
    let op = json!({"op": "set", "record": record, "field": field, "value": value});
    apply(on, &op).map(|_| ())
}

fn apply(on: &mut Carried<'_>, op: &Json) -> Result<Option<String>, Refused> {
    let op = Op::of(op).map_err(|why| Refused::new("TypeError", why))?;
    let made = on.desk.apply(&op)?;
    on.ops.push(op);
    Ok(made)
}

/// The end of a program: an exception where the user takes their leave.
fn end(leaves: bool) -> Result<(), Refused> {
    match leaves {
        true => Err(Refused::new("EndDialog", "")),
        false => Ok(()),
    }
}

/// The operations of an action.
fn ops(ops: &[Json]) -> Effect {
    match ops.iter().map(Op::of).collect() {
        Ok(ops) => Effect::Ops(ops),
        Err(message) => Effect::Failed {
            error: "TypeError".to_owned(),
            message,
        },
    }
}

fn failed(error: &str, message: &str) -> Effect {
    Effect::Failed {
        error: error.to_owned(),
        message: message.to_owned(),
    }
}
