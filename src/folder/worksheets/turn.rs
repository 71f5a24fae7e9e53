//! The driver of a turn: its program, then queries, actions and backend calls until the agenda
//! knows the acts.

use super::answers::{Answers, Done, Mode};
use super::record::{Kept, Record, ended, place};
use super::stage::Stage;
use super::{Worksheets, query};
use crate::agent::Following;
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::World;
use crate::error::Result;
use crate::exec::Execution;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;
use worksheets::{Agenda, Desk, Effect, Ended, Next, Place, Sheets, State, Type, Value};

/// A turn under way.
pub struct Turn<'a> {
    pub worksheets: &'a Worksheets,
    pub following: Following<'a>,
    /// The formal queries that the program gave with its questions; behind them those that a model
    /// wrote when the turn was played before.
    sql: BTreeMap<String, String>,
    known: BTreeMap<String, String>,
    /// The calls on the backend so far.
    calls: Vec<crate::exec::CallRecord>,
    is_agreed: bool,
}

impl<'a> Turn<'a> {
    /// A turn; `before` is what came of it if it was played before, and no model is there.
    pub fn new(worksheets: &'a Worksheets, following: Following<'a>, before: &Json) -> Self {
        let queries = before["queries"].as_array().into_iter().flatten();
        let known = queries.filter_map(|query| {
            let (var, sql) = (query["var"].as_str()?, query["sql"].as_str()?);
            Some((var.to_owned(), sql.to_owned()))
        });
        Turn {
            worksheets,
            following,
            sql: BTreeMap::new(),
            known: known.collect(),
            calls: Vec::new(),
            is_agreed: true,
        }
    }

    /// Plays the turn from this state. The record has all that is needed to play it again.
    pub async fn play(mut self, before: &State) -> Result<(Execution, Kept, Record)> {
        let sheets: &Sheets = &self.worksheets.sheets;
        let mut desk = Desk::open(sheets, before);
        let (program, nothing) = (self.following.program, Arc::default());
        let (ran, done) = self.run(program, &mut desk, Mode::Turn, &nothing).await?;
        self.sql = done.sql;
        let raised = match &ran.outcome {
            Outcome::Error(error) => Some(json!({"error": error.error, "message": error.message})),
            Outcome::Result(_) => None,
        };
        let how = ended(raised.as_ref());
        let mut agenda = Agenda::begin(desk, before, how.clone(), self.worksheets.settings);
        let mut effects = Vec::new();
        let turned = loop {
            let step = match agenda.next() {
                Next::Acts(turned) => break turned,
                step => step,
            };
            let effect = self.perform(&step, agenda.desk()).await?;
            let mut written = place(&step);
            if let (Json::Object(written), Json::Object(effect)) = (&mut written, effect) {
                written.extend(effect);
            }
            let effect = Effect::of(&written);
            agenda.done(effect.unwrap_or_else(|problem| Effect::Failed {
                error: "RuntimeError".to_owned(),
                message: problem,
            }));
            effects.push(written);
        };
        let kept = Kept::after(turned, &how);
        let record = Record {
            before: before.clone(),
            ops: done.ops,
            raised,
            effects,
            is_agreed: self.is_agreed,
        };
        // A program that failed is shown to the model as one; what follows it is kept all the same.
        let outcome = match ran.outcome {
            Outcome::Error(error) if how == Ended::Failed => Outcome::Error(error),
            _ => Outcome::Result(kept.outcome(&record.effects, None)),
        };
        let execution = Execution {
            outcome,
            calls: self.calls,
            ..ran
        };
        Ok((execution, kept, record))
    }

