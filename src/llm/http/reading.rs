//! The body of an answer while it arrives. It is an event stream, or one JSON object from
//! servers that do not stream. The bytes decide which, not the content type.

use super::failure::{Failure, ServerError};
use super::sse::{SseError, SseReader};
use super::{Answer, Server};
use crate::domain::{Half, lenient_json, strict_json};
use reqwest::header::{self, HeaderMap};
use serde_json::Value as Json;

/// Bytes of stream allowed for each allowed byte of text. Every token comes in a JSON
/// object of its own, which is many times longer than the token.
const FRAMING: usize = 64;

/// The fields of an event stream. They identify one that has the wrong content type.
const FIELDS: [&[u8]; 6] = [b"data:", b"event:", b"id:", b"retry:", b"error:", b":"];

enum Body {
    Unknown(Vec<u8>),
    Events(SseReader),
    Whole(Vec<u8>),
}

/// An answer being read.
pub(super) struct Reading<'a, A> {
    server: &'a Server,
    content_type: String,
    body: Body,
    bytes: usize,
    answer: A,
    /// Half a letter at the end of the last event: some gateways cut them in two.
    half: Half,
}

impl<'a, A: Answer> Reading<'a, A> {
    pub(super) fn new(server: &'a Server, headers: &HeaderMap) -> Self {
        let content_type = headers.get(header::CONTENT_TYPE);
        let content_type =
            content_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        Reading {
            server,
            content_type: content_type.unwrap_or_default(),
            body: Body::Unknown(Vec::new()),
            bytes: 0,
            answer: A::default(),
            half: Half::default(),
        }
    }

    /// Whether the server said that the answer is complete. Some servers then keep the
    /// connection open.
    pub(super) fn is_done(&self) -> bool {
        self.answer.is_done()
    }

