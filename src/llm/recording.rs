//! The file format of recordings: JSON Lines, each line one of
//!
//! ```text
//! {"recording":"dialog2api","version":1}
//! {"text":"ID","content":CONTENT}
//! {"model":"NAME","request":{…},"completion":{…}}
//! ```
//!
//! The first line of a file is of the first kind. Because prompts repeat long texts, a
//! long text is written once and referred to by its ID, the start of its BLAKE3 hash.
//! CONTENT is a text, `{"text":"ID"}` for a text defined on an earlier line, or a list of
//! these to be joined. Each message of a `request` holds a CONTENT; all other fields are
//! those of [`Request`] and [`Completion`] in JSON. Passwords and keys are written as
//! `[key]`.

mod writer;

pub(super) use writer::Writer;

use super::scrub::scrub_request;
use super::{Completion, Request};
use crate::error::{Error, Result};
use crate::secrets::scrub;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::path::Path;

/// The version written, and the newest that is read.
const VERSION: u64 = 1;
/// Texts shorter than this, in bytes, are written in place.
const SHORT: usize = 64;
/// The most bytes of all joined texts together. Without a limit, a small file could
/// expand to any size.
const MOST_BYTES: usize = 1 << 30;

/// One request and its answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Exchange {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The name of the model that answered.
    pub model: String,
    /// The address of its server, in a cache of answers.
    pub server: Option<String>,
    pub request: Request,
    pub completion: Completion,
}

/// The contents of a recording.
#[derive(Debug, Default)]
pub(super) struct Recording {
    pub exchanges: Vec<Exchange>,
    /// The number of the last line, if writing it was interrupted.
    pub cut_off: Option<usize>,
    pub texts: Texts,
}

/// The texts that the file defines, by ID.
#[derive(Debug, Default)]
pub(super) struct Texts {
    known: HashMap<String, String>,
    bytes: usize,
}

/// Lines for the end of the file, and the texts that they define, by ID.
#[derive(Debug, Default)]
struct Encoded {
    lines: String,
    texts: HashMap<String, String>,
}

