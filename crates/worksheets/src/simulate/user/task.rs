use indexmap::IndexMap;

use super::{Turn, answer, inputs};
use crate::desk::Op;
use crate::sheets::{Sheet, SheetKind};
use crate::state::{Given, Status, Value};

/// How deep records are filled in that are made at once.
const DEEP: usize = 3;

/// A new record of which a share of the fields is given, in percent; its variable.
pub(super) fn make(turn: &mut Turn<'_, '_>, sheet: &Sheet, share: u64) -> Option<String> {
    make_at(turn, sheet, share, 0)
}

fn make_at(turn: &mut Turn<'_, '_>, sheet: &Sheet, share: u64, depth: usize) -> Option<String> {
    let mut fields = IndexMap::new();
    for field in inputs(sheet) {
        if !turn.random.chance(share) {
            continue;
        }
        let value = match turn.nested(field) {
            Some(below) if depth < DEEP => {
                make_at(turn, below, share, depth + 1).map(Value::Record)
            }
            Some(_) => None,
            None => turn
                .draw
                .value(turn.random, field)
                .map(|json| Value::of(&json)),
        };
        if let Some(value) = value {
            let confirmed = false;
            fields.insert(field.name.clone(), Given { value, confirmed });
        }
    }
    turn.apply(Op::New {
        sheet: sheet.name.clone(),
        fields,
    })
}

/// Begins another task, or the first.
pub(super) fn begins(turn: &mut Turn<'_, '_>) -> bool {
    let sheets = turn.draw.sheets.all().iter();
    let tasks: Vec<&Sheet> = sheets
        .filter(|sheet| sheet.kind == SheetKind::Task)
        .collect();
    let share = turn.random.below(101);
    match turn.random.pick(&tasks) {
        Some(sheet) => make(turn, sheet, share).is_some(),
        None => false,
    }
}

/// Gives a record up.
pub(super) fn gives_up(turn: &mut Turn<'_, '_>) -> bool {
    let open = turn.records(|status| matches!(status, Status::Open | Status::Proposed));
    match turn.random.pick(&open).cloned() {
        Some(record) => {
            turn.apply(Op::Exit(record));
            true
        }
        None => false,
    }
}

/// Puts a new record in the place of one that is there.
pub(super) fn replaces(turn: &mut Turn<'_, '_>) -> bool {
    let nested: Vec<_> = turn
        .spots()
        .into_iter()
        .filter(|spot| turn.nested(spot.field).is_some() && turn.held(spot).is_some())
        .collect();
    match turn.random.pick(&nested).cloned() {
        Some(spot) => answer::give(turn, &spot),
        None => false,
    }
}