    /// Takes more of the body and passes its text on.
    pub(super) fn feed(
        &mut self,
        chunk: &[u8],
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<(), Failure> {
        self.bytes = self.bytes.saturating_add(chunk.len());
        let limit = self.server.max_answer_bytes;
        if self.bytes > limit.saturating_mul(FRAMING) {
            return Err(self.too_long());
        }
        let head;
        let mut chunk = chunk;
        if let Body::Unknown(start) = &mut self.body {
            start.extend_from_slice(chunk);
            let announced = self.content_type.starts_with("text/event-stream");
            let Some(streams) = is_event_stream(start, announced) else {
                return Ok(());
            };
            head = std::mem::take(start);
            chunk = &head;
            self.body = match streams {
                true => Body::Events(SseReader::new(limit)),
                false => Body::Whole(Vec::new()),
            };
        }
        let events = match &mut self.body {
            Body::Events(reader) => reader.feed(chunk),
            Body::Whole(body) if body.len() + chunk.len() > limit => Err(SseError::TooLong),
            Body::Whole(body) | Body::Unknown(body) => {
                body.extend_from_slice(chunk);
                Ok(Vec::new())
            }
        };
        for event in events.map_err(|error| self.unreadable(error))? {
            self.event(&event, say)?;
        }
        Ok(())
    }

    /// The connection broke. That is a failure if the answer is incomplete.
    pub(super) fn interrupted(&self, cause: &str) -> Result<(), Failure> {
        match self.answer.is_whole() {
            true => Ok(()),
            false => Err(self.broken(cause)),
        }
    }

    /// Returns the answer at the end of the body.
    pub(super) fn finish(
        mut self,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<A, Failure> {
        match std::mem::replace(&mut self.body, Body::Unknown(Vec::new())) {
            Body::Events(mut reader) => {
                // Once the answer is whole, a last event that was cut off is ignored.
                let last = reader.finish().map_err(|error| self.unreadable(error))?;
                if let Some(last) = last
                    && !self.answer.is_whole()
                {
                    self.last_event(&last, say)?;
                }
                match self.answer.is_whole() {
                    true => Ok(self.answer),
                    false => Err(self.broken("the stream ended too early")),
                }
            }
            Body::Whole(body) | Body::Unknown(body) => {
                self.whole(&body, say)?;
                Ok(self.answer)
            }
        }
    }

    fn event(
        &mut self,
        event: &str,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<(), Failure> {
        match event.trim() {
            "" => Ok(()),
            "[DONE]" => {
                self.answer.end();
                Ok(())
            }
            event => match serde_json::from_str(&strict_json(event, Some(&mut self.half))) {
                Ok(object) => self.object(&object, say),
                Err(_) => Err(Failure::Final(format!(
                    "{} sent an event that is not JSON{}",
                    self.server.shown,
                    self.server.quoted(event)
                ))),
            },
        }
    }

    /// Reads a last event that lacks its blank line. If its JSON is incomplete, it was
    /// cut off.
    fn last_event(
        &mut self,
        event: &str,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<(), Failure> {
        match serde_json::from_str::<Json>(event) {
            Err(error) if error.is_eof() => Err(self.broken("the stream ended too early")),
            _ => self.event(event, say),
        }
    }

    fn whole(
        &mut self,
        body: &[u8],
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<(), Failure> {
        let server = &self.server.shown;
        if body.trim_ascii().is_empty() {
            return Err(Failure::passing(format!("{server} answered nothing")));
        }
        let Ok(text) = std::str::from_utf8(body) else {
            return Err(self.unreadable(SseError::NotUtf8));
        };
        let text = text.trim_start_matches('\u{feff}');
        match lenient_json(text) {
            Ok(object) => {
                self.object(&object, say)?;
                self.answer.end();
                match self.answer.is_whole() {
                    true => Ok(()),
                    false => Err(self.foreign(text)),
                }
            }
            Err(error) if error.is_eof() => Err(self.broken("the JSON ended too early")),
            Err(_) => Err(self.foreign(&ServerError::read(body).message)),
        }
    }

    fn object(
        &mut self,
        object: &Json,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<(), Failure> {
        // OpenRouter sends an error beside an empty choice, and Gemini a list with an error.
        let failed = object.is_array() || object.get("error").is_some_and(|it| !it.is_null());
        if (failed || !A::is_part(object))
            && let Some(error) = ServerError::from_json(object)
        {
            let status = error.implied_status();
            return Err(self.server.judge(status, "inside its answer", &error, None));
        }
        let text = self.answer.absorb(object);
        if !text.is_empty() {
            say(text);
        }
        match self.answer.len() > self.server.max_answer_bytes {
            true => Err(self.too_long()),
            false => Ok(()),
        }
    }

    fn broken(&self, cause: &str) -> Failure {
        Failure::passing(format!(
            "{} broke off its answer: {cause}",
            self.server.shown
        ))
    }

    fn foreign(&self, text: &str) -> Failure {
        Failure::Final(format!(
            "{} answered with {}, which is no {}{}. Check --base-url{}",
            self.server.shown,
            match self.content_type.as_str() {
                "" => "no content type".to_owned(),
                name => self.server.quoted(name).trim_start_matches(": ").to_owned(),
            },
            self.server.words.answer,
            self.server.quoted(text),
            self.server.words.url_hint
        ))
    }

    fn unreadable(&self, error: SseError) -> Failure {
        match error {
            SseError::TooLong => self.too_long(),
            SseError::NotUtf8 => Failure::Final(format!(
                "{} answered with bytes that are not UTF-8",
                self.server.shown
            )),
        }
    }

    fn too_long(&self) -> Failure {
        Failure::Final(format!(
            "{} answered with more than {} bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens",
            self.server.shown, self.server.max_answer_bytes
        ))
    }
}

/// Whether a body with this start is an event stream; `None` if the start is too short to
/// tell.
fn is_event_stream(start: &[u8], announced: bool) -> Option<bool> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let start = start.trim_ascii_start();
    match start.first()? {
        b'{' | b'[' | b'<' => Some(false),
        _ if announced || FIELDS.iter().any(|field| start.starts_with(field)) => Some(true),
        _ if FIELDS.iter().any(|field| field.starts_with(start)) => None,
        _ => Some(false),
    }
}
