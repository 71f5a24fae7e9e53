//! From dialogues to rows.

use super::{RowAttribute, RowGoal, TurnRow};
use crate::dataset::Dialogue;
use crate::dialogue::{GoalRecord, Stack, write_transcript};
use crate::error::{Error, Result};
use std::path::Path;

/// The rows of dialogues that were read from `root`: a dataset's folder, one of its parts, or
/// one file.
///
/// # Errors
/// A dialogue has no turn, breaks the status rules, or is not in the canonical form of
/// [`write_transcript`], so that its file could not be restored from the rows.
pub fn rows(root: &Path, dialogues: &[Dialogue]) -> Result<Vec<TurnRow>> {
    let mut all = Vec::new();
    for dialogue in dialogues {
        let wrong = |problem| Error::Content {
            path: dialogue.path.clone(),
            problem,
        };
        all.extend(of_dialogue(&place(root, dialogue), dialogue).map_err(wrong)?);
    }
    Ok(all)
}

/// Where a dialogue lies in its dataset, which may be above `root`.
fn place(root: &Path, dialogue: &Dialogue) -> String {
    let path = dialogue.path.strip_prefix(root).unwrap_or(&dialogue.path);
    let mut names: Vec<String> = path
        .components()
        .map(|name| name.as_os_str().to_string_lossy().into_owned())
        .collect();
    if names.len() < 2 {
        let name = dialogue.path.file_name().unwrap_or_default();
        let split = dialogue.split.map(|split| split.to_string());
        names = Vec::from_iter(split);
        names.push(name.to_string_lossy().into_owned());
    }
    names.join("/")
}

/// The rows of one dialogue, or why there are none.
pub(super) fn of_dialogue(file: &str, dialogue: &Dialogue) -> Result<Vec<TurnRow>, String> {
    let transcript = &dialogue.transcript;
    let written = write_transcript(transcript);
    if let Some(line) = first_difference(&dialogue.text, &written) {
        return Err(format!(
            "line {line}: white space, a comment or an order that rows would not keep; \
             `dialog2api dataset annotate --write` writes it as it should be"
        ));
    }
    if transcript.turns.is_empty() {
        return Err("a dialogue without a turn has no rows".to_owned());
    }
    let mut stack = Stack::default();
    let mut said = transcript.greeting.as_ref();
    let attributes = transcript.attributes.iter();
    let attributes = attributes.map(|(name, value)| RowAttribute {
        name: name.clone(),
        value: value.clone(),
    });
    let attributes: Vec<RowAttribute> = attributes.collect();
    let mut rows = Vec::with_capacity(transcript.turns.len());
    for (number, turn) in (1..).zip(&transcript.turns) {
        let after = stack.replayed(turn).map_err(|violations| {
            let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
            format!("turn {number}: {}", reasons.join("; "))
        })?;
        let before = stack.goals().iter();
        rows.push(TurnRow {
            dialogue: transcript.uid.clone(),
            goal: dialogue.goal().map(str::to_owned),
            world: dialogue.world().map(str::to_owned),
            split: dialogue.split,
            turn: number,
            turns: u32::try_from(transcript.turns.len()).unwrap_or(u32::MAX),
            stack: before
                .map(|goal| RowGoal::from(&GoalRecord::from(&**goal)))
                .collect(),
            previous_response: said.cloned(),
            utterance: turn.user.clone(),
            programs: turn.goals.iter().map(RowGoal::from).collect(),
            signature: turn
                .goals
                .iter()
                .rev()
                .find_map(|goal| goal.signature.clone()),
            response: turn.response.clone(),
            file: file.to_owned(),
            attributes: attributes.clone(),
            initial_signature: transcript.initial_signature.clone(),
            greeting: transcript.greeting.clone(),
        });
        stack = after;
        said = turn.response.as_ref();
    }
    Ok(rows)
}

/// The first line, from 1, in which two texts differ.
fn first_difference(one: &str, other: &str) -> Option<usize> {
    if one == other {
        return None;
    }
    let same = one
        .split('\n')
        .zip(other.split('\n'))
        .take_while(|(a, b)| a == b);
    Some(same.count() + 1)
}
