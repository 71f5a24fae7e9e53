use serde_json::Value as Json;

use super::{Turn, answer};
use crate::agenda::Ended;
use crate::desk::Op;
use crate::sheets::Type;
use crate::state::{Status, Value};

/// Says nothing of use.
pub(super) fn silent(_: &mut Turn<'_, '_>) -> bool {
    true
}

/// Has not understood.
pub(super) fn repeats(turn: &mut Turn<'_, '_>) -> bool {
    turn.apply(Op::Repeat);
    true
}

/// Wants to speak to a person.
pub(super) fn hands_off(turn: &mut Turn<'_, '_>) -> bool {
    turn.apply(Op::Handoff("the user wishes it".to_owned()));
    true
}

/// A program that says yes to what nobody asked, for a confirm field or a value.
pub(super) fn confirms_unasked(turn: &mut Turn<'_, '_>) -> bool {
    let mut found = Vec::new();
    for record in turn.records(|status| status == Status::Open) {
        let sheet = turn.sheet_of(&record);
        for field in sheet.into_iter().flat_map(|sheet| &sheet.fields) {
            let confirm = field.ty == Type::Confirm;
            if confirm || field.confirm {
                found.push((record.clone(), field, confirm));
            }
        }
    }
    let Some((record, field, confirm)) = turn.random.pick(&found).cloned() else {
        return false;
    };
    let value = match confirm {
        true => Some(Json::Bool(true)),
        false => turn.draw.value(turn.random, field),
    };
    turn.set(
        &record,
        &field.name,
        Value::Plain(value.unwrap_or_default()),
        true,
    );
    true
}

/// Changes a record that is done or given up.
pub(super) fn reopens(turn: &mut Turn<'_, '_>) -> bool {
    let closed = turn.records(|status| matches!(status, Status::Done | Status::Exited));
    let Some(record) = turn.random.pick(&closed).cloned() else {
        return false;
    };
    let sheet = turn.sheet_of(&record);
    let Some(field) = sheet.and_then(|sheet| sheet.fields.first()) else {
        return false;
    };
    let value = turn.draw.value(turn.random, field).unwrap_or_default();
    turn.set(&record, &field.name, Value::Plain(value), false);
    true
}

/// A program that does something, and then names a field that there is not.
pub(super) fn misparsed(turn: &mut Turn<'_, '_>) -> bool {
    answer::answers(turn);
    let open = turn.records(|status| status == Status::Open);
    match turn.random.pick(&open).cloned() {
        Some(record) => turn.set(&record, "no_such_field", Value::Plain(true.into()), false),
        None => {
            turn.apply(Op::Accept("nobody".to_owned()));
        }
    }
    true
}

/// Leaves.
pub(super) fn goodbye(turn: &mut Turn<'_, '_>) -> bool {
    if turn.ended == Ended::Kept {
        turn.ended = Ended::EndDialog;
    }
    true
}
