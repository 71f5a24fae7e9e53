//! The exchange format, in which models read stacks and write programs, and in which dataset
//! files are written (paper, appendices D and E).
//!
//! It looks like XML but is not: programs and utterances stand in it unescaped
//! (`if a < b:`, `"</b>"`), so that a model reads and writes plain Python.
//!
//! ```
//! use dialog2api_core::dialogue::{Status, read_transcript, write_transcript};
//!
//! let text = r#"<conversation uid="ListBuckets_1">
//! <turns>
//! <turn>User: Do I have more than 2 buckets?</turn>
//! <goal uid="1" status="final">
//! <program>
//! return len(s3.list_buckets()["Buckets"]) > 2
//! </program>
//! <result>true</result>
//! <error/>
//! </goal>
//! <turn>Agent: Yes, you do.</turn>
//! </turns>
//! </conversation>
//! "#;
//! let transcript = read_transcript(text)?;
//! assert_eq!(transcript.turns[0].goals[0].status, Status::Final);
//! assert_eq!(write_transcript(&transcript), text);
//! # Ok::<(), dialog2api_core::dialogue::FormatError>(())
//! ```
//!
//! # Escapes
//!
//! A tag of this format within a program or an utterance would end it early. Such a tag, and
//! nothing else, is written with a backslash after its `<`: `</program>` as `<\/program>`,
//! `<turn>` as `<\turn>`. A tag that already has backslashes there gets one more. Reading
//! removes exactly one, so every text comes back unchanged.
//!
//! The escaped tags are the closing tags of all elements and of `<think>`, and the opening
//! tags `<goal uid=`, `<goal status=`, `<turn>`, `<stack>` and `<output>`: where one of these
//! follows, the reader of model text assumes that a closing tag is missing. In JSON
//! (`<result>`, `<error>`) `</` is written `<\/`, which is JSON's own escape. Attributes use
//! XML's escapes.
//!
//! # Strict and lenient readers
//!
//! [`read_transcript`] and [`read_stack`] read files. They allow any white space between
//! elements and require everything else. [`read_updates`] and [`read_reply`] read the answer
//! of a chat model and accept whatever can be understood in only one way. All of them take
//! linear time and never panic. They refuse JSON that is nested more than 127 deep.
//!
//! [`write_transcript`] ends with a line break; the other writers do not.

mod cursor;
mod mark;
mod model;
mod read;
mod reader;
mod write;

use std::borrow::Cow;

pub use model::{MAX_MODEL_TEXT, read_reply, read_updates};
pub use read::{read_stack, read_transcript};
pub use write::{write_outcome, write_reply, write_stack, write_transcript, write_updates};

/// Why and where a text could not be read. `Display` is one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct FormatError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The expectation, and the text found instead.
    pub problem: String,
}

/// A [`FormatError`] before its line and column are counted. It is cheap to make, so a
/// reader that continues after many problems still takes linear time.
#[derive(Debug, Clone)]
struct Problem {
    /// Its place in the text, in bytes.
    offset: usize,
    /// The sentence, or its start.
    said: Cow<'static, str>,
    /// Whether the sentence ends with the text that was found there.
    names_place: bool,
}

impl Problem {
    /// A problem with a complete sentence.
    fn new(offset: usize, said: impl Into<Cow<'static, str>>) -> Self {
        Problem {
            offset,
            said: said.into(),
            names_place: false,
        }
    }

    /// A problem that says what was expected here instead.
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

/// The text at this place, for a sentence.
fn found(text: &str, offset: usize) -> String {
    let rest = text.get(offset..).unwrap_or("");
    match rest.lines().next().unwrap_or("") {
        "" => "the end of the text".to_owned(),
        line => format!("`{}`", short(line)),
    }
}

/// The start of a text, cut to fit into a sentence.
fn short(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 30;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")).into(),
        None => text.into(),
    }
}
