use super::Agenda;
use crate::act::{Act, Performed, Reason};
use crate::desk::wants_confirmation;
use crate::fit;
use crate::judge::STUCK;
use crate::predicate::{Scope, View};
use crate::sheets::{Field, FieldKind, Type};
use crate::state::{By, Status, Value};

/// What a pass over a root looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Invalid,
    Confirm,
    Ask,
}

impl Agenda<'_> {
    /// The question of the turn (section 4.3), with its reason. The slot counts it.
    pub(super) fn question(&mut self) -> Option<Performed> {
        let state = &self.desk.state;
        if self.desk.log.repeat
            && let Some(performed) = self.last_question_again()
        {
            return Some(performed);
        }
        let waiting = state.records.iter().rev().find_map(|record| {
            let open = record.status == Status::Open;
            let missing = record.query().filter(|_| open)?.missing.first()?;
            Some((record.var.clone(), missing.clone()))
        });
        if let Some((query, column)) = waiting {
            let again = self.desk.asked_before(&query, &column);
            return Some(Performed::ask(
                &query,
                &column,
                again.then_some(Reason::Again),
            ));
        }
        let (record, field, what) = self.find()?;
        if what == What::Confirm {
            return Some(Performed {
                act: Act::Confirm(record, field),
                reason: None,
            });
        }
        let reason = self.reason(&record, &field);
        let slot = self.desk.state.slot_mut(&record, &field)?;
        // Stuck for the third time in a row: a human takes over, if the owner has one.
        if reason == Some(Reason::Stuck) && self.settings.hands_off && slot.asked >= STUCK + 2 {
            let why = format!("{record}.{field} was asked {} times", slot.asked);
            self.desk.log.handoff = Some(why);
            return None;
        }
        slot.asked += 1;
        Some(Performed::ask(&record, &field, reason))
    }

    fn find(&self) -> Option<(String, String, What)> {
        let state = &self.desk.state;
        let view = self.desk.view();
        for root in state.focus.iter().rev() {
            if !self.failed.is_empty() && !self.failed.contains(root) {
                continue;
            }
            let Some(at) = view.place(root) else { continue };
            if state.records[at].status != Status::Open || !view.awake(at) {
                continue;
            }
            for what in [What::Invalid, What::Confirm, What::Ask] {
                if let Some((record, field)) = self.first(&view, at, what, 0) {
                    let sheet = view.sheet(record)?;
                    let var = state.records[record].var.clone();
                    return Some((var, sheet.fields[field].name.clone(), what));
                }
            }
        }
        None
    }

    /// The first field below a record that is looked for: sheet order, depth first, confirm
    /// fields last.
    fn first(
        &self,
        view: &View<'_>,
        record: usize,
        what: What,
        depth: usize,
    ) -> Option<(usize, usize)> {
        let sheet = view.sheet(record)?;
        if depth > view.state.records.len() {
            return None;
        }
        let last = |at: &usize| sheet.fields[*at].ty == Type::Confirm;
        let (confirms, others): (Vec<usize>, Vec<usize>) = (0..sheet.fields.len()).partition(last);
        let others_settled = what != What::Ask
            || confirms.is_empty()
            || others.iter().all(|&at| view.settled(record, at));
        for at in others.into_iter().chain(confirms) {
            let field = &sheet.fields[at];
            if field.kind != FieldKind::Input || !view.active(record, at) {
                continue;
            }
            let slot = view.stored(record, at);
            let value = slot.and_then(|slot| slot.value.as_ref());
            if let Some(Value::Record(var)) = value
                && let Some(below) = view.place(var)
                && view.state.records[below].status == Status::Open
            {
                // The mark of a refused value is the field's own, whatever it holds.
                if what == What::Invalid && slot.is_some_and(|slot| slot.invalid.is_some()) {
                    return Some((record, at));
                }
                if let Some(found) = self.first(view, below, what, depth + 1) {
                    return Some(found);
                }
                continue;
            }
            let found = match what {
                What::Invalid => slot.is_some_and(|slot| slot.invalid.is_some()),
                What::Confirm => {
                    wants_confirmation(self.desk.sheets, field)
                        && value.is_some_and(|value| !fit::waits(view.state, field, value))
                        && slot.is_some_and(|slot| !slot.confirmed)
                }
                What::Ask if field.ty == Type::Confirm && !others_settled => false,
                What::Ask => !field.dont_ask && !view.settled(record, at),
            };
            if found {
                return Some((record, at));
            }
        }
        None
    }

    /// Why the question is asked as it is: the first reason that holds (section 4.1).
    fn reason(&self, record: &str, name: &str) -> Option<Reason> {
        let field: &Field = self.desk.field(record, name)?;
        let (_, task) = self.desk.state.task(record)?;
        let slot = task.fields.get(name);
        let asked = slot.map_or(0, |slot| slot.asked);
        let again = self.desk.asked_before(record, name);
        if slot.is_some_and(|slot| slot.invalid.is_some()) {
            return Some(Reason::Invalid);
        }
        if slot.is_some_and(|slot| slot.stale.is_some()) {
            return Some(Reason::Stale);
        }
        if matches!(
            slot.and_then(|slot| slot.value.as_ref()),
            Some(Value::Result(_))
        ) {
            return Some(Reason::Choose);
        }
        if field.ty == Type::Confirm {
            if self.desk.is_confirm_false(record, name) {
                return Some(Reason::Declined);
            }
            if task.failed.is_some() {
                return Some(Reason::Failed);
            }
        }
        if asked >= STUCK && again && !self.productive {
            return Some(Reason::Stuck);
        }
        if field.is_required() && slot.is_some_and(|slot| slot.declined) {
            return Some(Reason::Refused);
        }
        if again {
            return Some(Reason::Again);
        }
        self.resumes(record).then_some(Reason::Resume)
    }

    /// Whether a root was asked about before, and the last turn's question concerned another
    /// root or a query.
    fn resumes(&self, record: &str) -> bool {
        let state = &self.desk.state;
        let root = state.root(record);
        let before = state.downwards(root).iter().any(|var| {
            state
                .task(var)
                .is_some_and(|(_, task)| task.fields.values().any(|slot| slot.asked > 0))
        });
        let last = self.desk.log.prev.iter().find(|act| act.is_question());
        let other = last
            .and_then(Act::record)
            .is_some_and(|last| state.query(last).is_some() || state.root(last) != root);
        before && other
    }

    /// The question of the turn before, if it is still one.
    pub(super) fn last_question_again(&self) -> Option<Performed> {
        let state = &self.desk.state;
        let act = self.desk.log.prev.iter().find(|act| act.is_question())?;
        let open = |var: &str| state.get(var).is_some_and(|r| r.status == Status::Open);
        let still = match act {
            Act::Ask(record, field) => match state.query(record) {
                Some(query) => open(record) && query.missing.contains(field),
                None => {
                    let view = self.desk.view();
                    let at = view.place(record).filter(|_| open(record))?;
                    let sheet = view.sheet(at)?;
                    let field = sheet.field(field)?;
                    // A value that only lacks its confirmation is shown to the user, not asked for again.
                    let value = view.stored(at, field).and_then(|s| s.value.as_ref());
                    let known =
                        value.is_some_and(|value| !fit::waits(state, &sheet.fields[field], value));
                    let open = view.awake(at) && view.active(at, field);
                    open && !known && !view.settled(at, field)
                }
            },
            Act::Confirm(record, field) => {
                let (_, task) = state.task(record)?;
                let slot = task.fields.get(field);
                open(record) && slot.is_some_and(|slot| slot.value.is_some() && !slot.confirmed)
            }
            Act::Propose(record) => state
                .get(record)
                .is_some_and(|record| record.status == Status::Proposed),
            _ => false,
        };
        // What has changed since makes other words of the same question.
        let reason = match (act, self.productive) {
            (_, false) => Some(Reason::Repeat),
            (Act::Ask(..), true) => Some(Reason::Again),
            (_, true) => None,
        };
        let act = act.clone();
        still.then_some(Performed { act, reason })
    }

    /// Opens the first root sheet that the agent may open (section 1.7): the main sheet, or
    /// one whose predicate holds, of which no record was ever made.
    pub(super) fn open_sheet(&mut self) -> bool {
        let sheets = self.desk.sheets;
        let main = sheets.main().map(|main| main.name.as_str());
        let found =
            {
                let view = self.desk.view();
                sheets.roots().find(|sheet| {
                    let ever =
                        self.desk.state.records.iter().any(|record| {
                            record.task().is_some_and(|task| task.sheet == sheet.name)
                        });
                    let may = Some(sheet.name.as_str()) == main || !sheet.predicate.is_empty();
                    let holds = sheets.find(&sheet.name).is_some_and(|at| {
                        view.holds(&sheets.compiled(at).predicate, Scope::default())
                    });
                    may && !ever && holds
                })
            };
        let Some(sheet) = found else {
            return false;
        };
        let var = self.desk.start(&sheet.name, By::Agent, Status::Open);
        self.desk.state.focus.push(var);
        true
    }
}
