use std::fmt;

use super::{Agenda, Effect, Next, Place};
use crate::act::Act;
use crate::consent;
use crate::desk::Desk;
use crate::fit::{self, Fitted};
use crate::judge;
use crate::predicate::View;
use crate::sheets::{FieldKind, Sheet, Type};
use crate::state::{Failed, Slot, Status, Value};

/// A step of the loop whose effect is awaited.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pending {
    Query(String),
    RowAction {
        query: String,
        sheet: String,
    },
    FieldAction {
        record: String,
        field: String,
    },
    Call(String),
    /// The sheet's action, after its call or without one.
    SheetAction {
        record: String,
        called: bool,
    },
}

impl fmt::Display for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Query(query) => write!(f, "query {query}"),
            Self::RowAction { query, sheet } => write!(f, "action of {sheet} on {query}[0]"),
            Self::FieldAction { record, field } => write!(f, "action of {record}.{field}"),
            Self::Call(record) => write!(f, "call of {record}"),
            Self::SheetAction { record, .. } => write!(f, "action of {record}"),
        }
    }
}

impl<'s> Agenda<'s> {
    /// The first step that applies (section 3.3).
    pub(super) fn step(&self) -> Option<Pending> {
        let state = &self.desk.state;
        let query = state.records.iter().find(|record| {
            record.status == Status::Open
                && record.query().is_some_and(|query| query.missing.is_empty())
        });
        if let Some(query) = query {
            return Some(Pending::Query(query.var.clone()));
        }
        let view = self.desk.view();
        let open: Vec<usize> = (0..state.records.len())
            .filter(|&at| state.records[at].status == Status::Open && view.sheet(at).is_some())
            .filter(|&at| view.awake(at))
            .collect();
        for &at in &open {
            let Some(sheet) = view.sheet(at) else {
                continue;
            };
            for (place, field) in sheet.fields.iter().enumerate() {
                if !field.action.is_empty() && is_ready(&view, at, place) {
                    return Some(Pending::FieldAction {
                        record: state.records[at].var.clone(),
                        field: field.name.clone(),
                    });
                }
            }
        }
        let at = open.into_iter().find(|&at| {
            let failed = state.records[at]
                .task()
                .is_none_or(|task| task.failed.is_some());
            !failed && view.sheet(at).is_some_and(Sheet::acts) && view.complete(at)
        })?;
        let record = state.records[at].var.clone();
        Some(match view.sheet(at) {
            Some(sheet) if sheet.backend.is_empty() => Pending::SheetAction {
                record,
                called: false,
            },
            _ => Pending::Call(record),
        })
    }

    pub(super) fn describe(&self, pending: &Pending) -> Next {
        let state = &self.desk.state;
        let sheet = |record: &str| {
            let task = state.task(record).map(|(_, task)| task);
            task.and_then(|task| self.sheets().get(&task.sheet))
        };
        let action = |place, sheet: Option<&Sheet>, code: Option<&str>| Next::Action {
            place,
            sheet: sheet.map(|sheet| sheet.name.clone()).unwrap_or_default(),
            code: code.unwrap_or_default().to_owned(),
        };
        match pending {
            Pending::Query(query) => Next::Query {
                query: query.clone(),
                text: state.query(query).map(|q| q.text()).unwrap_or_default(),
            },
            Pending::RowAction { query, sheet } => {
                let sheet = self.sheets().get(sheet);
                let code = sheet.map(|sheet| sheet.action.as_str());
                action(Place::Row(query.clone(), 0), sheet, code)
            }
            Pending::FieldAction { record, field } => {
                let code = self.desk.field(record, field).map(|f| f.action.as_str());
                let place = Place::Field(record.clone(), field.clone());
                action(place, sheet(record), code)
            }
            Pending::SheetAction { record, .. } => {
                let sheet = sheet(record);
                let code = sheet.map(|sheet| sheet.action.as_str());
                action(Place::Record(record.clone()), sheet, code)
            }
            Pending::Call(record) => {
                let code = sheet(record).map(|s| s.backend.clone()).unwrap_or_default();
                Next::Call {
                    consent: consent::digest(self.sheets(), state, record),
                    record: record.clone(),
                    code,
                    values: consent::values(self.sheets(), state, record),
                }
            }
        }
    }

    /// A field's action has run for its value, whatever comes of it.
    pub(super) fn prepare(&mut self, pending: &Pending) {
        if let Pending::FieldAction { record, field } = pending
            && let Some(slot) = self.desk.state.slot_mut(record, field)
        {
            slot.acted = true;
        }
    }

