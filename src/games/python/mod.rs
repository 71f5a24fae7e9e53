//! Games of a user's own in Python. A `game.py` draws the worlds in the sandbox. They have all that
//! the game needs, so it is opened, played and replayed without Python.

use crate::blocking::apart;
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::World;
use crate::error::{Error, Result};
use crate::exec::{Engine, Limits, Nowhere, Seed};
use decision_games::{Kind, declared};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Calls the functions of the file and checks what they give.
const DRIVER: &str = include_str!("driver.py");

/// The longest file, in bytes.
const LONGEST: usize = 100_000;

struct File {
    /// The path, as the user wrote it.
    path: String,
    source: String,
    engine: Engine,
}

/// The kind of game that a file defines by Python functions. The sandbox is prepared for any client:
/// the file makes no calls.
///
/// # Errors
/// The file cannot be read, or a sentence says what is wrong with it.
pub fn in_python(path: &Path, engine: Engine) -> Result<Arc<dyn Kind>> {
    let file = File {
        path: path.display().to_string(),
        source: std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?,
        engine,
    };
    if file.source.len() > LONGEST {
        return Err(Error::usage(format!(
            "{}: a game has {LONGEST} bytes at most",
            file.path
        )));
    }
    let about = file.run(None).map_err(Error::usage)?;
    let named = about["name"].as_str().map(str::to_owned);
    let name = named.or_else(|| folder(path)).unwrap_or_default();
    let path = file.path.clone();
    declared::drawn_by(&name, &about["seats"], move |seed| file.run(Some(seed)))
        .map_err(|error| Error::usage(format!("{path}: {error}")))
}

/// The name of the folder of a file.
fn folder(path: &Path) -> Option<String> {
    let path = std::fs::canonicalize(path).ok()?;
    Some(path.parent()?.file_name()?.to_string_lossy().into_owned())
}

impl File {
    /// The world of a seed; without one, the name and the seats of the game.
    fn run(&self, seed: Option<u64>) -> std::result::Result<Value, String> {
        let source = Value::from(self.source.as_str());
        let number = seed.map_or_else(|| "None".to_owned(), |seed| seed.to_string());
        // A text in JSON is one in Python.
        let program = format!("{DRIVER}\n\nreturn run({source}, {number})\n");
        let world: Arc<dyn World> = Arc::new(Nowhere);
        let limits = Limits {
            // Fuel, which is the same on every machine, ends an endless loop first.
            fuel: 20_000_000_000,
            deadline: Duration::from_secs(60),
            ..Limits::default()
        };
        let random = Seed {
            random: seed.unwrap_or_default(),
            ..Seed::default()
        };
        let ran = apart(|| self.engine.run(&program, &world, &limits, &random));
        let path = &self.path;
        let ran = ran.map_err(|error| format!("{path}: {error}"))?;
        match ran.outcome {
            Outcome::Result(mut result) => match (result["wrong"].as_str(), &result["line"]) {
                (Some(wrong), Value::Null) => Err(format!("{path}: {wrong}")),
                (Some(wrong), line) => Err(format!("{path}, line {line}: {wrong}")),
                (None, _) if seed.is_none() => Ok(result["about"].take()),
                (None, _) => Ok(result["world"].take()),
            },
            // Such as a value that cannot be shown.
            Outcome::Error(ProgramError { error, message, .. }) if ran.ended_by.is_program() => {
                Err(format!("{path}: {error}: {message}"))
            }
            Outcome::Error(ProgramError { error, message, .. }) => {
                let when = match seed {
                    Some(seed) => format!("the world of seed {seed}"),
                    None => "the file".to_owned(),
                };
                Err(format!(
                    "{path}: {when} takes too much: {error}: {message}. Look for a loop that does not \
                     end, and for large worlds"
                ))
            }
        }
    }
}
