//! From rows back to dialogues.

use super::{TurnRow, export};
use crate::dataset::{Dialogue, file};
use crate::dialogue::{Transcript, Turn, read_transcript, write_transcript};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// The dialogues in JSON Lines, in the order of their paths. [`Dialogue::path`] is relative to
/// the dataset. The rows may be in any order.
///
/// `Err` is a sentence with the line of the mistake: a line that is not a row, a turn that is
/// missing or occurs twice, a field that contradicts the rest of its dialogue, or a path that
/// leads out of the dataset.
pub fn dialogues(text: &str) -> Result<Vec<Dialogue>, String> {
    let mut files: BTreeMap<String, Vec<Numbered>> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let row: TurnRow = serde_json::from_str(line).map_err(|error| {
            // Only this line was parsed, so the parser's own line number is always 1.
            let reason = error.to_string().replace(" at line 1 column", ", column");
            format!("line {number}: no row of a dialogue: {reason}")
        })?;
        let rows = files.entry(row.file.clone()).or_default();
        rows.push(Numbered { number, row });
    }
    if files.is_empty() {
        return Err("expected rows of dialogues, one a line, and has none".to_owned());
    }
    let whole = files.into_iter().map(|(file, rows)| dialogue(&file, rows));
    whole.collect()
}

/// A row and the line that it stands in, from 1.
struct Numbered {
    number: usize,
    row: TurnRow,
}

fn dialogue(file: &str, mut rows: Vec<Numbered>) -> Result<Dialogue, String> {
    rows.sort_by_key(|numbered| numbered.row.turn);
    let Some(Numbered { number, row: first }) = rows.first() else {
        return Err(format!("{file}: no rows"));
    };
    if !is_inside(file) {
        return Err(format!(
            "line {number}: {file:?} is no place for a dialogue: a relative path to a file \
             *.xml is expected"
        ));
    }
    let mut turns = Vec::with_capacity(rows.len());
    for (expected, Numbered { number, row }) in (1..).zip(&rows) {
        if row.turn == 0 {
            return Err(format!("line {number}: the turns of {file} count from 1"));
        } else if row.turn < expected {
            return Err(format!("line {number}: turn {} of {file} again", row.turn));
        } else if row.turn > expected {
            return Err(format!("turn {expected} of {file} is missing"));
        }
        let goals = row.programs.iter().map(super::RowGoal::record);
        turns.push(Turn {
            user: row.utterance.clone(),
            goals: goals
                .collect::<Result<_, _>>()
                .map_err(|problem| format!("line {number}: {problem}"))?,
            response: row.response.clone(),
        });
    }
    if turns.len() < usize::try_from(first.turns).unwrap_or(usize::MAX) {
        return Err(format!("turn {} of {file} is missing", turns.len() + 1));
    }
    let attributes = first.attributes.iter();
    let transcript = Transcript {
        uid: first.dialogue.clone(),
        attributes: attributes
            .map(|attribute| (attribute.name.clone(), attribute.value.clone()))
            .collect(),
        initial_signature: first.initial_signature.clone(),
        greeting: first.greeting.clone(),
        turns,
    };
    let text = write_transcript(&transcript);
    // A name with a blank in it, or white space around an utterance, does not survive.
    if read_transcript(&text).as_ref() != Ok(&transcript) {
        return Err(format!(
            "line {number}: {file} cannot be written so that it reads the same; the uid, the \
             attributes and the texts must be as an export has them"
        ));
    }
    let dialogue = Dialogue {
        path: file.into(),
        split: file::split(Path::new(file)),
        text,
        transcript,
    };
    let expected = export::of_dialogue(file, &dialogue)
        .map_err(|problem| format!("line {number}: {file}: {problem}"))?;
    for (Numbered { number, row }, expected) in rows.iter().zip(&expected) {
        if let Some(field) = different_field(row, expected) {
            return Err(format!(
                "line {number}: `{field}` does not agree with the rest of {file}"
            ));
        }
    }
    Ok(dialogue)
}

/// Whether a path stays below the folder that it is taken from, on every system.
fn is_inside(file: &str) -> bool {
    let path = Path::new(file);
    let mut names = path.components();
    names.all(|name| matches!(name, Component::Normal(_)))
        && !file.contains(['\\', ':', '\0'])
        && path.extension().is_some_and(|extension| extension == "xml")
}

/// The first field in which two rows differ.
fn different_field(one: &TurnRow, other: &TurnRow) -> Option<String> {
    if one == other {
        return None;
    }
    let fields = |row| match serde_json::to_value(row) {
        Ok(Json::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (one, other) = (fields(one), fields(other));
    let mut names = one.iter();
    let differs = names.find(|(name, value)| other.get(*name) != Some(*value));
    Some(differs.map_or_else(|| "row".to_owned(), |(name, _)| name.clone()))
}
