//! What a reply lacks of an act.

use serde_json::Value as Json;

use super::said::is_told;
use crate::act::Act;
use crate::plain;
use crate::sheets::Sheets;
use crate::state::{State, Status};

/// Words by which something is said not to be there.
const NO: &[&str] = &[
    "no", "not", "none", "nothing", "never", "neither", "nor", "nobody", "without", "cannot",
    "zero", "t", "kein", "keine", "keinen", "keiner", "keines", "nicht", "nichts", "ohne", "non",
    "nessun", "nessuno", "nessuna", "niente", "nulla", "senza",
];

/// What is wrong with an act in a reply, in a sentence.
pub(super) fn lacking(reply: &str, sheets: &Sheets, state: &State, act: &Act) -> Option<String> {
    match act {
        Act::Say {
            text,
            verbatim: true,
        } => (!reply.contains(text.as_str()))
            .then(|| format!("the reply lacks, letter by letter: {text}")),
        Act::Say { text, .. } => {
            let lacking: Vec<&str> = marks(text)
                .into_iter()
                .filter(|mark| !is_told(reply, &number_or_text(mark)))
                .collect();
            (!lacking.is_empty()).then(|| {
                let lacking = lacking.join(", ");
                format!("the reply is to say {text:?}, and lacks {lacking}")
            })
        }
        Act::Report(var) => reported(reply, sheets, state, var),
        Act::Confirm(var, field) => {
            let value = plain::field(sheets, state, var, field);
            (!is_told(reply, &value))
                .then(|| format!("the reply asks whether a value is right, and lacks it: {value}"))
        }
        Act::Propose(var) => {
            let Json::Object(fields) = plain::record(sheets, state, var) else {
                return None;
            };
            let lacking = fields.iter().filter(|(_, value)| !is_told(reply, value));
            let lacking: Vec<String> = lacking.map(|(name, it)| format!("{name} {it}")).collect();
            (!lacking.is_empty()).then(|| {
                format!(
                    "the reply lacks of what it proposes: {}",
                    lacking.join(", ")
                )
            })
        }
        Act::Ask(..) | Act::Handoff(_) => None,
    }
}

fn reported(reply: &str, sheets: &Sheets, state: &State, var: &str) -> Option<String> {
    if let Some(query) = state.query(var) {
        let question = &query.question;
        return match query.rows.first() {
            _ if query.error.is_some() => None,
            Some(row) => {
                let row = Json::Object(row.clone());
                (!is_told(reply, &row)).then(|| {
                    format!("the reply says nothing of what was found for {question:?}: {row}")
                })
            }
            None => (!denies(reply))
                .then(|| format!("the reply does not say that nothing was found for {question:?}")),
        };
    }
    let (record, task) = state.task(var)?;
    if task.failed.is_some() {
        return None;
    }
    // What came of it, or what was asked for.
    let result = task
        .result
        .clone()
        .filter(|_| record.status == Status::Done);
    let told = [
        plain::record(sheets, state, var),
        result.unwrap_or_default(),
    ];
    let is_empty = |json: &Json| json.is_null() || json.as_object().is_some_and(|it| it.is_empty());
    let mut known = told.iter().filter(|json| !is_empty(json)).peekable();
    (known.peek().is_some() && !known.any(|json| is_told(reply, json)))
        .then(|| format!("the reply says nothing of {var}"))
}

fn denies(reply: &str) -> bool {
    let mut words = reply.split(|c: char| !c.is_alphanumeric());
    words.any(|word| NO.contains(&word.to_lowercase().as_str()))
}

fn number_or_text(mark: &str) -> Json {
    serde_json::from_str::<serde_json::Number>(mark).map_or_else(|_| mark.into(), Json::Number)
}

/// The numbers of a text, and its names: words with a capital that begin no sentence.
fn marks(text: &str) -> Vec<&str> {
    let mut begins = true;
    let mut marks = Vec::new();
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mut chars = bare.chars();
        let is_name = chars.next().is_some_and(char::is_uppercase) && chars.next().is_some();
        if bare.starts_with(|c: char| c.is_ascii_digit()) || is_name && !begins {
            marks.push(bare);
        }
        begins = word.ends_with(['.', '!', '?', ':', '"']);
    }
    marks
}
