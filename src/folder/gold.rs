//! `gold.jsonl`: recorded calls with the state that they must lead to.

use super::Folder;
use super::held_state::HeldState;
use super::python_json::{sha256, sha256_of_value};
use super::world::FolderWorld;
use crate::domain::{Answer, StateValue, Value, World};
use crate::error::{Error, Result};
use crate::exec::Seed;
use serde::Deserialize;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file with recorded calls.
pub const FILE: &str = "gold.jsonl";

/// One recording: a line of `gold.jsonl`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Its name, for people.
    pub name: String,
    /// The initial world; by default that of the domain.
    #[serde(default)]
    world: Option<String>,
    /// The initial state itself, instead of a world.
    #[serde(default)]
    initial: Option<Json>,
    /// The calls: operation, parameters, and what is expected of the answer.
    #[serde(default)]
    calls: Vec<RecordedCall>,
    /// The calls by turn, instead of `calls`.
    #[serde(default)]
    turns: Vec<Vec<RecordedCall>>,
    /// The state in the end.
    #[serde(default)]
    state: Option<Json>,
    /// The SHA-256 of the state in the end, as Python's `json.dumps(state, sort_keys=True)`
    /// writes it.
    #[serde(default)]
    state_sha256: Option<String>,
    /// The same after each turn.
    #[serde(default)]
    states_sha256: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum RecordedCall {
    Expecting(String, serde_json::Map<String, Json>, Expected),
    Plain(String, serde_json::Map<String, Json>),
}

/// The answer that a recording expects.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    #[serde(default)]
    result: Option<Json>,
    #[serde(default)]
    error: Option<String>,
    /// As `state_sha256`, of the result.
    #[serde(default)]
    python_sha256: Option<String>,
}

/// The result of replaying one recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// The recording's name.
    pub name: String,
    /// The line of `gold.jsonl` that has it, from 1.
    pub line: usize,
    /// How many calls were made.
    pub calls: usize,
    /// Each way in which it went otherwise, as a sentence; empty where it went as recorded.
    pub differences: Vec<String>,
}

impl Recording {
    /// The initial world that it names.
    pub fn world(&self) -> Option<&str> {
        self.world.as_deref()
    }

    /// Its calls, and whether each is to raise an error.
    pub fn calls(&self) -> impl Iterator<Item = (&str, &serde_json::Map<String, Json>, bool)> {
        let calls = self.turns.iter().flatten().chain(&self.calls);
        calls.map(|call| match call {
            RecordedCall::Plain(operation, params) => (operation.as_str(), params, false),
            RecordedCall::Expecting(operation, params, expected) => {
                (operation.as_str(), params, expected.error.is_some())
            }
        })
    }
}

/// Reads the recordings of a folder, each with its line.
///
/// # Errors
/// [`Error::File`], or [`Error::Content`] with the line of what is wrong.
pub fn read(folder: &Path) -> Result<Vec<(usize, Recording)>> {
    let path = folder.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
    let wrong = |line, problem| Error::Content {
        path: path.clone(),
        problem: format!("line {line}: {problem}"),
    };
    recordings(&text)
        .map(|(line, read)| Ok((line, read.map_err(|problem| wrong(line, problem))?)))
        .collect()
}

/// The recordings in a text by line, or what is wrong in that line.
pub fn recordings(text: &str) -> impl Iterator<Item = (usize, Result<Recording, String>)> {
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(line, number)| {
        let read = serde_json::from_str(line);
        // The line that serde counts is always the first.
        let sentence = |error: serde_json::Error| {
            let text = error.to_string();
            text.replace(" at line 1 column ", ", in column ")
        };
        (number, read.map_err(sentence))
    })
}

