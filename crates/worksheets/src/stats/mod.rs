//! Where people stop (section 13.8): what was asked how often, and what came of it, from the
//! states between the turns of dialogues.

mod text;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

use crate::act::Act;
use crate::sheets::{FieldKind, Sheets};
use crate::state::{State, Status, Task};

/// What became of one field, in all dialogues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FieldStats {
    /// Turns that asked for it or put its value to the user.
    pub asked: u64,
    /// Times that it got a value where it had none.
    pub answered: u64,
    /// Times that the user would rather not say.
    pub refused: u64,
    /// Times that its value was not taken.
    pub invalid: u64,
    /// Times that its value became another one.
    pub corrected: u64,
    /// Times that a change of an earlier field took its value away.
    pub stale: u64,
    /// Records given up, or dialogues ended, while it was the question.
    pub given_up: u64,
    /// Times that a person took over while it was the question.
    pub handed_off: u64,
}

/// What became of the records of one sheet, in all dialogues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SheetStats {
    /// Records that were made, or proposed and taken up.
    pub begun: u64,
    /// Records that were done.
    pub finished: u64,
    /// Records that were given up, or open when their dialogue ended.
    pub given_up: u64,
    /// Turns in which a call or an action failed.
    pub failed: u64,
    /// Times that a person took over while one of its fields was the question.
    pub handed_off: u64,
}

/// Counts over the turns of dialogues.
///
/// ```
/// use serde_json::json;
/// use worksheets::{Format, Stats, read};
///
/// let csv = "WS Name,Kind,Type,Name,Required\nOrder,task,,,\n,input,int,count,TRUE\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let mut stats = Stats::new(&sheets);
/// let order = json!([{"var": "order", "sheet": "Order", "fields": {"count": {"asked": 1}}}]);
/// let turn = json!({
///     "before": {"turn": 0, "records": [], "focus": [], "acts": []},
///     "after": {"turn": 1, "records": order, "focus": ["order"], "acts": ["Ask(order, count)"]},
/// });
/// stats.recorded(&turn).unwrap();
/// stats.end();
/// assert_eq!(stats.field("Order", "count").given_up, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Stats<'s> {
    sheets: &'s Sheets,
    dialogues: u64,
    turns: u64,
    by_field: BTreeMap<(String, String), FieldStats>,
    by_sheet: BTreeMap<String, SheetStats>,
    /// The state after the last turn of the dialogue that goes on.
    last: Option<State>,
}

impl<'s> Stats<'s> {
    /// Nothing is counted yet.
    pub fn new(sheets: &'s Sheets) -> Self {
        Self {
            sheets,
            dialogues: 0,
            turns: 0,
            by_field: BTreeMap::new(),
            by_sheet: BTreeMap::new(),
            last: None,
        }
    }

    /// Counts a recorded turn: `{"before": state, "after": state}` as conformance cases have
    /// them; further keys are left alone. A turn that nothing precedes begins a dialogue.
    pub fn recorded(&mut self, turn: &Json) -> Result<(), String> {
        let of = |key: &str| {
            let state = turn
                .get(key)
                .ok_or(format!("the turn has no state {key}"))?;
            State::of(state).map_err(|why| format!("{key}: {why}"))
        };
        let (before, after) = (of("before")?, of("after")?);
        self.turn(&before, &after);
        Ok(())
    }

    /// Counts a turn by the states around it.
    pub fn turn(&mut self, before: &State, after: &State) {
        if before.turn == 0 {
            self.end();
        }
        self.turns += 1;
        let question = question(before);
        for record in &after.records {
            let Some(task) = record.task() else { continue };
            let old = before.get(&record.var);
            let was = old.map(|record| record.status);
            let begun = matches!(was, None | Some(Status::Proposed))
                && !matches!(record.status, Status::Proposed | Status::Exited);
            let ended = was != Some(record.status);
            let failed = task.failed.is_some()
                && old
                    .and_then(|r| r.task())
                    .is_none_or(|old| old.failed != task.failed);
            let counts = self.sheet_mut(&task.sheet);
            counts.begun += u64::from(begun);
            counts.finished += u64::from(ended && record.status == Status::Done);
            counts.failed += u64::from(failed);
            if ended && record.status == Status::Exited && was == Some(Status::Open) {
                counts.given_up += 1;
                if let Some((asked, field)) = question
                    .as_ref()
                    .filter(|(asked, _)| before.root(asked) == before.root(&record.var))
                    && *asked == record.var
                {
                    self.field_mut(&task.sheet, field).given_up += 1;
                }
            }
            self.slots(old.and_then(|record| record.task()), task);
        }
        for act in &after.acts {
            match act {
                Act::Ask(record, field) | Act::Confirm(record, field) => {
                    if let Some((_, task)) = after.task(record) {
                        self.field_mut(&task.sheet.clone(), field).asked += 1;
                    }
                }
                Act::Handoff(_) => {
                    if let Some((record, field)) = &question
                        && let Some((_, task)) = before.task(record)
                    {
                        self.field_mut(&task.sheet, field).handed_off += 1;
                        self.sheet_mut(&task.sheet).handed_off += 1;
                    }
                }
                _ => {}
            }
        }
        self.last = Some(after.clone());
    }

