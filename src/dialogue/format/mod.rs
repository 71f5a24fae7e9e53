//! The exchange format: what a model reads and writes, and what a dataset file
//! holds (paper, appendices D and E).
//!
//! It looks like XML and is not: programs and utterances stand in it as they
//! are (`if a < b:`, `"</b>"`), so that a model reads and writes plain Python.
//!
//! # The one escape
//! A program or an utterance may itself contain a tag of this format, which
//! would end it early. Such a tag, and nothing else, is written with a backslash
//! after its `<`: `</program>` as `<\/program>`, `<turn>` as `<\turn>`. One that
//! has backslashes there gets one more, so reading takes exactly one away and
//! every text comes back as it was. The tags are the closing tags of all
//! elements and of `<think>`, and the opening tags `<goal uid=`,
//! `<goal status=`, `<turn>`, `<stack>` and `<output>`, at which a reader of
//! model text takes a missing closing tag for granted. In JSON (`<result>`,
//! `<error>`) `</` is written `<\/`, which is JSON's own escape. Attributes have
//! XML's.
//!
//! # Strict and lenient
//! [`read_conversation`] and [`read_stack`] read files: white space between
//! elements is free, all else must be there. [`read_updates`] and [`read_reply`]
//! read what a chat model said and take what can be understood in one way only.
//! All of them take linear time, and none panics, whatever the text. JSON nested
//! more than 127 deep is refused.
//!
//! The writers' texts end without a line break, except for a whole file's.

mod cursor;
mod grammar;
mod mark;
mod model;
mod read;
mod reader;
mod write;

use std::borrow::Cow;

pub use grammar::{reply_grammar, updates_grammar};
pub use model::{MAX_MODEL_TEXT, read_reply, read_updates};
pub use read::{read_conversation, read_stack};
pub use write::{write_conversation, write_outcome, write_reply, write_stack, write_updates};

/// Why a text could not be understood, and where. `Display` is one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct FormatError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was expected, and what is there.
    pub problem: String,
}

/// A [`FormatError`] that has not been looked up in the text: cheap to make, so
/// that a reader that goes on after a problem stays linear.
#[derive(Debug, Clone)]
struct Problem {
    /// The byte of the text.
    offset: usize,
    /// The sentence, or its start.
    said: Cow<'static, str>,
    /// Whether the sentence ends with what stands there.
    names_place: bool,
}

impl Problem {
    /// A problem that says all itself.
    fn new(offset: usize, said: impl Into<Cow<'static, str>>) -> Self {
        Problem {
            offset,
            said: said.into(),
            names_place: false,
        }
    }

    /// Something else was expected here.
    fn expected(offset: usize, what: impl Into<Cow<'static, str>>) -> Self {
        Problem {
            names_place: true,
            ..Problem::new(offset, what)
        }
    }

    fn locate(self, text: &str) -> FormatError {
        let rest = text.get(self.offset..).unwrap_or("");
        let here = text.len() - rest.trim_start().len();
        let problem = if self.names_place {
            format!("expected {}, found {}", self.said, found(text, here))
        } else {
            self.said.into_owned()
        };
        let before = text.get(..here).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or("");
        FormatError {
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            problem,
        }
    }
}

/// What stands at this byte of the text, in words.
fn found(text: &str, offset: usize) -> String {
    let rest = text.get(offset..).unwrap_or("");
    match rest.lines().next().unwrap_or("") {
        "" => "the end of the text".to_owned(),
        line => format!("`{}`", short(line)),
    }
}

/// The start of a text, as much as a sentence has room for.
fn short(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 30;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")).into(),
        None => text.into(),
    }
}
