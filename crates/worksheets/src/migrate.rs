//! Sheets that change while people talk (section 13.7).

use std::fmt;

use crate::fit::{self, Fitted};
use crate::sheets::{Column, Sheet, SheetKind, Sheets, Type};
use crate::state::{Slot, State, Status, Value};

/// What became of a part of a state under changed sheets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The record and field.
    pub place: String,
    /// What happened to it, for the user or the log.
    pub what: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// A state under changed sheets: what still fits is kept, what does not is asked again. The
/// error says which cell makes the state unusable: an open record's sheet that is gone.
///
/// ```
/// use serde_json::json;
/// use worksheets::{Format, State, migrate, read};
///
/// let sheets = read(b"WS Name,Kind,Type,Name\nA,task,,\n,input,int,x\n", Format::Csv).unwrap();
/// let state = State::of(&json!({"records": [
///     {"var": "a", "sheet": "A", "fields": {"x": {"value": "many"}, "y": {"value": 1}}},
/// ]})).unwrap();
/// let (state, changes) = migrate(&state, &sheets).unwrap();
/// assert_eq!(changes[0].to_string(), "a.x: \"many\" is asked again: not an integer");
/// assert_eq!(changes[1].to_string(), "a.y: the field is gone, with its value 1");
/// assert!(state.task("a").unwrap().1.fields.is_empty());
/// ```
pub fn migrate(state: &State, sheets: &Sheets) -> Result<(State, Vec<Change>), String> {
    let mut after = state.clone();
    let mut changes = Vec::new();
    for record in &state.records {
        let Some(task) = record.task() else { continue };
        let found = sheets.get(&task.sheet);
        let Some(sheet) = found.filter(|sheet| sheet.kind == SheetKind::Task) else {
            if record.is_closed() {
                continue;
            }
            let (var, status) = (&record.var, record.status.name());
            return Err(format!(
                "{var} is {status}, and the sheets have no task sheet {} any more, but {}; finish \
                 such dialogues before the sheet goes, or begin anew",
                task.sheet,
                task_sheets(sheets)
            ));
        };
        if !matches!(record.status, Status::Open | Status::Proposed) {
            continue;
        }
        for (name, slot) in &task.fields {
            let place = format!("{}.{name}", record.var);
            let Some(value) = &slot.value else {
                if sheet.field(name).is_none()
                    && let Some(task) = after.task_mut(&record.var)
                {
                    task.fields.shift_remove(name);
                }
                continue;
            };
            let written = crate::text::python(&value.json());
            let what = match sheet.field(name).map(|at| &sheet.fields[at]) {
                None => {
                    if let Some(task) = after.task_mut(&record.var) {
                        task.fields.shift_remove(name);
                    }
                    format!("the field is gone, with its value {written}")
                }
                Some(field) => match fit::fit(sheets, state, field, value) {
                    Fitted::Value(fitted) if fitted == *value => continue,
                    Fitted::Value(fitted) => {
                        let now = crate::text::python(&fitted.json());
                        put(&mut after, &record.var, name, Some(fitted));
                        format!("{written} is {now} now")
                    }
                    Fitted::Empty => {
                        put(&mut after, &record.var, name, None);
                        format!("{written} is asked again")
                    }
                    Fitted::Refused(why) => {
                        put(&mut after, &record.var, name, None);
                        format!("{written} is asked again: {why}")
                    }
                },
            };
            if let Value::Record(held) = value
                && after.holder(held).is_none()
                && let Some(held) = after.record_mut(held)
                && !held.is_closed()
            {
                held.status = Status::Exited;
            }
            // Whoever said yes said it to other values.
            let confirms = sheet
                .fields
                .iter()
                .filter(|field| field.ty == Type::Confirm);
            if let Some(task) = after.task_mut(&record.var) {
                for field in confirms {
                    task.fields.shift_remove(&field.name);
                }
            }
            changes.push(Change { place, what });
        }
    }
    Ok((after, changes))
}

/// The task sheets that there are, each with its cell: the one that is gone may have another name.
fn task_sheets(sheets: &Sheets) -> String {
    let all = sheets.all().iter();
    let all = all.filter(|sheet| sheet.kind == SheetKind::Task);
    let cell = |sheet: &Sheet| sheets.cell(sheet.at, Column::SheetName);
    let all: Vec<String> = all
        .map(|sheet| format!("{} (cell {})", sheet.name, cell(sheet)))
        .collect();
    all.join(", ")
}

fn put(state: &mut State, var: &str, name: &str, value: Option<Value>) {
    if let Some(slot) = state.slot_mut(var, name) {
        *slot = Slot {
            value,
            ..Slot::default()
        };
    }
    if let Some(task) = state.task_mut(var) {
        task.fields.retain(|_, slot| !slot.is_empty());
    }
}
