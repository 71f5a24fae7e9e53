//! The driver of a turn: its program, then queries, actions and backend calls until the agenda
//! knows the acts.

use super::answers::{Answers, Done, Mode};
use super::record::{Kept, Record, WROTE, ended, place};
use super::stage::Stage;
use super::{Worksheets, query};
use crate::agent::Following;
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::World;
use crate::error::Result;
use crate::exec::{CallRecord, Execution};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;
use worksheets::program::Called;
use worksheets::{Agenda, Desk, Effect, Ended, Next, Place, Sheets, State, Type, Value};

/// A turn under way.
pub struct Turn<'a> {
    pub worksheets: &'a Worksheets,
    pub following: Following<'a>,
    /// The formal queries that the program gave with its questions.
    sql: BTreeMap<String, String>,
    /// The queries of the turn when it was played before, with what came of them.
    known: BTreeMap<String, Json>,
    /// The calls on the backend so far.
    calls: Vec<CallRecord>,
    is_agreed: bool,
    /// Whether the call at hand, with its values, is the one that the user was asked about.
    is_shown: bool,
}

impl<'a> Turn<'a> {
    /// A turn; `before` is what came of it if it was played before, and no model is there.
    pub fn new(worksheets: &'a Worksheets, following: Following<'a>, before: &Json) -> Self {
        let queries = before["queries"].as_array().into_iter().flatten();
        let known =
            queries.filter_map(|query| Some((query["var"].as_str()?.to_owned(), query.clone())));
        Turn {
            worksheets,
            following,
            sql: BTreeMap::new(),
            known: known.collect(),
            calls: Vec::new(),
            is_agreed: true,
            is_shown: false,
        }
    }

    /// Plays the turn from this state. The record has all that is needed to play it again.
    pub async fn play(mut self, before: &Kept) -> Result<(Execution, Kept, Record)> {
        let Kept {
            state: before,
            consents,
            ..
        } = before;
        let sheets: &Sheets = &self.worksheets.sheets;
        let mut desk = Desk::open(sheets, before);
        let (program, world) = (self.following.program, self.following.world);
        let (ran, done) = self.run(program, &mut desk, Mode::Turn, world).await?;
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
            if let Next::Call {
                record, consent, ..
            } = &step
            {
                self.is_shown = consent.is_some() && consents.get(record) == consent.as_ref();
            }
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
        let kept = Kept::after(&self.worksheets.digest, turned, &how).asking(sheets, consents);
        let record = Record {
            before: before.clone(),
            ops: done.ops,
            raised,
            effects,
            is_agreed: self.is_agreed,
            consents: consents.clone(),
        };
        // A program that failed is shown to the model as one; what follows it is kept all the same.
        let outcome = match ran.outcome {
            Outcome::Error(error) if how == Ended::Failed => Outcome::Error(error),
            _ => Outcome::Result(kept.outcome(&record.effects, None)),
        };
        let execution = Execution {
            outcome,
            calls: self.calls.into(),
            ..ran
        };
        Ok((execution, kept, record))
    }

