//! States as files: JSON, or JSON that gzip has compressed.

use super::world::not_an_object;
use crate::domain::{NUMBER, StateValue, lenient_json};
use crate::error::{Error, Result};
use crate::files::{Readers, replaced_with};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value as Json;
use std::fs::Metadata;
use std::io::{Read, Write};
use std::path::Path;

/// The largest state, in bytes of JSON without spaces, and the largest file of one.
pub const MAX_BYTES: u64 = 48 << 20;

/// Whether a path names a state: its name ends with `.json` or `.json.gz`.
pub fn is_state(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| name.ends_with(".json") || name.ends_with(".json.gz"))
}

/// The name of a state: that of its file without `.json` or `.json.gz`.
pub fn name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    Some(name.strip_suffix(".json")?.to_owned())
}

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Reads a state.
///
/// # Errors
/// [`Error::File`], or [`Error::Content`] with the line of what is wrong.
pub fn read(path: &Path) -> Result<StateValue> {
    let failed = || Error::file("cannot read", path);
    let file = std::fs::File::open(path).map_err(failed())?;
    let mut text = Vec::new();
    if is_compressed(path) {
        GzDecoder::new(file)
            .take(MAX_BYTES + 1)
            .read_to_end(&mut text)
    } else {
        file.take(MAX_BYTES + 1).read_to_end(&mut text)
    }
    .map_err(failed())?;
    let wrong = |problem: String| Error::Content {
        path: path.to_owned(),
        problem,
    };
    if text.len() as u64 > MAX_BYTES {
        let most = MAX_BYTES >> 20;
        return Err(wrong(format!(
            "is larger than the {most} MiB that a state can have"
        )));
    }
    let read = match std::str::from_utf8(&text) {
        Ok(text) => lenient_json(text),
        Err(_) => serde_json::from_slice(&text),
    };
    let json: Json = read.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let said = error.to_string();
        let said = said.trim_end_matches(&format!(" at line {line} column {column}"));
        wrong(format!(
            "line {line}: is not JSON: {said}, in column {column}"
        ))
    })?;
    if !json.is_object() {
        return Err(not_an_object(path.to_owned()));
    }
    if let Some((path, number)) = unheld(&json) {
        return Err(wrong(format!(
            "{path} is {number}; a state holds finite numbers, and integers of at most 64 bits with \
             a sign: write it as a text"
        )));
    }
    Ok(StateValue::from_json(&json))
}

/// The first number that a state does not hold, and where it is: `items.3.id`.
fn unheld(json: &Json) -> Option<(String, String)> {
    let below = |name: String, value: &Json| {
        let (path, number) = unheld(value)?;
        let point = if path.is_empty() { "" } else { "." };
        Some((format!("{name}{point}{path}"), number))
    };
    match json {
        Json::Number(number) if number.is_u64() && number.as_i64().is_none() => {
            Some((String::new(), number.to_string()))
        }
        Json::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| below(index.to_string(), item))
        }
        Json::Object(pairs) => match pairs.get(NUMBER) {
            Some(Json::String(number)) => Some((String::new(), number.clone())),
            _ => pairs
                .iter()
                .find_map(|(key, item)| below(key.clone(), item)),
        },
        _ => None,
    }
}

/// Writes a state in the place of the one before: indented, if [`read`] accepts that size. Returns
/// what the system says of the new file.
///
/// # Errors
/// [`Error::File`]; the state before is still there.
pub fn write(path: &Path, state: &StateValue) -> Result<Metadata> {
    let failed = |error| Error::bug("a state cannot be written as JSON")(error);
    let mut json = serde_json::to_vec_pretty(state).map_err(failed)?;
    if json.len() as u64 >= MAX_BYTES {
        json = serde_json::to_vec(state).map_err(failed)?;
    }
    json.push(b'\n');
    if is_compressed(path) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        let written = encoder.write_all(&json).and_then(|()| encoder.finish());
        json = written.map_err(Error::file("cannot write", path))?;
    }
    replaced_with(path, Readers::Umask, |file| file.write_all(&json))
}
