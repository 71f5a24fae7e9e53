use super::Desk;
use crate::predicate::View;
use crate::sheets::{FieldKind, Type};
use crate::state::{By, Status, Value};

/// The fields on the way from a root to a slot: records that are there, then the slot.
struct Place {
    record: String,
    field: String,
}

impl Desk<'_> {
    /// Gives records that the program made, and that stand nowhere, a place (section 2.6).
    pub(crate) fn adopt(&mut self) {
        for var in self.log.made.clone() {
            let Some((record, task)) = self.state.task(&var) else {
                continue;
            };
            let sheet = task.sheet.clone();
            let lone = record.status == Status::Open
                && !self.sheets.is_root(&sheet)
                && self.state.holder(&var).is_none();
            if !lone {
                continue;
            }
            let roots = self.roots(&var);
            let placed = self.merge(&var, &sheet, &roots)
                || self.put(&var, &sheet, &roots)
                || self.path(&var, &sheet, &roots)
                || self.open_main(&var, &sheet);
            if placed {
                self.log.notes.push(format!("{var} was given a place"));
            }
        }
    }

    /// The open, awake roots but one: those touched in this turn first, last touch first;
    /// then the focus from the top.
    fn roots(&self, but: &str) -> Vec<String> {
        let view = self.view();
        let mut out: Vec<String> = Vec::new();
        let touched = self.log.touched.iter().rev();
        for var in touched.chain(self.state.focus.iter().rev()) {
            let root = self.state.root(var);
            let open = self
                .state
                .get(root)
                .is_some_and(|r| r.status == Status::Open);
            let awake = open && view.place(root).is_some_and(|at| view.awake(at));
            if awake && root != but && !out.iter().any(|known| known == root) {
                out.push(root.to_owned());
            }
        }
        out
    }

    /// Merges a record into an open one of its sheet that lacks all that it brings.
    fn merge(&mut self, var: &str, sheet: &str, roots: &[String]) -> bool {
        let given = self.log.given.get(var).cloned().unwrap_or_default();
        let target = {
            let view = self.view();
            let mut found = None;
            for root in roots {
                found = records(&view, root).into_iter().find(|&at| {
                    let record = &self.state.records[at];
                    let Some(task) = record.task() else {
                        return false;
                    };
                    task.sheet == sheet
                        && !self.log.made.contains(&record.var)
                        && given.iter().all(|field| {
                            task.fields
                                .get(field)
                                .is_none_or(|slot| slot.value.is_none() && !slot.declined)
                        })
                });
                if found.is_some() {
                    break;
                }
            }
            found.map(|at| self.state.records[at].var.clone())
        };
        let Some(target) = target else {
            return false;
        };
        let Some(at) = self.state.find(var) else {
            return false;
        };
        let record = self.state.records.remove(at);
        let fields = record.task().map(|task| task.fields.clone());
        for (name, slot) in fields.unwrap_or_default() {
            if given.contains(&name) {
                if let Some(into) = self.state.slot_mut(&target, &name) {
                    *into = slot;
                }
                self.changed(&target, &name);
            }
        }
        for act in &mut self.log.acts {
            if act.record() == Some(var) {
                *act = crate::act::Act::Report(target.clone());
            }
        }
        self.log.touched.retain(|touched| touched != var);
        self.log.changed.retain(|(changed, _)| changed != var);
        self.touch(&target);
        true
    }

    /// Puts a record into the first free slot of its type.
    fn put(&mut self, var: &str, sheet: &str, roots: &[String]) -> bool {
        let place = {
            let view = self.view();
            roots
                .iter()
                .find_map(|root| free_slot(&view, root, &|held| held == sheet))
        };
        match place {
            Some(place) => {
                self.hold(&place, var);
                true
            }
            None => false,
        }
    }

    /// Makes the records between a free slot and the record's type, by the agent.
    fn path(&mut self, var: &str, sheet: &str, roots: &[String]) -> bool {
        for root in roots {
            let before = (self.state.clone(), self.log.clone());
            let mut from = root.clone();
            let mut depth = 0;
            loop {
                let (place, here) = {
                    let view = self.view();
                    let direct = depth > 0;
                    let here = direct
                        .then(|| free_slot(&view, &from, &|held| held == sheet))
                        .flatten();
                    let reaches = |held: &str| self.sheets.reaches(held, sheet);
                    let place = match here {
                        Some(_) => None,
                        None => free_slot(&view, &from, &reaches),
                    };
                    (place, here)
                };
                if let Some(place) = here {
                    self.hold(&place, var);
                    return true;
                }
                depth += 1;
                let (Some(place), true) = (place, depth <= self.sheets.all().len()) else {
                    break;
                };
                let Some(Type::Named(held)) = self
                    .field(&place.record, &place.field)
                    .map(|f| f.ty.clone())
                else {
                    break;
                };
                let between = self.start(&held, By::Agent, Status::Open);
                self.hold(&place, &between);
                from = between;
            }
            (self.state, self.log) = before;
        }
        false
    }

    fn open_main(&mut self, var: &str, sheet: &str) -> bool {
        let Some(main) = self.sheets.main().map(|main| main.name.clone()) else {
            return false;
        };
        let open = self.state.records.iter().any(|record| {
            record.status == Status::Open && record.task().is_some_and(|task| task.sheet == main)
        });
        if open || !self.sheets.reaches(&main, sheet) {
            return false;
        }
        let before = (self.state.clone(), self.log.clone());
        let root = self.start(&main, By::Agent, Status::Open);
        let awake = {
            let view = self.view();
            view.place(&root).is_some_and(|at| view.awake(at))
        };
        let roots = [root];
        if awake && (self.put(var, sheet, &roots) || self.path(var, sheet, &roots)) {
            return true;
        }
        (self.state, self.log) = before;
        false
    }

    fn hold(&mut self, place: &Place, var: &str) {
        let Some(field) = self.field(&place.record, &place.field).cloned() else {
            return;
        };
        self.touch(&place.record);
        self.store(&place.record, &field, Value::Record(var.to_owned()), false);
    }
}