    /// Runs code, and answers meanwhile what it asks of the dialogue state.
    async fn run<'s>(
        &mut self,
        code: &str,
        desk: &mut Desk<'s>,
        mode: Mode,
        backend: &Arc<BTreeSet<String>>,
    ) -> Result<(Execution, Done)>
    where
        'a: 's,
    {
        let (sender, mut asks) = unbounded_channel();
        let stage: Arc<dyn World> = Arc::new(Stage {
            world: self.following.world.clone(),
            backend: backend.clone(),
            asks: sender,
        });
        let mut answers = Answers {
            sheets: &self.worksheets.sheets,
            desk,
            mode,
            done: Done::default(),
        };
        let execution = {
            let running = self.following.run(code, &stage);
            tokio::pin!(running);
            loop {
                tokio::select! {
                    biased;
                    Some(ask) = asks.recv() => {
                        let answer = answers.answer(&ask.operation, &ask.params);
                        // A program at its limit does not wait for it.
                        let _ = ask.answer.send(answer);
                    }
                    execution = &mut running => break execution?,
                }
            }
        };
        let calls = execution.calls.iter();
        let calls = calls.filter(|call| self.worksheets.backend.contains(&call.operation));
        self.calls.extend(calls.cloned());
        Ok((execution, answers.done))
    }

    /// Carries out a step; what came of it, in the form of the conformance cases.
    async fn perform(&mut self, step: &Next, mut desk: Desk<'_>) -> Result<Json> {
        match step {
            Next::Query { query, text } => {
                let sql = self.sql.get(query).or(self.known.get(query)).cloned();
                let got = query::answered(self, (query, text), sql, desk.state()).await?;
                Ok(json!({ "got": got }))
            }
            Next::Action { place, code, sheet } => {
                let me = match place {
                    Place::Field(record, _) | Place::Record(record) => {
                        Value::Record(record.clone())
                    }
                    Place::Row(query, at) => Value::Row(query.clone(), *at),
                };
                let before = self.writes();
                let backend = self.worksheets.backend.clone();
                let ran = self
                    .run(code, &mut desk, Mode::Action(me), &backend)
                    .await?;
                self.is_agreed &= self.writes() == before;
                let (execution, done) = ran;
                Ok(match execution.outcome {
                    Outcome::Result(_) => json!({"sheet": sheet, "ops": done.ops}),
                    Outcome::Error(error) => failed(&error),
                })
            }
            Next::Call { record, code, .. } => {
                let is_confirmed = is_confirmed(&self.worksheets.sheets, desk.state(), record);
                let code = format!("return (\n{code}\n)");
                let before = self.writes();
                let backend = self.worksheets.backend.clone();
                let mode = Mode::Call(record.clone());
                let (execution, done) = self.run(&code, &mut desk, mode, &backend).await?;
                self.is_agreed &= is_confirmed || self.writes() == before;
                let mut effect = match execution.outcome {
                    Outcome::Result(result) => json!({ "result": result }),
                    Outcome::Error(error) => match field_error(&error) {
                        Some((field, message)) => json!({"field": field, "message": message}),
                        None => failed(&error),
                    },
                };
                effect["made"] = json!(done.calls);
                Ok(effect)
            }
            Next::Acts(_) => Ok(Json::Object(Map::new())),
        }
    }

    /// How many calls wrote so far.
    fn writes(&self) -> usize {
        let calls = self.calls.iter();
        let writing = &self.worksheets.writing;
        calls
            .filter(|call| writing.contains(&call.operation))
            .count()
    }
}

/// Whether a record has a confirm field that the user has said yes to.
fn is_confirmed(sheets: &Sheets, state: &State, record: &str) -> bool {
    let Some((_, task)) = state.task(record) else {
        return false;
    };
    let fields = sheets
        .get(&task.sheet)
        .map_or(&[][..], |sheet| &sheet.fields);
    let mut confirms = fields.iter().filter(|field| field.ty == Type::Confirm);
    confirms.any(|field| {
        let slot = task.fields.get(&field.name);
        slot.is_some_and(|slot| slot.value == Some(Value::Plain(true.into())))
    })
}

fn failed(error: &ProgramError) -> Json {
    json!({"error": error.error, "message": error.message})
}

/// The field and the message of a `FieldError(field, message)`.
fn field_error(error: &ProgramError) -> Option<(String, String)> {
    if error.error != "FieldError" {
        return None;
    }
    let (field, message) = error.message.split_once(": ")?;
    Some((field.to_owned(), message.to_owned()))
}
