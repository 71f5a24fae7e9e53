//! The desk: what programs do to the dialogue state, and what they may not (sections 2.3–2.5).

mod adopt;
mod assign;
mod end;
mod make;
mod op;

pub(crate) use end::wants_confirmation;
pub(crate) use make::{literal, snake};
pub use op::{Op, Refused};

/// The variable of a sheet's first record: its name in snake case.
pub fn variable(sheet: &str) -> String {
    snake(sheet)
}

use std::collections::HashMap;

use crate::act::Act;
use crate::predicate::View;
use crate::problem::Problem;
use crate::sheets::Sheets;
use crate::state::{Body, By, Query, Record, State, Status, Value};

/// A dialogue state under a program's hands. Operations that are refused change nothing.
///
/// ```
/// use serde_json::json;
/// use worksheets::{Desk, Format, Op, State};
///
/// let csv = "WS Name,Kind,Type,Name\nOrder,task,,\n,input,int,count\n";
/// let sheets = worksheets::read(csv.as_bytes(), Format::Csv).unwrap();
/// let mut desk = Desk::open(&sheets, &State::default());
/// let op = Op::of(&json!({"op": "new", "sheet": "Order", "fields": {"count": "3"}})).unwrap();
/// assert_eq!(desk.apply(&op).unwrap().as_deref(), Some("order"));
/// let op = Op::of(&json!({"op": "set", "record": "order", "field": "size", "value": 1})).unwrap();
/// assert_eq!(desk.apply(&op).unwrap_err().error, "AttributeError");
/// ```
#[derive(Clone, Debug)]
pub struct Desk<'s> {
    pub(crate) sheets: &'s Sheets,
    pub(crate) state: State,
    pub(crate) by: By,
    pub(crate) log: Log,
}

/// What a turn did beside the state that it left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// The acts of the turn before.
    pub(crate) prev: Vec<Act>,
    /// Records that were touched, in order; the last time counts.
    pub(crate) touched: Vec<String>,
    /// Fields that changed.
    pub(crate) changed: Vec<(String, String)>,
    /// Records that the turn program made.
    pub(crate) made: Vec<String>,
    /// The fields that came with a record that the turn program made.
    pub(crate) given: HashMap<String, Vec<String>>,
    /// The acts so far.
    pub(crate) acts: Vec<Act>,
    /// Whether `show` was used.
    pub(crate) shown: bool,
    /// Why a human takes over.
    pub(crate) handoff: Option<String>,
    /// Whether the last question is asked again.
    pub(crate) repeat: bool,
    /// What is wrong with the sheets and no act says.
    pub(crate) problems: Vec<Problem>,
    /// How the values of accepted proposals and adopted records came about, and where what failed
    /// is written.
    pub(crate) notes: Vec<String>,
}

impl<'s> Desk<'s> {
    /// The desk for the turn program that follows a state: the next turn has begun, and what
    /// was invalid in the last one is forgotten (step 1 of section 3.2).
    pub fn open(sheets: &'s Sheets, before: &State) -> Self {
        let mut state = before.clone();
        state.turn += 1;
        for record in &mut state.records {
            if let Some(task) = record.task_mut() {
                for slot in task.fields.values_mut() {
                    slot.invalid = None;
                    if slot.asked > 0 {
                        slot.stale = None;
                    }
                }
            }
        }
        let prev = std::mem::take(&mut state.acts);
        Self {
            sheets,
            state,
            by: By::User,
            log: Log {
                prev,
                ..Log::default()
            },
        }
    }

    /// The state as it is now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Carries out one operation. What it gives is the variable of a new record or query.
    pub fn apply(&mut self, op: &Op) -> Result<Option<String>, Refused> {
        let before = (self.state.clone(), self.log.clone());
        let done = self.carry_out(op);
        if done.is_err() {
            (self.state, self.log) = before;
        }
        done
    }

