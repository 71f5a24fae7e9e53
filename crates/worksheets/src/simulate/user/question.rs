use serde_json::Value as Json;

use super::{Spot, Turn};
use crate::desk::Op;
use crate::sheets::{Sheet, SheetKind, Type};
use crate::simulate::asked;
use crate::simulate::host::spoken;
use crate::state::{Status, Value};

fn question(turn: &mut Turn<'_, '_>, of: Option<&str>) -> Option<String> {
    let sheets = turn.draw.sheets.all().iter();
    let tables: Vec<&Sheet> = sheets
        .filter(|sheet| sheet.kind == SheetKind::Kb)
        .filter(|sheet| {
            of.is_none_or(|of| sheet.name == of || sheet.rows.iter().any(|row| row == of))
        })
        .collect();
    let table = *turn.random.pick(&tables)?;
    if let Some(row) = turn.random.pick(turn.draw.rows(&table.name)) {
        let question = asked::question(turn.random, table, row);
        return turn.apply(Op::Answer { question });
    }
    let table = &table.name;
    let spots = turn.spots();
    let about = turn.random.pick(&spots).cloned();
    let about = about
        .map(|spot| spoken(turn.held(&spot)))
        .unwrap_or_default();
    let number = turn.random.below(1_000);
    turn.apply(Op::Answer {
        question: format!("{table} number {number} {about}")
            .trim_end()
            .to_owned(),
    })
}

/// The value that a column is to have in the rows that a question is for.
pub(super) fn wanted(turn: &mut Turn<'_, '_>, record: &str, column: &str) -> Json {
    let known = column.split_once('.').and_then(|(table, column)| {
        let query = turn.before.query(record)?.text();
        let rows = turn.draw.rows(table).iter();
        let rows: Vec<_> = rows.filter(|row| asked::fits(&query, row)).collect();
        turn.random.pick(&rows)?.get(column).cloned()
    });
    known.unwrap_or_else(|| turn.draw.text(turn.random, "area").into())
}

/// A question aside.
pub(super) fn asks(turn: &mut Turn<'_, '_>) -> bool {
    question(turn, None).is_some()
}

/// The answer to a question of the user's is the value of a field.
pub(super) fn stands_for(turn: &mut Turn<'_, '_>) -> bool {
    let spots = turn.spots();
    let any = turn.random.pick(&spots).cloned();
    let spot = turn
        .asked_spot()
        .filter(|spot| spot.field.ty != Type::Confirm)
        .or(any);
    let Some(spot) = spot.filter(|spot| turn.nested(spot.field).is_none()) else {
        return false;
    };
    let Some(answer) = question(turn, None) else {
        return false;
    };
    turn.set(&spot.record, &spot.field.name, Value::Result(answer), false);
    true
}

/// Chooses a row for a field: of the rows that are offered, of an answer of before, or of one
/// that is asked for now.
pub(super) fn choose(turn: &mut Turn<'_, '_>, spot: &Spot<'_>) -> bool {
    let offered = match turn.held(spot) {
        Some(Value::Result(var)) => Some(var.clone()),
        _ => None,
    };
    let answers: Vec<String> = turn
        .desk
        .state()
        .records
        .iter()
        .filter(|record| record.status == Status::Done)
        .filter(|record| record.query().is_some_and(|query| !query.rows.is_empty()))
        .map(|record| record.var.clone())
        .collect();
    let known = turn
        .random
        .pick(&answers)
        .cloned()
        .filter(|_| turn.random.chance(50));
    if let Some(var) = offered.or(known) {
        let rows = turn
            .desk
            .state()
            .query(&var)
            .map_or(0, |query| query.rows.len());
        let at = turn.random.below(u64::try_from(rows).unwrap_or(0));
        let row = Value::Row(var, usize::try_from(at).unwrap_or(0));
        turn.set(&spot.record, &spot.field.name, row, false);
        return true;
    }
    let of = match spot.field.ty.item() {
        Type::Named(name) => Some(name.as_str()),
        _ => None,
    };
    let value = match question(turn, of) {
        Some(answer) => Value::Result(answer),
        None => Value::Plain("NA".into()),
    };
    turn.set(&spot.record, &spot.field.name, value, false);
    true
}

/// Asks what is known so far.
pub(super) fn shows(turn: &mut Turn<'_, '_>) -> bool {
    let records = turn.records(|_| true);
    match turn.random.pick(&records).cloned() {
        Some(record) => {
            turn.apply(Op::Show(record));
            true
        }
        None => false,
    }
}