/// Replays the recordings of a folder, on as many instances at once as there are cores, and
/// tells `progress` how many are done.
///
/// # Errors
/// `gold.jsonl` cannot be read, a world of it cannot, or the sandbox failed.
pub async fn replay_gold(
    folder: &Arc<Folder>,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Replayed>> {
    folder.code()?;
    let recordings = read(&folder.path)?;
    let (of, mut done) = (recordings.len(), 0);
    let mut states: Vec<(PathBuf, StateValue)> = Vec::new();
    let mut rest = Vec::new();
    for (line, recording) in recordings {
        let state = initial(folder, &recording, line, &mut states)?;
        rest.push((line, recording, state));
    }
    let mut replayed = Vec::with_capacity(of);
    let mut running = tokio::task::JoinSet::new();
    let mut rest = rest.into_iter();
    loop {
        while running.len() < num_cpus::get()
            && let Some((line, recording, state)) = rest.next()
        {
            let folder = folder.clone();
            running.spawn(async move { replay(&folder, line, &recording, state).await });
        }
        let Some(ended) = running.join_next().await else {
            break;
        };
        let ended = ended.map_err(Error::lost)?;
        replayed.push(ended?);
        done += 1;
        progress(done, of);
    }
    replayed.sort_by_key(|it| it.line);
    Ok(replayed)
}

fn initial(
    folder: &Folder,
    recording: &Recording,
    line: usize,
    states: &mut Vec<(PathBuf, StateValue)>,
) -> Result<StateValue> {
    if let Some(state) = &recording.initial {
        return Ok(StateValue::from_json(state));
    }
    let named = recording.world.as_deref();
    let mut worlds = folder.worlds.iter();
    let chosen = worlds.find(|(name, _)| named.is_none_or(|named| named == name));
    let Some((_, path)) = chosen else {
        return Err(Error::Content {
            path: folder.path.join(FILE),
            problem: format!(
                "line {line}: there is no world {:?}",
                named.unwrap_or_default()
            ),
        });
    };
    if let Some((_, state)) = states.iter().find(|(known, _)| known == path) {
        return Ok(state.clone());
    }
    let state = super::state_file::read(path)?;
    states.push((path.clone(), state.clone()));
    Ok(state)
}

async fn replay(
    folder: &Folder,
    line: usize,
    recording: &Recording,
    state: StateValue,
) -> Result<Replayed> {
    let seed = Seed::default();
    let start = folder.definition.now.unwrap_or(seed.now);
    let held = HeldState::new(state, start, seed.random);
    let about = recording.name.clone();
    let code = folder.code()?;
    let world = FolderWorld::new(&code.runtime, &code.facts, held, None, about);
    let (mut calls, mut differences) = (0, Vec::new());
    let turns = match recording.turns.is_empty() {
        true => std::slice::from_ref(&recording.calls),
        false => recording.turns.as_slice(),
    };
    for (number, turn) in turns.iter().enumerate() {
        for call in turn {
            calls += 1;
            let (operation, params, expected) = match call {
                RecordedCall::Plain(operation, params) => (operation, params, None),
                RecordedCall::Expecting(operation, params, it) => (operation, params, Some(it)),
            };
            let json = Json::Object(params.clone());
            let params = StateValue::from_json(&json).to_value();
            let answer = world.call(operation, &params).await?;
            if let Some(why) = expected.and_then(|expected| expected.differs(&answer)) {
                differences.push(format!("call {calls}, {operation}({json}): {why}"));
            }
        }
        if let Some(hash) = recording.states_sha256.get(number) {
            check_state(
                &world,
                hash,
                &format!("after turn {}", number + 1),
                &mut differences,
            );
        }
    }
    if let Some(hash) = &recording.state_sha256 {
        check_state(&world, hash, "in the end", &mut differences);
    }
    if let Some(state) = &recording.state {
        let (expected, found) = (StateValue::from_json(state), world.state_value());
        let found = found.unwrap_or(StateValue::Null);
        for difference in super::diff::differences(&expected, &found) {
            let place = difference.keys.join("/");
            let lines = super::diff::lines(difference.before, difference.after).join("; ");
            let gone = if difference.after.is_none() {
                "is missing"
            } else {
                ""
            };
            differences.push(format!("the state in the end: {place}: {lines}{gone}"));
        }
    }
    Ok(Replayed {
        name: recording.name.clone(),
        line,
        calls,
        differences,
    })
}

fn check_state(world: &FolderWorld, expected: &str, when: &str, differences: &mut Vec<String>) {
    let found = world.state_value().map(|state| sha256(&state));
    let found = found.unwrap_or_default();
    if found != expected {
        differences.push(format!(
            "the state {when} has the SHA-256 {found}, not {expected}"
        ));
    }
}

impl Expected {
    /// How an answer differs from what is expected.
    fn differs(&self, answer: &Answer) -> Option<String> {
        match (&self.error, answer) {
            (Some(error), Err(refusal)) if *error == refusal.code => None,
            (Some(error), Err(refusal)) => Some(format!(
                "raised {}, not {error}: {}",
                refusal.code, refusal.message
            )),
            (Some(error), Ok(_)) => Some(format!("raised nothing, not {error}")),
            (None, Err(refusal)) => Some(format!("raised {}: {}", refusal.code, refusal.message)),
            (None, Ok(value)) => self.differs_from(value),
        }
    }

    fn differs_from(&self, value: &Value) -> Option<String> {
        let found = StateValue::from_value(value.clone());
        if let Some(result) = &self.result
            && found.as_ref() != Some(&StateValue::from_json(result))
        {
            let found = found.as_ref().map(super::diff::shown);
            let found = found.unwrap_or_else(|| format!("{value:?}"));
            return Some(format!("returned {found}, not {result}"));
        }
        let hash = self.python_sha256.as_ref()?;
        let found_hash = sha256_of_value(value).unwrap_or_default();
        (found_hash != *hash).then(|| {
            let found = found.as_ref().map(super::diff::shown).unwrap_or_default();
            format!("returned {found} with the SHA-256 {found_hash}, not {hash}")
        })
    }
}
