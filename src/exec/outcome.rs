//! How a program ended: what the guest wrote, or what ended its instance.

use super::Breach;
use super::host::Host;
use super::{EndedBy, Limits};
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::{NUMBER, lenient_json};
use minicbor::Decoder;
use serde_json::Value as Json;
use wasmtime::Trap;

/// How a program ended.
pub struct Ended {
    pub outcome: Outcome,
    pub by: EndedBy,
}

impl Ended {
    /// Ended by the host, because of a limit.
    pub fn by_limit(outcome: Outcome) -> Self {
        Ended {
            outcome,
            by: EndedBy::Limit,
        }
    }
}

/// Decodes the guest's report, `[kind, text, message, traceback]`. The guest
/// is not trusted, so lengths are checked against the limits again.
pub fn read(written: &[u8], host: &Host) -> Result<Ended, minicbor::decode::Error> {
    let limits = &host.limits;
    let mut from = Decoder::new(written);
    from.array()?;
    let kind = from.u8()?;
    let (text, message) = (from.str()?, from.str()?);
    let traceback = match from.datatype()? {
        minicbor::data::Type::Null => from.null().map(|()| None)?,
        _ => Some(from.str()?),
    };
    let (outcome, by) = match kind {
        0 if text.len() <= limits.result_bytes => match result(text) {
            Ok(json) => (Outcome::Result(json), EndedBy::Program),
            Err(_) => (Breach::Interpreter.outcome(limits), EndedBy::Limit),
        },
        1 => {
            // The interpreter raises it where the host refuses memory.
            let is_limit = text == Breach::Memory.name() && host.memory_refused;
            let error = Outcome::Error(ProgramError {
                error: bounded(text),
                message: bounded(message),
                traceback: traceback.map(bounded),
            });
            let by = if is_limit {
                EndedBy::Limit
            } else {
                EndedBy::Program
            };
            (error, by)
        }
        _ => (Breach::ResultBytes.outcome(limits), EndedBy::Limit),
    };
    Ok(Ended { outcome, by })
}

/// The JSON of a result. An integer that 64 bits do not hold is a text, as RFC 7493 asks for: it
/// keeps its digits, and stays an integer only inside the program.
fn result(text: &str) -> Result<Json, serde_json::Error> {
    let json = lenient_json(text)?;
    // A program may use the key as well.
    let is_used = text.contains("\\u0000number");
    Ok(if is_used { json } else { as_texts(json) })
}

fn as_texts(json: Json) -> Json {
    match json {
        Json::Array(items) => Json::Array(items.into_iter().map(as_texts).collect()),
        Json::Object(mut pairs) => match pairs.remove(NUMBER) {
            Some(number) => number,
            None => Json::Object(
                pairs
                    .into_iter()
                    .map(|(key, it)| (key, as_texts(it)))
                    .collect(),
            ),
        },
        scalar => scalar,
    }
}

/// An error text of the guest, cut to a size that people can read.
fn bounded(text: &str) -> String {
    text[..text.floor_char_boundary(40_000)].to_owned()
}

/// Why an instance was ended; `None` if the failure is ours.
pub fn breach(error: &wasmtime::Error, host: &Host) -> Option<Breach> {
    if let Some(breach) = error.downcast_ref::<Breach>() {
        return Some(*breach);
    }
    Some(match error.downcast_ref::<Trap>()? {
        Trap::OutOfFuel => Breach::Fuel,
        // The first is the machine's stack. The second is the guest's own stack, which lies
        // at the start of its memory and so grows out of it.
        Trap::StackOverflow | Trap::MemoryOutOfBounds => Breach::Stack,
        _ if host.memory_refused => Breach::Memory,
        _ => Breach::Interpreter,
    })
}

/// The outcome of a breach, with the interpreter's last message if it crashed.
pub fn with_last_words(breach: Breach, host: &Host, limits: &Limits) -> Outcome {
    let mut outcome = breach.outcome(limits);
    if let (Breach::Interpreter, Outcome::Error(error)) = (breach, &mut outcome)
        && let Some(line) = host
            .spoken()
            .lines()
            .rfind(|line| !line.starts_with("note:"))
    {
        error.message = format!("{}: {line}", error.message);
    }
    outcome
}