    /// Says what came of the last [`Next`]. An effect of another kind than what was needed
    /// counts as a failure that says so.
    pub fn done(&mut self, effect: Effect) {
        let Some(pending) = self.pending.take() else {
            return;
        };
        let step = pending.clone();
        match pending {
            Pending::Query(query) => self.answered(&query, effect),
            Pending::RowAction { .. } => {
                let before = self.desk.clone();
                if let Err(failed) = self.acted(effect) {
                    self.desk = before;
                    let problem = self.failed_action(&step, &failed);
                    self.desk.log.problems.push(problem);
                }
            }
            Pending::FieldAction { record, .. } => {
                let before = self.desk.clone();
                if let Err(failed) = self.acted(effect) {
                    self.desk = before;
                    self.note(&step, &failed);
                    self.fail(&record, failed);
                }
            }
            Pending::Call(record) => self.called(&record, effect),
            Pending::SheetAction { record, called } => {
                let before = self.desk.clone();
                match self.acted(effect) {
                    Ok(()) if called => {}
                    Ok(()) => self.desk.finish(&record),
                    Err(failed) => {
                        self.desk = before;
                        self.note(&step, &failed);
                        self.fail(&record, failed);
                    }
                }
                self.stand_in(&record);
            }
        }
        self.desk.settle_changes();
    }

    fn answered(&mut self, var: &str, effect: Effect) {
        let status = match &effect {
            Effect::Rows { .. } => Status::Done,
            Effect::Missing { missing, .. } if !missing.is_empty() => Status::Open,
            _ => Status::Failed,
        };
        let one = matches!(&effect, Effect::Rows { rows, .. } if rows.len() == 1);
        let mut asked = Vec::new();
        let Some(record) = self.desk.state.record_mut(var) else {
            return;
        };
        record.status = status;
        if let Some(query) = record.query_mut() {
            match effect {
                Effect::Rows {
                    tables,
                    sql,
                    rows,
                    total,
                } => {
                    asked.clone_from(&tables);
                    query.tables = tables;
                    query.sql = sql;
                    query.rows = rows;
                    query.total = Some(total);
                }
                Effect::Missing { tables, missing } if status == Status::Open => {
                    query.tables = tables;
                    query.missing = missing;
                    return;
                }
                Effect::NoAnswer(error) => query.error = Some(error),
                Effect::Failed { error, message } => {
                    query.error = Some(format!("{error}: {message}"));
                }
                other => query.error = Some(format!("the host gave no rows, but {other:?}")),
            }
        }
        self.desk.act(Act::Report(var.to_owned()));
        self.desk.resolve(var);
        if one {
            for sheet in self.row_types(&asked) {
                let query = var.to_owned();
                self.queue.push_back(Pending::RowAction { query, sheet });
            }
        }
    }

    /// The row types of tables that have an action.
    fn row_types(&self, tables: &[String]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for table in tables {
            for row in self.sheets().get(table).into_iter().flat_map(|kb| &kb.rows) {
                let acts = self.sheets().get(row).is_some_and(|s| !s.action.is_empty());
                if acts && !out.contains(row) {
                    out.push(row.clone());
                }
            }
        }
        out
    }

    fn acted(&mut self, effect: Effect) -> Result<(), Failed> {
        match effect {
            Effect::Ops(ops) => self.apply_all(&ops).map_err(|refused| Failed {
                error: refused.error.to_owned(),
                message: refused.message,
            }),
            other => Err(failure(other)),
        }
    }

    fn called(&mut self, record: &str, effect: Effect) {
        match effect {
            Effect::Result(result) => {
                if let Some(task) = self.desk.state.task_mut(record) {
                    task.result = (!result.is_null()).then_some(result);
                }
                self.fill_outputs(record);
                self.desk.act(Act::Report(record.to_owned()));
                self.desk.finish(record);
                let task = self.desk.state.task(record).map(|(_, task)| task);
                let sheet = task.and_then(|task| self.sheets().get(&task.sheet));
                if sheet.is_some_and(|sheet| !sheet.action.is_empty()) {
                    self.queue.push_back(Pending::SheetAction {
                        record: record.to_owned(),
                        called: true,
                    });
                } else {
                    self.stand_in(record);
                }
            }
            Effect::FieldError { field, message } if self.may_be_asked(record, &field) => {
                if let Some(slot) = self.desk.state.slot_mut(record, &field) {
                    let value = slot.value.take();
                    *slot = Slot::default();
                    slot.invalid = Some(crate::state::Invalid {
                        value: value.as_ref().map(Value::json).unwrap_or_default(),
                        why: message,
                    });
                    if let Some(Value::Record(var)) = value {
                        self.desk.close(&var);
                    }
                }
                self.desk.unconfirm(record);
            }
            other => self.fail(record, failure(other)),
        }
    }