    /// The dialogue is over: what is open, and what was asked last, is given up.
    pub fn end(&mut self) {
        let Some(last) = self.last.take() else { return };
        self.dialogues += 1;
        for record in last
            .records
            .iter()
            .filter(|record| record.status == Status::Open)
        {
            let Some(task) = record.task() else { continue };
            // A sheet without call or action stays open when all is said: nothing was given up.
            let complete = self
                .sheets
                .get(&task.sheet)
                .is_some_and(|sheet| !sheet.acts());
            if !complete || question(&last).is_some_and(|(asked, _)| asked == record.var) {
                self.sheet_mut(&task.sheet).given_up += 1;
            }
        }
        if let Some((record, field)) = question(&last)
            && let Some((_, task)) = last.task(&record)
        {
            self.field_mut(&task.sheet, &field).given_up += 1;
        }
    }

    fn slots(&mut self, old: Option<&Task>, task: &Task) {
        for (name, slot) in &task.fields {
            let was = old.and_then(|old| old.fields.get(name));
            let had = was.and_then(|slot| slot.value.as_ref());
            let counts = self.field_mut(&task.sheet, name);
            counts.refused += u64::from(slot.declined && !was.is_some_and(|slot| slot.declined));
            counts.invalid += u64::from(slot.invalid.is_some());
            counts.stale +=
                u64::from(slot.stale.is_some() && was.is_none_or(|was| was.stale.is_none()));
            match (had, &slot.value) {
                (None, Some(_)) => counts.answered += 1,
                (Some(had), Some(has)) if had != has => counts.corrected += 1,
                _ => {}
            }
        }
    }

    fn field_mut(&mut self, sheet: &str, field: &str) -> &mut FieldStats {
        self.by_field
            .entry((sheet.to_owned(), field.to_owned()))
            .or_default()
    }

    fn sheet_mut(&mut self, sheet: &str) -> &mut SheetStats {
        self.by_sheet.entry(sheet.to_owned()).or_default()
    }

    /// The counts of a field.
    pub fn field(&self, sheet: &str, field: &str) -> FieldStats {
        let key = (sheet.to_owned(), field.to_owned());
        self.by_field.get(&key).copied().unwrap_or_default()
    }

    /// The counts of a sheet.
    pub fn sheet(&self, sheet: &str) -> SheetStats {
        self.by_sheet.get(sheet).copied().unwrap_or_default()
    }

    /// How many dialogues have ended, and how many turns there were.
    pub fn size(&self) -> (u64, u64) {
        (self.dialogues, self.turns)
    }

    /// The task sheets with the user's fields, in the order of the owner.
    fn rows(&self) -> impl Iterator<Item = (&'s str, Vec<&'s str>)> {
        let sheets: &'s Sheets = self.sheets;
        let tasks = sheets
            .all()
            .iter()
            .filter(|sheet| sheets.task(&sheet.name).is_some());
        tasks.map(|sheet| {
            let fields = sheet.fields.iter();
            let user = fields.filter(|field| field.kind == FieldKind::Input);
            (
                sheet.name.as_str(),
                user.map(|field| field.name.as_str()).collect(),
            )
        })
    }
}

/// The field that the turn asked for, with its record.
fn question(state: &State) -> Option<(String, String)> {
    state.acts.iter().find_map(|act| match act {
        Act::Ask(record, field) | Act::Confirm(record, field) => {
            state.task(record).map(|_| (record.clone(), field.clone()))
        }
        _ => None,
    })
}