    fn carry_out(&mut self, op: &Op) -> Result<Option<String>, Refused> {
        let agent = self.by == By::Agent;
        match op {
            Op::New { sheet, fields } => return self.make(sheet, fields).map(Some),
            Op::Set {
                record,
                field,
                value,
            } => self.set(record, field, value)?,
            Op::Answer { question } => return Ok(Some(self.ask(question))),
            Op::Param {
                record,
                field,
                value,
            } => self.param(record, field, value)?,
            Op::Accept(record) => self.accept(record)?,
            Op::Reject(record) | Op::Exit(record) => self.exit(record)?,
            Op::Show(record) => {
                self.known(record)?;
                self.log.shown = true;
                self.act(Act::Report(record.clone()));
            }
            Op::Say { text, verbatim } if agent => {
                let (text, verbatim) = (text.clone(), *verbatim);
                self.act(Act::Say { text, verbatim });
            }
            Op::Propose { sheet, fields } if agent => return self.propose(sheet, fields),
            Op::Handoff(reason) => {
                let reason = match (reason.trim(), agent) {
                    ("", false) => "the user asks for a person",
                    ("", true) => "an action asks for a person",
                    (reason, _) => reason,
                };
                self.log.handoff = Some(reason.to_owned());
            }
            Op::Repeat if !agent => self.log.repeat = true,
            Op::Say { .. } => return Err(unknown("say")),
            Op::Propose { .. } => return Err(unknown("propose")),
            Op::Repeat => return Err(unknown("repeat")),
        }
        Ok(None)
    }

    /// An act, once.
    pub(crate) fn act(&mut self, act: Act) {
        if !self.log.acts.contains(&act) {
            self.log.acts.push(act);
        }
    }

    pub(crate) fn view(&self) -> View<'_> {
        View::new(self.sheets, &self.state)
    }

    fn known(&self, var: &str) -> Result<&Record, Refused> {
        self.state
            .get(var)
            .ok_or_else(|| Refused::new("NameError", format!("there is no record {var}")))
    }

    /// A record that is neither done nor exited.
    fn writable(&self, var: &str) -> Result<&Record, Refused> {
        let record = self.known(var)?;
        if record.is_closed() {
            let status = record.status.name();
            return Err(Refused::new(
                "ClosedWorksheet",
                format!("{var} is {status}"),
            ));
        }
        Ok(record)
    }

    fn touch(&mut self, var: &str) {
        if self.by == By::User {
            self.log.touched.push(var.to_owned());
        }
    }

    /// A new query. An older one that waits for a parameter is exited, and what stood for
    /// it stands for the new one.
    fn ask(&mut self, question: &str) -> String {
        let var = self.free("answer", 1);
        let mut waiting = Vec::new();
        for record in &mut self.state.records {
            let waits = record
                .query()
                .is_some_and(|query| !query.missing.is_empty());
            if waits && record.status == Status::Open {
                record.status = Status::Exited;
                waiting.push(record.var.clone());
            }
        }
        for record in &mut self.state.records {
            let closed = record.is_closed();
            let Some(task) = record.task_mut().filter(|_| !closed) else {
                continue;
            };
            for slot in task.fields.values_mut() {
                if matches!(&slot.value, Some(Value::Result(old)) if waiting.contains(old)) {
                    slot.value = Some(Value::Result(var.clone()));
                }
            }
        }
        self.state.records.push(Record {
            var: var.clone(),
            status: Status::Open,
            body: Body::Query(Query {
                question: question.to_owned(),
                ..Query::default()
            }),
        });
        var
    }

    fn param(&mut self, var: &str, name: &str, value: &serde_json::Value) -> Result<(), Refused> {
        let record = self.known(var)?;
        let Some(query) = record.query() else {
            return Err(Refused::new("TypeError", format!("{var} is no query")));
        };
        if record.status == Status::Exited {
            return Err(Refused::new("ClosedWorksheet", format!("{var} is exited")));
        }
        let found = query
            .missing
            .iter()
            .position(|column| column == name || column.rsplit('.').next() == Some(name));
        let Some(found) = found else {
            let waits = match query.missing.as_slice() {
                [] => "for nothing".to_owned(),
                missing => format!("for {}", missing.join(", ")),
            };
            return Err(Refused::new(
                "AttributeError",
                format!("{var} does not wait for {name}, but {waits}"),
            ));
        };
        if let Some(query) = self.state.query_mut(var) {
            let column = query.missing.remove(found);
            query.params.insert(column, value.clone());
        }
        Ok(())
    }
}

fn unknown(name: &str) -> Refused {
    Refused::new("NameError", format!("name '{name}' is not defined"))
}
