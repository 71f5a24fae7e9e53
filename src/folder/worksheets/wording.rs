//! What a model needs to word the acts of a turn.

use serde_json::{Map, Value as Json};
use worksheets::program::outside;
use worksheets::{Act, Field, Performed, Query, Reason, Sheet, Sheets, State, Status, Type, plain};

/// The most rows of an answer that are written out.
const ROWS: usize = 5;

/// An act with everything that its wording needs; `handoff` is what the owner has said where a
/// person takes over.
pub(super) fn line(
    sheets: &Sheets,
    state: &State,
    (performed, handoff): (&Performed, &str),
) -> String {
    let details = match &performed.act {
        Act::Handoff(_) if !handoff.is_empty() => format!("say word by word: {handoff}"),
        _ => details(sheets, state, performed),
    };
    match details.is_empty() {
        true => performed.to_string(),
        false => format!("{performed}: {details}"),
    }
}

pub(super) fn details(sheets: &Sheets, state: &State, performed: &Performed) -> String {
    match &performed.act {
        Act::Report(var) => match state.query(var) {
            Some(query) => found(query),
            None => reported(sheets, state, var),
        },
        Act::Say { .. } | Act::Handoff(_) => String::new(),
        Act::Propose(var) => {
            let about = sheet(sheets, state, var).map_or("", |sheet| &sheet.description);
            let about = about.trim_end_matches('.');
            join(
                [about.to_owned(), values(sheets, state, var).join("\n   ")],
                ". ",
            )
        }
        Act::Confirm(var, name) => {
            let value = written(&plain::field(sheets, state, var, name));
            join(
                [
                    meaning(sheets, state, var, name),
                    format!("is {value} right"),
                ],
                "; ",
            )
        }
        Act::Ask(var, name) => asked(sheets, state, performed, var, name),
    }
}

fn asked(sheets: &Sheets, state: &State, performed: &Performed, var: &str, name: &str) -> String {
    let mut parts = vec![meaning(sheets, state, var, name)];
    if let Some(field) = field(sheets, state, var, name) {
        if field.ty == Type::Enum {
            parts.push(format!("options: {}", field.options.join(", ")));
        }
        if let Some(slot) = state.task(var).and_then(|(_, task)| task.fields.get(name)) {
            if let Some(invalid) = &slot.invalid {
                parts.push(format!(
                    "{} was refused: {}",
                    written(&invalid.value),
                    invalid.why
                ));
            }
            if let Some(stale) = &slot.stale {
                let old = written(&stale.json());
                parts.push(format!("it was {old} before a change made that stale"));
            }
        }
        if field.ty == Type::Confirm {
            let values = agreed_lines(sheets, state, var);
            parts.extend(taken_back(state, var).map(str::to_owned));
            parts.push(format!(
                "all values, each to be shown:\n   {}",
                values.join("\n   ")
            ));
        }
        if performed.reason == Some(Reason::Choose) {
            parts.push("one of the rows that were found is to be chosen".to_owned());
        }
    }
    join(parts, ". ")
}

/// What was taken back of what a form did.
pub(super) fn taken_back<'s>(state: &'s State, var: &str) -> Option<&'s str> {
    let failed = state.task(var)?.1.failed.as_ref()?;
    failed
        .is_taken_back()
        .then(|| failed.message.trim_end_matches('.'))
}

/// What a field means, as its owner wrote it.
pub(super) fn meaning(sheets: &Sheets, state: &State, var: &str, name: &str) -> String {
    let described = field(sheets, state, var, name).map(|it| it.description.as_str());
    match (
        described.unwrap_or_default().trim_end_matches('.'),
        name.split_once('.'),
    ) {
        // A column that a question waits for.
        ("", Some((table, column))) => {
            format!("the {} of {} to look for", spaced(column), spaced(table))
        }
        ("", None) => spaced(name),
        (text, _) => text.to_owned(),
    }
}

fn found(query: &Query) -> String {
    if let Some(error) = &query.error {
        return format!("{:?} could not be looked up: {error}", query.question);
    }
    let total = query.total.unwrap_or(query.rows.len() as u64);
    if query.rows.is_empty() {
        return format!("nothing was found for {:?}", query.question);
    }
    let rows = query.rows.iter().take(ROWS);
    let rows: Vec<String> = rows
        .map(|row| Json::Object(row.clone()).to_string())
        .collect();
    format!(
        "{:?}, rows 1 to {} of {total}:\n   {}",
        query.question,
        rows.len(),
        rows.join("\n   ")
    )
}