/// Makes the lines of one exchange. Its new texts are kept apart from those of the file,
/// because the lines may never get there.
struct Encoder<'t> {
    in_file: &'t Texts,
    encoded: Encoded,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Content {
    Part(Part),
    Parts(Vec<Part>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Part {
    Plain(String),
    Known { text: String },
}

#[derive(Serialize, Deserialize)]
struct Header {
    recording: String,
    version: u64,
}

#[derive(Serialize, Deserialize)]
struct TextLine {
    text: String,
    content: Content,
}

#[derive(Serialize, Deserialize)]
struct ExchangeLine {
    model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    request: Json,
    completion: Completion,
}

/// The first line of a recording.
pub(super) fn header() -> String {
    format!("{{\"recording\":\"dialog2api\",\"version\":{VERSION}}}\n")
}

impl Recording {
    /// Reads a recording's bytes; `path` appears in errors.
    pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Self> {
        let mut recording = Recording::default();
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
        let first = lines.next().map_or(&[][..], |(_, line)| line);
        check_header(first).map_err(|problem| Error::Content {
            path: path.to_owned(),
            problem,
        })?;
        for (index, line) in lines {
            let number = index + 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            match recording.line(number, line.trim_ascii()) {
                Ok(()) => {}
                Err(_) if !line.ends_with(b"\n") => recording.cut_off = Some(number),
                Err(problem) => {
                    return Err(Error::Content {
                        path: path.to_owned(),
                        problem: format!("line {number}: {problem}"),
                    });
                }
            }
        }
        Ok(recording)
    }

    fn line(&mut self, number: usize, line: &[u8]) -> Result<(), String> {
        let json: Json = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if json.get("request").is_some() {
            let line = ExchangeLine::deserialize(json).map_err(|error| error.to_string())?;
            self.exchanges.push(Exchange {
                line: number,
                model: line.model,
                server: line.server,
                request: self.texts.decode_request(line.request)?,
                completion: line.completion,
            });
            Ok(())
        } else if json.get("text").is_some() {
            let line = TextLine::deserialize(json).map_err(|error| error.to_string())?;
            self.texts.define(line)
        } else {
            Err("is neither a text nor an exchange".to_owned())
        }
    }
}

impl Texts {
    /// The lines that add an exchange to the file: new texts, then the exchange. Once they
    /// are written, [`Texts::keep`] lets later lines refer to these texts.
    fn encode(
        &self,
        (model, server): (&str, Option<&str>),
        request: &Request,
        completion: &Completion,
    ) -> serde_json::Result<Encoded> {
        let mut encoder = Encoder {
            in_file: self,
            encoded: Encoded::default(),
        };
        let request = scrub_request(request);
        // Converted through text: a direct conversion would show the rounding of the
        // shorter float.
        let mut stored: Json = serde_json::from_str(&serde_json::to_string(&*request)?)?;
        let messages = stored.get_mut("messages").and_then(Json::as_array_mut);
        for message in messages.into_iter().flatten() {
            if let Some(content) = message.get_mut("content") {
                let part = encoder.message(content.as_str().unwrap_or_default())?;
                *content = serde_json::to_value(part)?;
            }
        }
        let line = ExchangeLine {
            model: model.to_owned(),
            server: server.map(str::to_owned),
            request: stored,
            completion: Completion {
                text: scrub(&completion.text).into_owned(),
                ..completion.clone()
            },
        };
        push_line(&mut encoder.encoded.lines, &line)?;
        Ok(encoder.encoded)
    }

    /// Adds the texts of lines that are in the file now.
    fn keep(&mut self, texts: HashMap<String, String>) {
        self.known.extend(texts);
    }

    fn define(&mut self, line: TextLine) -> Result<(), String> {
        let text = self.join(line.content)?;
        if id(&text) != line.text {
            return Err(format!(
                "the text {} was changed after it was recorded; record the session again",
                line.text.escape_debug()
            ));
        }
        self.known.insert(line.text, text);
        Ok(())
    }

    fn decode_request(&mut self, mut stored: Json) -> Result<Request, String> {
        let messages = stored.get_mut("messages").and_then(Json::as_array_mut);
        for message in messages.into_iter().flatten() {
            if let Some(content) = message.get_mut("content") {
                let stored = Content::deserialize(content.take())
                    .map_err(|_| "a message's content is not a text".to_owned())?;
                *content = Json::String(self.join(stored)?);
            }
        }
        Request::deserialize(stored).map_err(|error| error.to_string())
    }

    fn join(&mut self, content: Content) -> Result<String, String> {
        let parts = match content {
            Content::Part(part) => vec![part],
            Content::Parts(parts) => parts,
        };
        let mut whole = String::new();
        for part in &parts {
            let text = match part {
                Part::Plain(text) => text,
                Part::Known { text: id } => self.known.get(id).ok_or_else(|| {
                    format!("the text {} is not defined above", id.escape_debug())
                })?,
            };
            self.bytes = self.bytes.saturating_add(text.len());
            if self.bytes > MOST_BYTES {
                return Err(format!("the texts are longer than {MOST_BYTES} bytes"));
            }
            whole.push_str(text);
        }
        Ok(whole)
    }
}

impl Encoder<'_> {
    /// A whole message gets an ID, and so does each of its longer paragraphs.
    fn message(&mut self, text: &str) -> serde_json::Result<Part> {
        let id = id(text);
        if text.len() >= SHORT && !self.is_known(&id) {
            let mut parts = Vec::new();
            for paragraph in paragraphs(text) {
                let part = match paragraph.len() == text.len() {
                    true => Part::Plain(paragraph.to_owned()),
                    false => self.paragraph(paragraph)?,
                };
                match (parts.last_mut(), part) {
                    (Some(Part::Plain(before)), Part::Plain(text)) => before.push_str(&text),
                    (_, part) => parts.push(part),
                }
            }
            let content = match parts.pop() {
                Some(part) if parts.is_empty() => Content::Part(part),
                last => {
                    parts.extend(last);
                    Content::Parts(parts)
                }
            };
            self.define(&id, text, content)?;
        }
        Ok(match text.len() < SHORT {
            true => Part::Plain(text.to_owned()),
            false => Part::Known { text: id },
        })
    }

    fn paragraph(&mut self, text: &str) -> serde_json::Result<Part> {
        if text.len() < SHORT {
            return Ok(Part::Plain(text.to_owned()));
        }
        let id = id(text);
        if !self.is_known(&id) {
            let content = Content::Part(Part::Plain(text.to_owned()));
            self.define(&id, text, content)?;
        }
        Ok(Part::Known { text: id })
    }

    fn is_known(&self, id: &str) -> bool {
        self.in_file.known.contains_key(id) || self.encoded.texts.contains_key(id)
    }

    fn define(&mut self, id: &str, text: &str, content: Content) -> serde_json::Result<()> {
        let line = TextLine {
            text: id.to_owned(),
            content,
        };
        push_line(&mut self.encoded.lines, &line)?;
        self.encoded.texts.insert(id.to_owned(), text.to_owned());
        Ok(())
    }
}

fn check_header(line: &[u8]) -> Result<(), String> {
    match serde_json::from_slice::<Header>(line) {
        Ok(Header { recording, version }) if recording == "dialog2api" => match version {
            1..=VERSION => Ok(()),
            _ => Err(format!(
                "is a recording of version {version}, and this program reads up to {VERSION}: use a newer dialog2api"
            )),
        },
        _ => Err(format!(
            "is not a recording: the first line should be {}",
            header().trim_end()
        )),
    }
}

fn push_line(lines: &mut String, line: &impl Serialize) -> serde_json::Result<()> {
    lines.push_str(&serde_json::to_string(line)?);
    lines.push('\n');
    Ok(())
}

fn id(text: &str) -> String {
    let mut hex = blake3::hash(text.as_bytes()).to_hex().to_string();
    hex.truncate(16);
    hex
}

/// Splits a text after its blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive("\n\n")
}
