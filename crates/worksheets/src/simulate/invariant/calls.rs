use serde_json::{Map, Value as Json};

use super::{Settings, Sheets, SimulatedTurn, hold};
use crate::act::Act;
use crate::agenda::{ENDLESS, Next};
use crate::consent;
use crate::desk::wants_confirmation;
use crate::judge;
use crate::predicate::View;
use crate::program::Called;
use crate::sheets::{FieldKind, Type};
use crate::simulate::Step;
use crate::state::{State, Status, Value};

fn calls(played: &SimulatedTurn) -> impl Iterator<Item = (&Step, &str)> {
    played.steps.iter().filter_map(|step| match &step.next {
        Next::Call { record, .. } => Some((step, record.as_str())),
        _ => None,
    })
}

/// Every confirm field of what is called is true, by an answer to the question for it; every
/// value that wants a confirmation has one.
pub(super) fn confirmed(
    sheets: &Sheets,
    _: Settings,
    played: &SimulatedTurn,
) -> Result<(), String> {
    for (step, called) in calls(played) {
        let view = View::new(sheets, &step.state);
        let Some(at) = view.place(called) else {
            return Err(format!("{called} is called and is not there"));
        };
        let Some(sheet) = view.sheet(at) else {
            continue;
        };
        for (place, field) in sheet.fields.iter().enumerate() {
            let slot = view.stored(at, place);
            if !view.active(at, place) || field.kind != FieldKind::Input {
                continue;
            }
            if field.ty == Type::Confirm && !field.dont_ask {
                let asked = Act::Ask(called.to_owned(), field.name.clone());
                let yes = slot.is_some_and(|slot| judge::is_true(slot.value.as_ref()));
                hold(
                    yes && (played.before.acts.contains(&asked)
                        || held_before(played, called, &field.name)),
                    || format!("{called} is called without a yes to {}", field.name),
                )?;
            } else if wants_confirmation(sheets, field) {
                let unconfirmed = slot.is_some_and(|slot| slot.value.is_some() && !slot.confirmed);
                hold(!unconfirmed, || {
                    format!("{called} is called and {} is not confirmed", field.name)
                })?;
            }
        }
    }
    Ok(())
}

/// Whether a confirm field was true when the turn began. It stays so only while nothing that it
/// is for changes.
fn held_before(played: &SimulatedTurn, record: &str, field: &str) -> bool {
    let task = played.before.task(record).map(|(_, task)| task);
    let slot = task.and_then(|task| task.fields.get(field));
    slot.is_some_and(|slot| judge::is_true(slot.value.as_ref()))
}

/// What the user said yes to is what is called: the user's values have not changed since the
/// question was asked.
pub(super) fn for_what_was_shown(
    sheets: &Sheets,
    _: Settings,
    played: &SimulatedTurn,
) -> Result<(), String> {
    for (step, called) in calls(played) {
        let sheet = step
            .state
            .task(called)
            .and_then(|(_, task)| sheets.get(&task.sheet));
        let confirms = sheet.is_some_and(|sheet| {
            let mut fields = sheet.fields.iter();
            fields.any(|field| field.ty == Type::Confirm && !field.dont_ask)
        });
        if confirms {
            let (shown, now) = (
                inputs(sheets, &played.before, called),
                inputs(sheets, &step.state, called),
            );
            hold(shown == now, || {
                format!("{called} was shown with {shown} and is called with {now}")
            })?;
        }
    }
    Ok(())
}

/// The user's values of a record and of those below it.
fn inputs(sheets: &Sheets, state: &State, record: &str) -> Json {
    let view = View::new(sheets, state);
    let mut out = Map::new();
    let below = state.downwards(record);
    for (at, var) in below.iter().filter_map(|var| Some((view.place(var)?, var))) {
        let fields = view.sheet(at).map_or(&[][..], |sheet| &sheet.fields).iter();
        for (place, field) in fields.enumerate() {
            if field.kind != FieldKind::Input || field.ty == Type::Confirm {
                continue;
            }
            let slot = view.stored(at, place).filter(|_| view.active(at, place));
            let value = slot.and_then(|slot| match &slot.value {
                Some(value) => Some(value.json()),
                None => slot.declined.then(|| "NA".into()),
            });
            if let Some(value) = value {
                out.insert(format!("{var}.{}", field.name), value);
            }
        }
    }
    Json::Object(out)
}

/// The consent of a call is for what is called: with other values, or with other arguments from
/// wherever, than those that the question had, it is another one.
pub(super) fn consent(sheets: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    for step in &played.steps {
        let Next::Call {
            record,
            code,
            values,
            consent,
        } = &step.next
        else {
            continue;
        };
        let effective = consent::values(sheets, &step.state, record);
        hold(
            *values == effective && *consent == consent::digest(sheets, &step.state, record),
            || format!("the consent of {record} is not for {effective}"),
        )?;
        let called = |state| Called::of(sheets, state, record, code).ok();
        let (shown, now) = (called(&played.before), called(&step.state));
        let asked = consent::digest(sheets, &played.before, record);
        hold(
            shown == now || consent.is_none() || asked != *consent,
            || format!("{record} was shown as {shown:?} and is called as {now:?}"),
        )?;
    }
    Ok(())
}

pub(super) fn complete(sheets: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    for (step, called) in calls(played) {
        let view = View::new(sheets, &step.state);
        let fine = view.place(called).is_some_and(|at| {
            let open = step.state.records[at].status == Status::Open;
            open && view.awake(at) && view.complete(at)
        });
        hold(fine, || format!("{called} is called too early or too late"))?;
    }
    Ok(())
}

pub(super) fn reported(_: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let acts = &played.turned.state.acts;
    // Sheets that come to no end are taken back, reports and all.
    let mut problems = played.turned.problems.iter();
    if problems.any(|problem| problem.rule == ENDLESS) {
        return Ok(());
    }
    for step in &played.steps {
        let (var, quiet) = match (&step.next, &step.effect) {
            (Next::Query { query, .. }, effect) => (
                query,
                matches!(effect, crate::agenda::Effect::Missing { .. }),
            ),
            (Next::Call { record, .. }, effect) => (
                record,
                matches!(effect, crate::agenda::Effect::FieldError { .. }),
            ),
            _ => continue,
        };
        hold(quiet || acts.contains(&Act::Report(var.clone())), || {
            format!("nobody is told what came of {var}")
        })?;
    }
    Ok(())
}

/// Whether a slot stands for rows that are still to be chosen from.
pub(super) fn chooses(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Result(_)))
}