/// The open, awake records of a tree, depth first in sheet order.
fn records(view: &View<'_>, root: &str) -> Vec<usize> {
    let mut open: Vec<usize> = view.place(root).into_iter().collect();
    let mut out = Vec::new();
    while let Some(at) = open.pop() {
        if view.state.records[at].status != Status::Open || out.contains(&at) {
            continue;
        }
        out.push(at);
        let fields = view.sheet(at).map_or(0, |sheet| sheet.fields.len());
        for field in (0..fields).rev().filter(|&field| view.active(at, field)) {
            if let Some(Value::Record(var)) = view.stored(at, field).and_then(|s| s.value.as_ref())
            {
                open.extend(view.place(var));
            }
        }
    }
    out
}

/// The first active, empty slot that nobody refused to fill, whose sheet is wanted.
fn free_slot(view: &View<'_>, root: &str, wanted: &dyn Fn(&str) -> bool) -> Option<Place> {
    enum Step {
        Record(usize),
        Slot(usize, usize),
    }
    let mut open: Vec<Step> = view.place(root).map(Step::Record).into_iter().collect();
    let mut seen = Vec::new();
    while let Some(step) = open.pop() {
        match step {
            Step::Record(at) => {
                if view.state.records[at].status != Status::Open || seen.contains(&at) {
                    continue;
                }
                seen.push(at);
                let fields = view.sheet(at).map_or(0, |sheet| sheet.fields.len());
                open.extend((0..fields).rev().map(|field| Step::Slot(at, field)));
            }
            Step::Slot(at, field) => {
                if !view.active(at, field) {
                    continue;
                }
                let Some(spec) = view.sheet(at).map(|sheet| &sheet.fields[field]) else {
                    continue;
                };
                let slot = view.stored(at, field);
                match slot.and_then(|slot| slot.value.as_ref()) {
                    Some(Value::Record(var)) => {
                        open.extend(view.place(var).map(Step::Record));
                    }
                    Some(_) => {}
                    None => {
                        let named = matches!(&spec.ty, Type::Named(held)
                            if view.sheets.task(held).is_some() && wanted(held));
                        let declined = slot.is_some_and(|slot| slot.declined);
                        if named && !declined && spec.kind == FieldKind::Input {
                            return Some(Place {
                                record: view.state.records[at].var.clone(),
                                field: spec.name.clone(),
                            });
                        }
                    }
                }
            }
        }
    }
    None
}
