use serde_json::Value as Json;

use super::{Spot, Turn, inputs, question, task};
use crate::act::Act;
use crate::desk::Op;
use crate::sheets::Type;
use crate::state::Value;

/// How often a value is drawn until it is valid.
const TRIES: usize = 40;
/// From how many questions for one field on a user who wants to get on gives the record up.
const TIRED: u64 = 8;

/// Answers what was asked.
pub(super) fn answers(turn: &mut Turn<'_, '_>) -> bool {
    match turn.asked().cloned() {
        Some(Act::Ask(record, column)) if turn.before.query(&record).is_some() => {
            let value = question::wanted(turn, &record, &column);
            turn.apply(Op::Param {
                record,
                field: column,
                value,
            });
            true
        }
        Some(Act::Ask(record, field)) => match turn.spot(&record, &field) {
            Some(spot) if spot.field.ty == Type::Confirm => {
                turn.set(&record, &field, Value::Plain(true.into()), false);
                true
            }
            Some(spot) => give(turn, &spot),
            None => false,
        },
        Some(Act::Confirm(record, field)) => match turn.spot(&record, &field) {
            Some(spot) => {
                let held = turn
                    .held(&spot)
                    .cloned()
                    .unwrap_or(Value::Plain(Json::Null));
                turn.set(&record, &field, held, true);
                true
            }
            None => false,
        },
        Some(Act::Propose(record)) => {
            turn.apply(Op::Accept(record));
            true
        }
        _ => false,
    }
}

/// Gives a field a value that is valid, of whatever type; refuses where none is found.
pub(super) fn give(turn: &mut Turn<'_, '_>, spot: &Spot<'_>) -> bool {
    let asked = turn.desk.state().task(&spot.record);
    let asked = asked
        .and_then(|(_, task)| task.fields.get(&spot.field.name))
        .map_or(0, |s| s.asked);
    if asked >= TIRED {
        turn.apply(Op::Exit(spot.record.clone()));
        return true;
    }
    if let Some(sheet) = turn.nested(spot.field) {
        let (share, adopted) = (turn.random.below(101), turn.random.chance(25));
        if let Some(made) = task::make(turn, sheet, share)
            && !adopted
        {
            turn.set(&spot.record, &spot.field.name, Value::Record(made), false);
        }
        return true;
    }
    if matches!(spot.field.ty.item(), Type::Named(_)) {
        return question::choose(turn, spot);
    }
    let value = valid(turn, spot).unwrap_or_else(|| "NA".into());
    turn.set(&spot.record, &spot.field.name, Value::of(&value), false);
    true
}

/// A drawn value that leaves no mark on the slot.
fn valid(turn: &mut Turn<'_, '_>, spot: &Spot<'_>) -> Option<Json> {
    for _ in 0..TRIES {
        let value = turn.draw.value(turn.random, spot.field)?;
        let mut desk = turn.desk.clone();
        let set = Op::Set {
            record: spot.record.clone(),
            field: spot.field.name.clone(),
            value: crate::state::Given {
                value: Value::of(&value),
                confirmed: false,
            },
        };
        let slot = desk.apply(&set).ok().and_then(|_| {
            let (_, task) = desk.state().task(&spot.record)?;
            task.fields.get(&spot.field.name)
        });
        if slot.is_some_and(|slot| slot.invalid.is_none() && slot.value.is_some()) {
            return Some(value);
        }
    }
    None
}

/// Answers, and says more of the same record.
pub(super) fn volunteers(turn: &mut Turn<'_, '_>) -> bool {
    let Some(asked) = turn.asked_spot() else {
        return false;
    };
    answers(turn);
    let Some(sheet) = turn.sheet_of(&asked.record) else {
        return true;
    };
    for field in inputs(sheet) {
        let spot = Spot {
            record: asked.record.clone(),
            field,
        };
        if field.name != asked.field.name && turn.held(&spot).is_none() && turn.random.chance(50) {
            give(turn, &spot);
        }
    }
    true
}

/// Answers another question than the one that was asked.
pub(super) fn elsewhere(turn: &mut Turn<'_, '_>) -> bool {
    let spots: Vec<Spot<'_>> = turn
        .spots()
        .into_iter()
        .filter(|s| turn.held(s).is_none())
        .collect();
    match turn.random.pick(&spots).cloned() {
        Some(spot) => give(turn, &spot),
        None => false,
    }
}

/// Says something else than before.
pub(super) fn corrects(turn: &mut Turn<'_, '_>) -> bool {
    let spots: Vec<Spot<'_>> = turn
        .spots()
        .into_iter()
        .filter(|s| turn.held(s).is_some())
        .collect();
    match turn.random.pick(&spots).cloned() {
        Some(spot) => give(turn, &spot),
        None => false,
    }
}

/// Takes a value back.
pub(super) fn takes_back(turn: &mut Turn<'_, '_>) -> bool {
    let spots: Vec<Spot<'_>> = turn
        .spots()
        .into_iter()
        .filter(|s| turn.held(s).is_some())
        .collect();
    let Some(spot) = turn.random.pick(&spots).cloned() else {
        return false;
    };
    turn.set(
        &spot.record,
        &spot.field.name,
        Value::Plain(Json::Null),
        false,
    );
    true
}

/// Would rather not say.
pub(super) fn refuses(turn: &mut Turn<'_, '_>) -> bool {
    let spots = turn.spots();
    let any = turn.random.pick(&spots).cloned();
    let asked = turn.asked_spot().filter(|_| turn.random.chance(70));
    let Some(spot) = asked.or(any) else {
        return false;
    };
    turn.set(
        &spot.record,
        &spot.field.name,
        Value::Plain("NA".into()),
        false,
    );
    true
}

/// Says what the field does not take.
pub(super) fn misfits(turn: &mut Turn<'_, '_>) -> bool {
    let spots = turn.spots();
    let any = turn.random.pick(&spots).cloned();
    let Some(spot) = turn.asked_spot().or(any) else {
        return false;
    };
    let wrong = turn.draw.wrong(turn.random, spot.field);
    turn.set(&spot.record, &spot.field.name, Value::Plain(wrong), false);
    true
}

/// "Yes, and make it seven": the yes is for another value than the one that was shown.
pub(super) fn yes_and(turn: &mut Turn<'_, '_>) -> bool {
    let yes = turn
        .asked_spot()
        .filter(|spot| spot.field.ty == Type::Confirm);
    yes.is_some() && answers(turn) && corrects(turn)
}

/// Says no to what was put to the user.
pub(super) fn says_no(turn: &mut Turn<'_, '_>) -> bool {
    match turn.asked().cloned() {
        Some(Act::Propose(record)) => {
            turn.apply(Op::Reject(record));
            true
        }
        Some(Act::Confirm(record, field)) => match turn.spot(&record, &field) {
            Some(spot) => give(turn, &spot),
            None => false,
        },
        Some(Act::Ask(record, field)) => match turn.spot(&record, &field) {
            Some(spot) if matches!(spot.field.ty, Type::Confirm | Type::Bool) => {
                turn.set(&record, &field, Value::Plain(false.into()), false);
                true
            }
            _ => false,
        },
        _ => false,
    }
}
