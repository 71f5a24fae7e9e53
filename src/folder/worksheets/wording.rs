//! What a model needs to word the acts of a turn, a reply that needs no model, and what is
//! wrong with one.

use super::record::Kept;
use serde_json::{Map, Value as Json};
use worksheets::{
    Act, Field, Performed, Query, Reason, Sheet, Sheets, State, Status, Type, judge_reply, plain,
};

/// The most rows of an answer that are written out.
const ROWS: usize = 5;

/// An act with everything that its wording needs; `handoff` is what the owner has said where a
/// person takes over.
pub fn line(sheets: &Sheets, state: &State, (performed, handoff): (&Performed, &str)) -> String {
    let details = match &performed.act {
        Act::Handoff(_) if !handoff.is_empty() => format!("say word by word: {handoff}"),
        _ => details(sheets, state, performed),
    };
    match details.is_empty() {
        true => performed.to_string(),
        false => format!("{performed}: {details}"),
    }
}

fn details(sheets: &Sheets, state: &State, performed: &Performed) -> String {
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
            let values = values(sheets, state, var);
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
fn taken_back<'s>(state: &'s State, var: &str) -> Option<&'s str> {
    let failed = state.task(var)?.1.failed.as_ref()?;
    failed
        .is_taken_back()
        .then(|| failed.message.trim_end_matches('.'))
}

/// What a field means, as its owner wrote it.
fn meaning(sheets: &Sheets, state: &State, var: &str, name: &str) -> String {
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

/// The question for a field, without a model.
fn question(sheets: &Sheets, state: &State, performed: &Performed, at: (&str, &str)) -> String {
    let (var, name) = at;
    let mut said = Vec::new();
    let slot = state.task(var).and_then(|(_, task)| task.fields.get(name));
    if let Some(invalid) = slot.and_then(|slot| slot.invalid.as_ref()) {
        let value = capital(&written(&invalid.value));
        let why = invalid.why.trim_end_matches('.');
        said.push(format!("{value} was refused: {why}."));
    }
    if let Some(stale) = slot.and_then(|slot| slot.stale.as_ref()) {
        let old = written(&stale.json());
        said.push(format!("It was {old}, which a change made stale."));
    }
    let of = field(sheets, state, var, name).filter(|field| field.ty == Type::Enum);
    let among = match (of, performed.reason) {
        (Some(field), _) => format!(" ({})", field.options.join(", ")),
        (None, Some(Reason::Choose)) => " (one of those that were found)".to_owned(),
        (None, _) => String::new(),
    };
    said.push(format!(
        "{}{among}?",
        capital(&meaning(sheets, state, var, name))
    ));
    said.join(" ")
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
pub fn values(sheets: &Sheets, state: &State, var: &str) -> Vec<String> {
    let mut out = Vec::new();
    flat("", &plain::record(sheets, state, var), &mut out);
    out.into_iter()
        .map(|(name, value)| format!("{name}: {}", written(&value)))
        .collect()
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
pub fn written(json: &Json) -> String {
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

pub fn sheet<'s>(sheets: &'s Sheets, state: &State, var: &str) -> Option<&'s Sheet> {
    sheets.get(&state.task(var)?.1.sheet)
}

pub fn field<'s>(sheets: &'s Sheets, state: &State, var: &str, name: &str) -> Option<&'s Field> {
    let sheet = sheet(sheets, state, var)?;
    sheet.fields.get(sheet.field(name)?)
}

fn join(parts: impl IntoIterator<Item = String>, with: &str) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(with)
}

/// A reply with one fixed sentence for each act.
pub fn plain(sheets: &Sheets, kept: &Kept, handoff: &str) -> String {
    let (state, acts) = (&kept.state, &kept.acts);
    let sentence = |performed: &Performed| {
        let details = details(sheets, state, performed);
        match &performed.act {
            Act::Report(_) => format!("{}.", capital(details.trim_end_matches('.'))),
            Act::Say { text, .. } => text.clone(),
            Act::Propose(_) => format!("I can go on with this: {details}\nShall I?"),
            Act::Confirm(..) => format!("{}?", capital(&details)),
            Act::Ask(var, name) => {
                let asked = field(sheets, state, var, name);
                match asked.is_some_and(|field| field.ty == Type::Confirm) {
                    true => all_right(sheets, state, var),
                    false => question(sheets, state, performed, (var, name)),
                }
            }
            Act::Handoff(why) if handoff.is_empty() => {
                format!("A person will take over. {}", capital(why))
            }
            Act::Handoff(_) => format!("A person will take over. {handoff}"),
        }
    };
    match acts.is_empty() {
        true => "All right. Can I help with anything else?".to_owned(),
        false => acts.iter().map(sentence).collect::<Vec<_>>().join("\n"),
    }
}