    /// Whether the user can be asked for a field again. An error at any other field is a failure:
    /// else nothing would keep the call from being made again and again.
    fn may_be_asked(&self, record: &str, field: &str) -> bool {
        let view = self.desk.view();
        view.place(record).is_some_and(|at| {
            view.sheet(at).is_some_and(|sheet| {
                sheet.field(field).is_some_and(|place| {
                    sheet.fields[place].kind == FieldKind::Input && view.active(at, place)
                })
            })
        })
    }

    /// Output fields take what the answer has under their names.
    fn fill_outputs(&mut self, record: &str) {
        let Some((_, task)) = self.desk.state.task(record) else {
            return;
        };
        let (result, sheet) = (task.result.clone(), self.sheets().get(&task.sheet));
        let (Some(result), Some(sheet)) = (result, sheet) else {
            return;
        };
        for field in sheet.fields.iter().filter(|f| f.kind == FieldKind::Output) {
            let Some(entry) = result.get(&field.name).filter(|entry| !entry.is_null()) else {
                continue;
            };
            let given = match entry {
                serde_json::Value::Array(items) => {
                    Value::List(items.iter().cloned().map(Value::Plain).collect())
                }
                other => Value::Plain(other.clone()),
            };
            let fitted = fit::fit(self.sheets(), &self.desk.state, field, &given);
            let value = match fitted {
                Fitted::Value(value) => value,
                _ => given,
            };
            if let Some(slot) = self.desk.state.slot_mut(record, &field.name) {
                *slot = Slot {
                    value: Some(value),
                    ..Slot::default()
                };
            }
        }
    }

    /// A call or an action failed (section 3.4).
    fn fail(&mut self, record: &str, failed: Failed) {
        let root = self.desk.state.root(record).to_owned();
        if let Some(task) = self.desk.state.task_mut(record) {
            task.failed = Some(failed);
        }
        self.desk.unconfirm(record);
        self.desk.act(Act::Report(record.to_owned()));
        self.failed.push(root);
    }

    /// What stands for the result of a record that is done gets it.
    fn stand_in(&mut self, record: &str) {
        let done = self
            .desk
            .state
            .get(record)
            .is_some_and(|r| r.status == Status::Done);
        if done {
            self.desk.resolve(record);
        }
    }
}

/// Whether a field's action is to run: it has not run for the value, and the value is there
/// and counts (section 1.6).
fn is_ready(view: &View<'_>, record: usize, place: usize) -> bool {
    let (Some(sheet), Some(slot)) = (view.sheet(record), view.stored(record, place)) else {
        return false;
    };
    let field = &sheet.fields[place];
    if slot.acted || !view.active(record, place) {
        return false;
    }
    match &slot.value {
        None => slot.declined,
        Some(value) if fit::waits(view.state, field, value) => false,
        Some(value) if field.ty == Type::Confirm => judge::is_true(Some(value)),
        Some(Value::Record(var)) => view
            .place(var)
            .is_some_and(|at| view.state.records[at].status == Status::Done || view.complete(at)),
        Some(_) => slot.confirmed || !field.confirm,
    }
}

fn failure(effect: Effect) -> Failed {
    match effect {
        Effect::Failed { error, message } => Failed { error, message },
        Effect::FieldError { field, message } => Failed {
            error: "FieldError".to_owned(),
            message: format!("{field}: {message}"),
        },
        Effect::NoAnswer(message) => Failed {
            error: "HostError".to_owned(),
            message,
        },
        other => Failed {
            error: "HostError".to_owned(),
            message: format!("what came back is of another kind: {other:?}"),
        },
    }
}

impl Desk<'_> {
    /// Roots that were touched go to the top of the focus, in the order of touching.
    pub(super) fn focus(&mut self) {
        let touched = std::mem::take(&mut self.log.touched);
        for var in &touched {
            if self.state.get(var).is_none() {
                continue;
            }
            let root = self.state.root(var).to_owned();
            self.state.focus.retain(|other| *other != root);
            self.state.focus.push(root);
        }
        self.keep_open();
    }

    fn keep_open(&mut self) {
        let focus = std::mem::take(&mut self.state.focus);
        for var in focus {
            let open = self
                .state
                .get(&var)
                .is_some_and(|r| r.status == Status::Open);
            if open && self.state.holder(&var).is_none() {
                self.state.focus.push(var);
            }
        }
    }

    /// Empty slots go, the others stand in sheet order, the focus keeps open roots.
    pub(super) fn tidy(&mut self) {
        let sheets = self.sheets;
        for record in &mut self.state.records {
            let Some(task) = record.task_mut() else {
                continue;
            };
            task.fields.retain(|_, slot| !slot.is_empty());
            if let Some(sheet) = sheets.get(&task.sheet) {
                task.fields.sort_by_cached_key(|name, _| sheet.field(name));
            }
        }
        self.keep_open();
    }
}