fn reported(sheets: &Sheets, state: &State, var: &str) -> String {
    let Some((record, task)) = state.task(var) else {
        return String::new();
    };
    match (&task.failed, record.status) {
        (Some(failed), Status::Done) => format!(
            "done, with the result {}; then failed: {}",
            written(task.result.as_ref().unwrap_or(&Json::Null)),
            failed.message
        ),
        (Some(failed), _) => format!("failed: {}", failed.message),
        (None, Status::Done) => {
            format!(
                "done, with the result {}",
                written(task.result.as_ref().unwrap_or(&Json::Null))
            )
        }
        _ => format!("so far:\n   {}", values(sheets, state, var).join("\n   ")),
    }
}

/// The effective values of a record and of those below it, one a line.
pub(super) fn values(sheets: &Sheets, state: &State, var: &str) -> Vec<String> {
    lines(named(sheets, state, var))
}

fn lines(values: Vec<(String, Json)>) -> Vec<String> {
    let values = values.into_iter();
    let lines = values.map(|(name, value)| format!("{name}: {}", written(&value)));
    lines.collect()
}

/// The values that a user who says yes to a record agrees to, one a line.
pub(super) fn agreed_lines(sheets: &Sheets, state: &State, var: &str) -> Vec<String> {
    lines(agreed(sheets, state, var))
}

/// The same values with their names: those of the record and of those below it, and those from
/// elsewhere that its call passes on.
pub(super) fn agreed(sheets: &Sheets, state: &State, var: &str) -> Vec<(String, Json)> {
    let mut out = named(sheets, state, var);
    let code = sheet(sheets, state, var).map_or("", |sheet| &sheet.backend);
    for (path, value) in outside(sheets, state, var, code) {
        let path = path.strip_prefix("self.").unwrap_or(&path);
        if !value.is_null() {
            flat(&spaced(&path.replace('.', ", ")), &value, &mut out);
        }
    }
    out
}

/// The same values with their names.
pub(super) fn named(sheets: &Sheets, state: &State, var: &str) -> Vec<(String, Json)> {
    let mut out = Vec::new();
    flat("", &plain::record(sheets, state, var), &mut out);
    out
}

/// Values with their names. A table's row is one value: its first column.
fn flat(above: &str, json: &Json, out: &mut Vec<(String, Json)>) {
    let Json::Object(map) = json else {
        out.push((above.to_owned(), json.clone()));
        return;
    };
    for (name, value) in map {
        let name = spaced(name);
        let name = match above {
            "" => name,
            above => format!("{above}, {name}"),
        };
        flat(&name, value, out);
    }
}

fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// A value for people: a text without quotes, in one line, so that no value looks like the next one.
pub(super) fn written(json: &Json) -> String {
    match json {
        Json::String(text) => in_one_line(text),
        Json::Null => "nothing".to_owned(),
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        Json::Array(items) => items.iter().map(written).collect::<Vec<_>>().join(", "),
        Json::Object(map) => pairs(map),
        Json::Number(number) => number.to_string(),
    }
}

fn in_one_line(text: &str) -> String {
    let breaks = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
    ];
    if !text.contains(breaks) {
        return text.to_owned();
    }
    let lines = text.split(breaks).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(" / ")
}

fn pairs(map: &Map<String, Json>) -> String {
    let pairs = map.iter();
    let pairs: Vec<String> = pairs
        .map(|(key, it)| format!("{} {}", spaced(key), written(it)))
        .collect();
    pairs.join(", ")
}

pub(super) fn sheet<'s>(sheets: &'s Sheets, state: &State, var: &str) -> Option<&'s Sheet> {
    sheets.get(&state.task(var)?.1.sheet)
}

pub(super) fn field<'s>(
    sheets: &'s Sheets,
    state: &State,
    var: &str,
    name: &str,
) -> Option<&'s Field> {
    let sheet = sheet(sheets, state, var)?;
    sheet.fields.get(sheet.field(name)?)
}

fn join(parts: impl IntoIterator<Item = String>, with: &str) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(with)
}
