//! Which cells of the sheets dialogues have reached (section 13.5).

mod page;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::act::Act;
use crate::agenda::{Next, Place, Turned};
use crate::predicate::{Scope, View};
use crate::sheets::{Column, FieldKind, SheetKind, Sheets, Type};
use crate::state::{State, Value};
use crate::text::counted;

/// A cell that no dialogue has reached in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The sheet, or `Sheet.field`; of an act, its kind.
    pub place: String,
    /// What never happened: `never asked`, `never refused`, `never corrected`, `option … never
    /// chosen`, `never true`, `never false`, `action never ran`, `never called`.
    pub what: String,
}

/// What was reached, turn by turn.
#[derive(Clone, Debug)]
pub struct Coverage<'s> {
    sheets: &'s Sheets,
    reached: BTreeSet<(String, String)>,
    counts: BTreeMap<String, u64>,
}

impl<'s> Coverage<'s> {
    /// Nothing is reached yet.
    pub fn new(sheets: &'s Sheets) -> Self {
        Self {
            sheets,
            reached: BTreeSet::new(),
            counts: BTreeMap::new(),
        }
    }

    /// Counts a turn: the states around it, what the agenda needed, and the acts.
    pub fn turn(&mut self, before: &State, needed: &[Next], turned: &Turned) {
        for next in needed {
            self.step(&turned.state, next);
        }
        for performed in &turned.acts {
            let text = performed.act.to_string();
            let kind = text.split('(').next().unwrap_or_default().to_owned();
            self.reach(&kind, "never performed");
            if let Act::Ask(record, field) | Act::Confirm(record, field) = &performed.act
                && let Some(place) = place(&turned.state, record, field)
            {
                self.reach(&place, "never asked");
            }
        }
        self.slots(before, &turned.state);
        self.predicates(before);
        self.predicates(&turned.state);
    }

    /// What was never reached, in the order of the sheets, then the acts.
    pub fn gaps(&self) -> Vec<Gap> {
        self.wanted()
            .into_iter()
            .filter(|cell| !self.reached.contains(cell))
            .map(|(place, what)| Gap { place, what })
            .collect()
    }

    /// How many cells were reached, and how many there are.
    pub fn share(&self) -> (usize, usize) {
        let wanted = self.wanted();
        let reached = wanted.iter().filter(|cell| self.reached.contains(cell));
        (reached.count(), wanted.len())
    }

    /// The gaps as text, one a line, below a line with the share.
    pub fn text(&self) -> String {
        let (reached, all) = self.share();
        let mut out = format!("{reached} of {} reached\n", counted(all, "cell"));
        for gap in self.gaps() {
            out.push_str(&format!("{}: {}\n", gap.place, gap.what));
        }
        out
    }

    /// How often a field was asked, refused, corrected or filled, a sheet called or acted on,
    /// and an act performed, by place.
    pub fn used(&self) -> &BTreeMap<String, u64> {
        &self.counts
    }

    /// The sheets as a page of HTML, with heat by use.
    pub fn html(&self) -> String {
        self.page("Coverage of the sheets", &[])
    }

    /// The page with a title, and lines above the sheets.
    pub(crate) fn page(&self, title: &str, lines: &[String]) -> String {
        let (reached, all) = self.share();
        let share = format!("{reached} of {} reached", counted(all, "cell"));
        let lines: Vec<&str> = lines.iter().map(String::as_str).chain([&*share]).collect();
        page::page(self.sheets, title, &lines, &self.counts, &self.gaps())
    }

    fn reach(&mut self, place: &str, what: &str) {
        *self.counts.entry(place.to_owned()).or_default() += 1;
        self.reached.insert((place.to_owned(), what.to_owned()));
    }

    fn step(&mut self, state: &State, next: &Next) {
        let sheet = |record: &str| state.task(record).map(|(_, task)| task.sheet.clone());
        match next {
            Next::Call { record, .. } => {
                if let Some(sheet) = sheet(record) {
                    self.reach(&sheet, "never called");
                }
            }
            Next::Action { place, sheet, .. } => match place {
                Place::Field(_, field) => {
                    self.reach(&format!("{sheet}.{field}"), "action never ran");
                }
                Place::Record(_) | Place::Row(..) => self.reach(sheet, "action never ran"),
            },
            _ => {}
        }
    }