/// The question for a yes to a whole form.
fn all_right(sheets: &Sheets, state: &State, var: &str) -> String {
    let about = sheet(sheets, state, var).map_or("", |sheet| &sheet.description);
    let mut lines = vec![format!("{}:", about.trim_end_matches('.'))];
    lines.extend(values(sheets, state, var));
    let asked = match taken_back(state, var) {
        Some(why) => format!("{why}. Shall it be done like this?"),
        None => "Is that right?".to_owned(),
    };
    format!("{}\n{asked}", lines.join("\n   "))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// What is wrong with a reply, a sentence each.
pub fn findings(sheets: &Sheets, kept: &Kept, (reply, handoff): (&str, &str)) -> Vec<String> {
    let mut findings = judge_reply(reply, &kept.acts);
    let mut acts = kept.acts.iter().map(|performed| &performed.act);
    if acts.any(|act| matches!(act, Act::Handoff(_))) && !reply.contains(handoff) {
        findings.push(format!("the reply lacks, letter by letter: {handoff}"));
    }
    for performed in &kept.acts {
        let Act::Ask(var, name) = &performed.act else {
            continue;
        };
        let field = field(sheets, &kept.state, var, name);
        if field.is_none_or(|field| field.ty != Type::Confirm) {
            continue;
        }
        let mut all = Vec::new();
        flat("", &plain::record(sheets, &kept.state, var), &mut all);
        let missing: Vec<String> = all
            .iter()
            .filter(|(_, value)| !is_said(reply, value))
            .map(|(name, value)| format!("{name}: {}", written(value)))
            .collect();
        if !missing.is_empty() {
            findings.push(format!(
                "the user cannot say yes to what the reply does not show: {}",
                missing.join("; ")
            ));
        }
    }
    findings
}

/// Whether a reply has a value, in one of the ways in which people write it.
fn is_said(reply: &str, value: &Json) -> bool {
    let folded = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let reply_folded = folded(reply);
    match value {
        Json::Null | Json::Bool(_) => true,
        Json::Array(items) => items.iter().all(|item| is_said(reply, item)),
        Json::Object(row) => row.values().any(|column| is_said(reply, column)),
        Json::Number(number) => {
            let digits = number.to_string();
            let mut numbers = reply.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
            numbers.any(|it| it.trim_end_matches('.') == digits) || spelled(number, &reply_folded)
        }
        Json::String(text) if text == "NA" => true,
        Json::String(text) => {
            reply_folded.contains(&folded(text))
                || is_date_said(text, reply)
                || is_time_said(text, reply)
        }
    }
}

fn spelled(number: &serde_json::Number, reply: &str) -> bool {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let small = number.as_u64().and_then(|it| usize::try_from(it).ok());
    small
        .and_then(|it| WORDS.get(it))
        .is_some_and(|word| reply.contains(word))
}

/// `2026-12-05` as "5 December" or "December 5th".
fn is_date_said(text: &str, reply: &str) -> bool {
    let Ok(date) = text.parse::<jiff::civil::Date>() else {
        return false;
    };
    let day = date.day().to_string();
    let mut numbers = reply.split(|c: char| !c.is_ascii_digit());
    let month = date.strftime("%b").to_string().to_lowercase();
    numbers.any(|it| it.trim_start_matches('0') == day) && reply.to_lowercase().contains(&month)
}

/// `19:30` as "7:30 pm".
fn is_time_said(text: &str, reply: &str) -> bool {
    let Ok(time) = text.parse::<jiff::civil::Time>() else {
        return false;
    };
    if text.len() > 8 || !text.contains(':') {
        return false;
    }
    let hour = (time.hour() + 11) % 12 + 1;
    let mut numbers = reply.split(|c: char| !c.is_ascii_digit());
    numbers.any(|it| it.trim_start_matches('0') == hour.to_string())
        && (time.minute() == 0 || reply.contains(&format!("{:02}", time.minute())))
}
