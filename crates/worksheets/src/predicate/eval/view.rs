use std::cell::RefCell;
use std::collections::HashMap;

use super::Scope;
use crate::sheets::{Compiled, Sheet, Sheets};
use crate::state::{Slot, State, Value};

/// A state that does not change while judgements are made on it: which fields are active,
/// which records are awake, what is settled. Each judgement is made once.
pub(crate) struct View<'a> {
    pub(crate) sheets: &'a Sheets,
    pub(crate) state: &'a State,
    index: HashMap<&'a str, usize>,
    holder: Vec<Option<(usize, usize)>>,
    sheet: Vec<Option<usize>>,
    activity: RefCell<Activity>,
    /// Where fields stand that are named from other trees.
    pub(super) elsewhere: RefCell<HashMap<String, Option<(usize, usize)>>>,
}

#[derive(Default)]
struct Activity {
    known: Vec<Option<Vec<bool>>>,
    /// Records whose pass is under way, with what is known of their fields so far.
    open: Vec<(usize, Vec<bool>)>,
    /// The lowest open pass whose later fields were read raw since it began.
    lowest: usize,
    fuel: usize,
}

/// How many passes may depend on where they were begun. Beyond that the first result counts.
const FUEL: usize = 2_000;
/// The most passes within passes; beyond that fields are read raw.
const DEEP: usize = 16;

impl<'a> View<'a> {
    pub(crate) fn new(sheets: &'a Sheets, state: &'a State) -> Self {
        let count = state.records.len();
        let index: HashMap<&str, usize> = state
            .records
            .iter()
            .enumerate()
            .map(|(at, record)| (record.var.as_str(), at))
            .collect();
        let sheet: Vec<Option<usize>> = state
            .records
            .iter()
            .map(|record| record.task().and_then(|task| sheets.find(&task.sheet)))
            .collect();
        let mut holder: Vec<Option<(usize, usize)>> = vec![None; count];
        for (at, record) in state.records.iter().enumerate() {
            let (Some(task), Some(sheet)) = (record.task(), sheet[at]) else {
                continue;
            };
            for (name, slot) in &task.fields {
                if let Some(Value::Record(var)) = &slot.value
                    && let Some(&held) = index.get(var.as_str())
                    && let Some(field) = sheets.all()[sheet].field(name)
                {
                    let open = |at: usize| !state.records[at].is_closed();
                    if holder[held].is_none_or(|(other, _)| !open(other) && open(at)) {
                        holder[held] = Some((at, field));
                    }
                }
            }
        }
        Self {
            sheets,
            state,
            index,
            holder,
            sheet,
            activity: RefCell::new(Activity {
                known: vec![None; count],
                open: Vec::new(),
                lowest: usize::MAX,
                fuel: FUEL,
            }),
            elsewhere: RefCell::new(HashMap::new()),
        }
    }

    /// Where a record stands.
    pub(crate) fn place(&self, var: &str) -> Option<usize> {
        self.index.get(var).copied()
    }

    /// The sheet of a task record.
    pub(crate) fn sheet(&self, record: usize) -> Option<&'a Sheet> {
        self.sheet[record].map(|at| &self.sheets.all()[at])
    }

    pub(crate) fn compiled(&self, record: usize) -> Option<&'a Compiled> {
        self.sheet[record].map(|at| self.sheets.compiled(at))
    }

    pub(crate) fn above(&self, record: usize) -> Option<usize> {
        self.holder[record].map(|(at, _)| at)
    }

    /// The record and field that hold a record.
    pub(crate) fn holder(&self, record: usize) -> Option<(usize, usize)> {
        self.holder[record]
    }

    /// The records directly below a record, in sheet order.
    pub(crate) fn below(&self, record: usize) -> Vec<usize> {
        let Some(sheet) = self.sheet(record) else {
            return Vec::new();
        };
        (0..sheet.fields.len())
            .filter_map(|field| match &self.stored(record, field)?.value {
                Some(Value::Record(var)) => self.place(var),
                _ => None,
            })
            .collect()
    }

    pub(super) fn has(&self, record: usize, field: &str) -> Option<usize> {
        self.sheet(record)?.field(field)
    }

    pub(crate) fn stored(&self, record: usize, field: usize) -> Option<&'a Slot> {
        let name = &self.sheet(record)?.fields.get(field)?.name;
        self.state.records[record].task()?.fields.get(name)
    }

    /// Whether a field is active: one pass in sheet order (section 1.5).
    pub(crate) fn active(&self, record: usize, field: usize) -> bool {
        if let Some(known) = &self.activity.borrow().known[record] {
            return known.get(field).copied().unwrap_or(false);
        }
        // A record of a sheet that is gone has no fields that could be inactive.
        let pass = self.pass(record);
        self.sheet[record].is_none() || pass.get(field).copied().unwrap_or(false)
    }

    /// As `active`, for a value that is read within a pass: a field that the pass under way
    /// has not reached is read raw.
    pub(super) fn counts(&self, record: usize, field: usize) -> bool {
        {
            let mut activity = self.activity.borrow_mut();
            if let Some(known) = &activity.known[record] {
                return known.get(field).copied().unwrap_or(false);
            }
            let under_way = activity.open.iter().position(|(at, _)| *at == record);
            if let Some(depth) = under_way {
                if let Some(known) = activity.open[depth].1.get(field) {
                    return *known;
                }
                activity.lowest = activity.lowest.min(depth);
                return true;
            }
            if activity.open.len() >= DEEP {
                activity.lowest = 0;
                return true;
            }
        }
        self.pass(record).get(field).copied().unwrap_or(false)
    }

    fn pass(&self, record: usize) -> Vec<bool> {
        if let Some(known) = &self.activity.borrow().known[record] {
            return known.clone();
        }
        let Some(compiled) = self.compiled(record) else {
            return Vec::new();
        };
        let depth = {
            let mut activity = self.activity.borrow_mut();
            activity.open.push((record, Vec::new()));
            activity.open.len() - 1
        };
        let outer = std::mem::replace(&mut self.activity.borrow_mut().lowest, usize::MAX);
        let scope = Scope {
            me: Some(record),
            value: None,
        };
        for field in &compiled.fields {
            let holds = self.holds(&field.predicate, scope)
                && field
                    .holds
                    .is_none_or(|sheet| self.holds(&self.sheets.compiled(sheet).predicate, scope));
            self.activity.borrow_mut().open[depth].1.push(holds);
        }
        let mut activity = self.activity.borrow_mut();
        let (_, fields) = activity.open.pop().unwrap_or_default();
        // What was read of a pass that is still under way may read otherwise later.
        let tainted = activity.lowest < depth;
        activity.fuel = activity.fuel.saturating_sub(usize::from(tainted));
        if !tainted || activity.fuel == 0 {
            activity.known[record] = Some(fields.clone());
        }
        activity.lowest = if tainted {
            outer.min(activity.lowest)
        } else {
            outer
        };
        fields
    }
}
