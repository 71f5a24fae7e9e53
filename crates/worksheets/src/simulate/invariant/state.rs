use super::{Settings, Sheets, SimulatedTurn, hold};
use crate::agenda::{Agenda, ENDLESS, Effect, Ended, Host, Next, follow};
use crate::desk::Desk;
use crate::fit::{self, Fitted};
use crate::judge;
use crate::predicate::View;
use crate::sheets::{FieldKind, Type};
use crate::simulate::Step;
use crate::state::{State, Status, Value};

/// Nothing of a closed record changes, but for the marks of values that were refused in the turn
/// that closed it.
pub(super) fn done_is_done(_: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let closed = played.before.records.iter().filter(|r| r.is_closed());
    for mut record in closed.cloned() {
        if let Some(task) = record.task_mut() {
            task.fields
                .values_mut()
                .for_each(|slot| slot.invalid = None);
        }
        let after = played.turned.state.get(&record.var);
        hold(after == Some(&record), || {
            format!("{} has changed", record.var)
        })?;
    }
    Ok(())
}

pub(super) fn failed_program(
    _: &Sheets,
    _: Settings,
    played: &SimulatedTurn,
) -> Result<(), String> {
    let changed = played.ended == Ended::Failed && played.turned.productive;
    hold(!changed, || "the turn counts as productive".to_owned())
}

pub(super) fn focus(_: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let state = &played.turned.state;
    for (at, var) in state.focus.iter().enumerate() {
        let open = state
            .get(var)
            .is_some_and(|record| record.status == Status::Open);
        let once = !state.focus[..at].contains(var);
        hold(open && once && state.root(var) == var, || {
            format!("{var} is in the focus")
        })?;
    }
    Ok(())
}

pub(super) fn one_place(_: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let state = &played.turned.state;
    for record in state.records.iter().filter(|record| !record.is_closed()) {
        let tasks = state.records.iter().filter_map(|other| other.task());
        let held = tasks
            .flat_map(|task| task.fields.values())
            .filter(|slot| matches!(&slot.value, Some(Value::Record(var)) if *var == record.var));
        hold(held.count() <= 1, || {
            format!("{} stands in two places", record.var)
        })?;
        let above = state.upwards(&record.var);
        hold(above.len() <= state.records.len(), || {
            format!("{} stands below itself", record.var)
        })?;
    }
    Ok(())
}

pub(super) fn no_false_confirm(
    sheets: &Sheets,
    _: Settings,
    played: &SimulatedTurn,
) -> Result<(), String> {
    for record in &played.turned.state.records {
        let Some(task) = record.task().filter(|_| record.status == Status::Open) else {
            continue;
        };
        let fields = sheets
            .get(&task.sheet)
            .into_iter()
            .flat_map(|sheet| &sheet.fields);
        for field in fields.filter(|field| field.ty == Type::Confirm) {
            let slot = task.fields.get(&field.name);
            let no = slot.is_some_and(|slot| judge::is_false(slot.value.as_ref()));
            hold(!no, || format!("{}.{} is false", record.var, field.name))?;
        }
    }
    Ok(())
}

pub(super) fn proposals(_: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let state = &played.turned.state;
    for record in state
        .records
        .iter()
        .filter(|record| record.status == Status::Proposed)
    {
        let since = record.task().and_then(|task| task.since);
        hold(since == Some(state.turn), || {
            format!("{} is still proposed", record.var)
        })?;
    }
    Ok(())
}

/// Every value in a field is valid, and is what the field makes of it.
pub(super) fn values_fit(
    sheets: &Sheets,
    _: Settings,
    played: &SimulatedTurn,
) -> Result<(), String> {
    let state = &played.turned.state;
    let view = View::new(sheets, state);
    for (at, record) in state.records.iter().enumerate() {
        let (Some(sheet), Some(task)) = (view.sheet(at), record.task()) else {
            continue;
        };
        for field in sheet
            .fields
            .iter()
            .filter(|field| field.kind == FieldKind::Input)
        {
            let Some(value) = task
                .fields
                .get(&field.name)
                .and_then(|slot| slot.value.as_ref())
            else {
                continue;
            };
            let same = match fit::fit(sheets, state, field, value) {
                Fitted::Value(fitted) => fitted == *value,
                _ => false,
            };
            // A closed record keeps what it had, whatever has become of it since.
            hold(same || record.is_closed(), || {
                format!("{}.{} is {}", record.var, field.name, value.json())
            })?;
        }
    }
    Ok(())
}

pub(super) fn ends(_: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let mut problems = played.turned.problems.iter();
    let endless = problems.find(|problem| problem.rule == ENDLESS);
    endless.map_or(Ok(()), |problem| Err(problem.to_string()))
}

pub(super) fn reads_back(_: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let state = &played.turned.state;
    let read = State::of(&state.json())?;
    hold(read == *state, || state.json().to_string())
}

/// A turn that is played again from its record comes to the same bytes.
pub(super) fn same_again(
    sheets: &Sheets,
    settings: Settings,
    played: &SimulatedTurn,
) -> Result<(), String> {
    let mut desk = Desk::open(sheets, &played.before);
    for op in &played.ops {
        if desk.apply(op).is_err() {
            break;
        }
    }
    let agenda = Agenda::begin(desk, &played.before, played.ended.clone(), settings);
    let turned = follow(agenda, &mut Recorded(played.steps.iter()))?;
    let bytes = |state: &State| state.json().to_string();
    let (first, again) = (bytes(&played.turned.state), bytes(&turned.state));
    let same = first == again && turned == played.turned;
    hold(same, || format!("{first} became {again}"))
}

struct Recorded<'p>(std::slice::Iter<'p, Step>);

impl Host for Recorded<'_> {
    type Error = String;

    fn perform(&mut self, next: &Next, _: Desk<'_>) -> Result<Effect, String> {
        match self.0.next() {
            Some(step) if step.next == *next => Ok(step.effect.clone()),
            _ => Err(format!("{next:?} was not needed the first time")),
        }
    }
}