    /// Runs the owner's code for an action or a call. What it did to the world before it failed
    /// was never done: it runs on a copy first, unless the world has none.
    async fn run_whole<'s>(
        &mut self,
        code: &str,
        desk: &mut Desk<'s>,
        mode: Mode,
    ) -> Result<(Execution, Done)>
    where
        'a: 's,
    {
        let world = self.following.world;
        if let Some(copy) = world.fork() {
            let mut trial = desk.clone();
            let (execution, done) = self.run(code, &mut trial, mode.clone(), &copy).await?;
            if execution.outcome.is_error() || !self.wrote(&execution.calls) {
                *desk = trial;
                let calls = execution.calls.iter();
                let unmade = |call: &&CallRecord| !self.is_write(call);
                let calls: Vec<CallRecord> = calls.filter(unmade).cloned().collect();
                self.calls.extend(calls);
                return Ok((execution, done));
            }
        }
        let (execution, done) = self.run(code, desk, mode, world).await?;
        self.calls.extend(execution.calls.iter().cloned());
        Ok((execution, done))
    }

    /// Runs code, and answers meanwhile what it asks of the dialogue state. Only the owner's code
    /// reaches the world, whose calls the execution has.
    async fn run<'s>(
        &mut self,
        code: &str,
        desk: &mut Desk<'s>,
        mode: Mode,
        world: &Arc<dyn World>,
    ) -> Result<(Execution, Done)>
    where
        'a: 's,
    {
        let (sender, mut asks) = unbounded_channel();
        let backend = match mode {
            Mode::Turn => Arc::default(),
            Mode::Action(_) | Mode::Call(_) => self.worksheets.backend.clone(),
        };
        let stage: Arc<dyn World> = Arc::new(Stage {
            world: world.clone(),
            backend,
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
        let backend = &self.worksheets.backend;
        let calls = execution.calls.iter();
        let calls = calls.filter(|call| backend.contains(&call.operation));
        let execution = Execution {
            calls: calls.cloned().collect(),
            ..execution
        };
        Ok((execution, answers.done))
    }

    /// Carries out a step; what came of it, in the form of the conformance cases.
    async fn perform(&mut self, step: &Next, mut desk: Desk<'_>) -> Result<Json> {
        match step {
            Next::Query { query, text } => {
                let sql = self.sql.get(query).map(String::as_str);
                let asked = (query.as_str(), text.as_str());
                let known = (sql, self.known.get(query));
                let got = query::answered(self, asked, known, desk.state()).await?;
                Ok(json!({ "got": got }))
            }
            Next::Action { place, code, sheet } => {
                let me = match place {
                    Place::Field(record, _) | Place::Record(record) => {
                        Value::Record(record.clone())
                    }
                    Place::Row(query, at) => Value::Row(query.clone(), *at),
                };
                let before = self.calls.len();
                let (execution, done) = self.run_whole(code, &mut desk, Mode::Action(me)).await?;
                let wrote = self.wrote(&self.calls[before..]);
                self.is_agreed &= !wrote;
                let mut effect = match execution.outcome {
                    Outcome::Result(_) => json!({"sheet": sheet, "ops": done.ops}),
                    Outcome::Error(error) => failed(&error),
                };
                effect[WROTE] = wrote.into();
                Ok(effect)
            }
            Next::Call { record, code, .. } => {
                let sheets: &Sheets = &self.worksheets.sheets;
                let is_confirmed = is_confirmed(sheets, desk.state(), record);
                let called = Called::of(sheets, desk.state(), record, code);
                let code = format!("return (\n{code}\n)");
                let before = self.calls.len();
                let mode = Mode::Call(record.clone());
                let (execution, done) = self.run_whole(&code, &mut desk, mode).await?;
                let wrote = self.wrote(&self.calls[before..]);
                // What the sandbox called is what was shown, and nothing beside it.
                let is_it = called.is_ok_and(|called| done.calls == [called.to_string()]);
                self.is_agreed &= is_confirmed && self.is_shown && is_it || !wrote;
                let mut effect = match execution.outcome {
                    Outcome::Result(result) => json!({ "result": result }),
                    Outcome::Error(error) => match field_error(&error) {
                        Some((field, message)) => json!({"field": field, "message": message}),
                        None => failed(&error),
                    },
                };
                effect["made"] = json!(done.calls);
                effect[WROTE] = wrote.into();
                Ok(effect)
            }
            Next::Acts(_) => Ok(Json::Object(Map::new())),
        }
    }

    /// Whether a call of the backend changed the world, or may have.
    fn is_write(&self, call: &CallRecord) -> bool {
        self.worksheets.writing.contains(&call.operation) && call.error.is_none()
    }

    /// Whether one of these calls did.
    fn wrote(&self, calls: &[CallRecord]) -> bool {
        calls.iter().any(|call| self.is_write(call))
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
