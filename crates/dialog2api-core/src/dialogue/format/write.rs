//! Writes the format. [`read`](super::read) reads it back unchanged.

use super::mark::escape;
use crate::dialogue::{GoalRecord, Outcome, ProgramError, Stack, Transcript, Turn, Update};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::fmt::Write as _;
use std::io;

/// The stack as a model reads it: `<stack>` … `</stack>`, bottom first.
/// Signatures are not shown.
pub fn write_stack(stack: &Stack) -> String {
    let mut text = String::from("<stack>\n");
    for goal in stack.goals() {
        let mut record = GoalRecord::from(&**goal);
        record.signature = None;
        push_goal(&mut text, &record);
        text.push('\n');
    }
    text.push_str("</stack>");
    text
}

/// The updates as a model writes them, without `<output>` around them.
pub fn write_updates(updates: &[Update]) -> String {
    let mut text = String::new();
    for update in updates {
        let record = GoalRecord {
            uid: update.uid,
            status: update.status,
            program: update.program.clone(),
            outcome: None,
            signature: None,
        };
        if !text.is_empty() {
            text.push('\n');
        }
        push_goal(&mut text, &record);
    }
    text
}

/// An outcome as it stands in a goal: `<result>` and `<error>`.
pub fn write_outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Result(value) => format!("<result>{}</result>\n<error/>", json(value)),
        Outcome::Error(ProgramError { error, message, .. }) => {
            let value = serde_json::json!({ "error": error, "message": message });
            format!("<result>null</result>\n<error>{}</error>", json(&value))
        }
    }
}

/// A reply as a model writes it, without `<output>` around it:
/// `<turn>Agent: …</turn>`.
pub fn write_reply(reply: &str) -> String {
    let mut text = String::new();
    push_turn(&mut text, "Agent", reply);
    text
}

/// A transcript as a dataset file.
pub fn write_transcript(transcript: &Transcript) -> String {
    let mut text = String::from("<conversation");
    push_attribute(&mut text, "uid", &transcript.uid);
    for (name, value) in &transcript.attributes {
        push_attribute(&mut text, name, value);
    }
    text.push_str(">\n");
    if let Some(signature) = &transcript.initial_signature {
        text.push_str("<metadata>\n");
        push_raw(&mut text, "initial_signature", signature.trim());
        text.push_str("\n</metadata>\n");
    }
    text.push_str("<turns>\n");
    if let Some(greeting) = &transcript.greeting {
        push_turn(&mut text, "Agent", greeting);
        text.push('\n');
    }
    for turn in &transcript.turns {
        push_whole_turn(&mut text, turn);
    }
    text.push_str("</turns>\n</conversation>\n");
    text
}

fn push_whole_turn(text: &mut String, turn: &Turn) {
    push_turn(text, "User", &turn.user);
    text.push('\n');
    for goal in &turn.goals {
        push_goal(text, goal);
        text.push('\n');
    }
    if let Some(response) = &turn.response {
        push_turn(text, "Agent", response);
        text.push('\n');
    }
}

fn push_goal(text: &mut String, goal: &GoalRecord) {
    push(
        text,
        format_args!("<goal uid=\"{}\" status=\"{}\"", goal.uid, goal.status),
    );
    if goal.program.is_none() && goal.outcome.is_none() && goal.signature.is_none() {
        text.push_str("/>");
        return;
    }
    text.push_str(">\n");
    if let Some(program) = &goal.program {
        push_raw(text, "program", program.text());
        text.push('\n');
    }
    if let Some(outcome) = &goal.outcome {
        push(text, format_args!("{}\n", write_outcome(outcome)));
    }
    if let Some(signature) = &goal.signature {
        push_raw(text, "signature", signature.trim());
        text.push('\n');
    }
    text.push_str("</goal>");
}

fn push_turn(text: &mut String, speaker: &str, said: &str) {
    push(
        text,
        format_args!("<turn>{speaker}: {}</turn>", escape(said.trim())),
    );
}

fn push_raw(text: &mut String, element: &str, content: &str) {
    push(
        text,
        format_args!("<{element}>{}</{element}>", escape(content)),
    );
}

fn push_attribute(text: &mut String, name: &str, value: &str) {
    push(text, format_args!(" {name}=\""));
    for c in value.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\n' | '\r' | '\t' => push(text, format_args!("&#{};", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('"');
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = text.write_fmt(what);
}

/// JSON with Python's spacing, as in the paper. `</` is written `<\/`, which means the same
/// in JSON and ends no element.
fn json(value: &serde_json::Value) -> String {
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, Spaced));
    debug_assert!(written.is_ok(), "a JSON value can be written");
    String::from_utf8_lossy(&bytes).replace("</", "<\\/")
}

/// The spacing of `json.dumps`: a space after each comma and colon.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.begin_array_value(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
