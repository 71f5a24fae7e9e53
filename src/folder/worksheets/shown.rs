//! The forms of a dialogue as people see them: what is filled in, what is missing, what is asked
//! and why.

use super::record::Kept;
use super::wording::written;
use std::fmt::Write;
use worksheets::{
    Act, Body, Field, FieldKind, Performed, Reason, SheetKind, Sheets, Slot, State, Status, Type,
    Value, plain,
};

/// The forms, one after the other, and why the agent asked last what it asked.
pub fn shown(sheets: &Sheets, kept: &Kept) -> String {
    let mut out = String::new();
    for record in &kept.state.records {
        match &record.body {
            _ if record.status == Status::Exited => {}
            Body::Task(task) => {
                let sheet = sheets.get(&task.sheet);
                let about = sheet.map_or("", |sheet| &sheet.description);
                let about = match about {
                    "" => String::new(),
                    about => format!(": {}", about.trim_end_matches('.')),
                };
                let _ = writeln!(out, "{} ({}){about}", record.var, record.status.name());
                let asked = asked_of(kept, &record.var);
                for field in sheet.map_or(&[][..], |sheet| &sheet.fields) {
                    let slot = task.fields.get(&field.name);
                    let is_asked = asked == Some(field.name.as_str());
                    if let Some(line) = slot_line(sheets, &kept.state, &record.var, field, slot) {
                        let mark = if is_asked { ">" } else { " " };
                        let _ = writeln!(out, " {mark} {}: {line}", field.name);
                    }
                }
                match &task.failed {
                    Some(failed) if failed.error == State::TAKEN_BACK => {
                        out.push_str("   taken back\n");
                    }
                    Some(failed) if failed.is_taken_back() => {
                        let _ = writeln!(out, "   taken back in part: {}", failed.message);
                    }
                    Some(failed) => {
                        let _ = writeln!(out, "   failed: {}", failed.message);
                    }
                    None => {}
                }
                if let Some(result) = &task.result {
                    let _ = writeln!(out, "   result: {}", written(result));
                }
            }
            Body::Query(query) => {
                let total = query.total.unwrap_or(query.rows.len() as u64);
                let found = match (&query.error, query.missing.as_slice()) {
                    (Some(error), _) => format!("failed: {error}"),
                    (None, []) => format!("{total} found"),
                    (None, missing) => format!("waits for {}", missing.join(", ")),
                };
                let _ = writeln!(out, "{} ({:?}): {found}", record.var, query.question);
            }
        }
    }
    if out.is_empty() {
        let tasks = sheets
            .all()
            .iter()
            .filter(|sheet| sheet.kind == SheetKind::Task);
        let names: Vec<&str> = tasks.map(|sheet| sheet.name.as_str()).collect();
        let _ = writeln!(out, "No form is open. There are: {}.", names.join(", "));
    }
    for performed in &kept.acts {
        let why = why(&kept.state, performed);
        let _ = writeln!(out, "{performed}{why}");
    }
    for note in &kept.notes {
        let _ = writeln!(out, "note: {note}");
    }
    for problem in &kept.problems {
        let _ = writeln!(out, "{problem}");
    }
    out
}

fn asked_of<'k>(kept: &'k Kept, var: &str) -> Option<&'k str> {
    kept.acts.iter().find_map(|performed| match &performed.act {
        Act::Ask(record, field) | Act::Confirm(record, field) if record == var => {
            Some(field.as_str())
        }
        _ => None,
    })
}

/// What a field has, or what it lacks; nothing for one that is not asked now.
fn slot_line(
    sheets: &Sheets,
    state: &State,
    var: &str,
    field: &Field,
    slot: Option<&Slot>,
) -> Option<String> {
    let value = slot.and_then(|slot| slot.value.as_ref());
    let is_settled = state.get(var).is_some_and(worksheets::Record::is_closed);
    if let Some(invalid) = slot.and_then(|slot| slot.invalid.as_ref()) {
        return Some(format!(
            "{} was refused: {}",
            written(&invalid.value),
            invalid.why
        ));
    }
    if let Some(value) = value {
        let mut line = match value {
            Value::Record(held) => held.clone(),
            _ => written(&plain::field(sheets, state, var, &field.name)),
        };
        if slot.is_some_and(|slot| slot.confirmed) {
            line += " (confirmed)";
        } else if field.confirm {
            line += " (to be confirmed)";
        }
        return Some(line);
    }
    if slot.is_some_and(|slot| slot.declined) {
        return Some("not given, and that is all right if it is optional".to_owned());
    }
    let is_open = field.kind == FieldKind::Input && !is_settled && !field.dont_ask;
    let active = worksheets::holds(sheets, state, Some(var), &field.predicate);
    let level = match &field.ty {
        Type::Confirm => "missing; asked when all else is there",
        _ if field.is_required() => "missing",
        _ => "missing, optional",
    };
    (is_open && active).then(|| level.to_owned())
}

/// Why a question is asked as it is.
fn why(state: &State, performed: &Performed) -> String {
    let said = match performed.reason {
        None => match &performed.act {
            Act::Ask(var, _) => {
                let about = state.task(var).map(|(_, task)| task.sheet.as_str());
                return about.map_or(String::new(), |sheet| {
                    format!(": the next field of {sheet} that is missing")
                });
            }
            Act::Confirm(..) => "the value counts when the user has confirmed it",
            _ => return String::new(),
        },
        Some(Reason::Invalid) => "the value was refused",
        Some(Reason::Stale) => "a change of an earlier field took the value away",
        Some(Reason::Choose) => "there are several rows to choose from",
        Some(Reason::Declined) => "the user said no to the values as they are",
        Some(Reason::Failed) => why_failed(state, performed),
        Some(Reason::Stuck) => "it was asked several times, to no use",
        Some(Reason::Refused) => "it is required, and the user refused it",
        Some(Reason::Again) => "it was asked in the last turn",
        Some(Reason::Resume) => "the agent goes back to what was interrupted",
        Some(Reason::Repeat) => "the user did not understand",
    };
    format!(": {said}")
}

/// Why a form that was done, or failed, is asked about.
fn why_failed(state: &State, performed: &Performed) -> &'static str {
    let task = performed.act.record().and_then(|var| state.task(var));
    let failed = task.and_then(|(_, task)| task.failed.as_ref());
    match failed.map(|failed| (failed.is_taken_back(), failed.error.as_str())) {
        Some((true, State::TAKEN_BACK)) => "what was done was taken back",
        Some((true, _)) => "a part of what was done was taken back",
        _ => "the call failed",
    }
}