    fn slots(&mut self, before: &State, after: &State) {
        for record in &after.records {
            let Some(task) = record.task() else { continue };
            let old = before.task(&record.var).map(|(_, task)| task);
            for (name, slot) in &task.fields {
                let place = format!("{}.{name}", task.sheet);
                let was = old.and_then(|old| old.fields.get(name));
                if slot.declined || slot.invalid.is_some() {
                    self.reach(&place, "never refused");
                }
                let had = was.and_then(|slot| slot.value.as_ref());
                if had.is_some() && slot.value.is_some() && had != slot.value.as_ref() {
                    self.reach(&place, "never corrected");
                }
                if let Some(Value::Plain(serde_json::Value::String(text))) = &slot.value {
                    self.reach(&place, &format!("option {text} never chosen"));
                }
            }
        }
    }

    fn predicates(&mut self, state: &State) {
        let sheets = self.sheets;
        let view = View::new(sheets, state);
        for at in 0..state.records.len() {
            let (Some(sheet), Some(compiled)) = (view.sheet(at), view.compiled(at)) else {
                continue;
            };
            let scope = Scope {
                me: Some(at),
                value: None,
            };
            for (field, compiled) in sheet.fields.iter().zip(&compiled.fields) {
                let place = format!("{}.{}", sheet.name, field.name);
                let holds = view.holds(&compiled.predicate, scope);
                self.truth(&place, holds);
                if let Some(held) = compiled.holds {
                    let holds = view.holds(&sheets.compiled(held).predicate, scope);
                    self.truth(&sheets.all()[held].name, holds);
                }
            }
        }
        for sheet in sheets.roots() {
            if let Some(at) = sheets.find(&sheet.name) {
                let holds = view.holds(&sheets.compiled(at).predicate, Scope::default());
                self.truth(&sheet.name, holds);
            }
        }
    }

    fn truth(&mut self, place: &str, holds: bool) {
        let what = if holds { "never true" } else { "never false" };
        self.reached.insert((place.to_owned(), what.to_owned()));
    }

    /// All cells, and what can happen at each.
    fn wanted(&self) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let mut want = |place: &str, what: &str| out.push((place.to_owned(), what.to_owned()));
        let mut actions = String::new();
        let mut confirms = false;
        for sheet in self.sheets.all() {
            actions.push_str(&sheet.action);
            if !sheet.action.is_empty() {
                want(&sheet.name, "action never ran");
            }
            if sheet.kind != SheetKind::Task {
                continue;
            }
            if !sheet.predicate.is_empty() {
                want(&sheet.name, "never true");
                want(&sheet.name, "never false");
            }
            if !sheet.backend.is_empty() {
                want(&sheet.name, "never called");
            }
            for field in &sheet.fields {
                let place = format!("{}.{}", sheet.name, field.name);
                if !field.predicate.is_empty() {
                    want(&place, "never true");
                    want(&place, "never false");
                }
                if !field.action.is_empty() {
                    want(&place, "action never ran");
                    actions.push_str(&field.action);
                }
                confirms |= field.confirm;
                if field.kind != FieldKind::Input {
                    continue;
                }
                if !field.dont_ask {
                    want(&place, "never asked");
                }
                if field.ty != Type::Confirm {
                    want(&place, "never refused");
                    want(&place, "never corrected");
                }
                for option in &field.options {
                    want(&place, &format!("option {option} never chosen"));
                }
            }
        }
        want("Ask", "never performed");
        let kb = self.sheets.all().iter().any(|s| s.kind == SheetKind::Kb);
        let calls = self.sheets.all().iter().any(|s| !s.backend.is_empty());
        if kb || calls {
            want("Report", "never performed");
        }
        if confirms {
            want("Confirm", "never performed");
        }
        for (call, act) in [
            ("say(", "Say"),
            ("propose(", "Propose"),
            ("handoff(", "Handoff"),
        ] {
            if actions.contains(call) {
                want(act, "never performed");
            }
        }
        out
    }
}

fn place(state: &State, record: &str, field: &str) -> Option<String> {
    let (_, task) = state.task(record)?;
    Some(format!("{}.{field}", task.sheet))
}

/// The columns that a page of coverage shows.
pub(super) const SHOWN: [Column; 4] = [
    Column::Name,
    Column::Type,
    Column::Predicate,
    Column::Description,
];
