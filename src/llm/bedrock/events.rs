//! The frames of an answer, and the events in them.

use crate::llm::Usage;
use aws_smithy_eventstream::frame::read_message_from;
use aws_smithy_eventstream::smithy::parse_response_headers;
use bytes::{Buf, BytesMut};
use serde_json::Value as Json;

/// Bytes that hold a frame's length, at its start.
const LENGTH: usize = 4;

/// One event of `ConverseStream`.
#[derive(Debug)]
pub(super) enum Event {
    /// More of the answer's text.
    Text(String),
    /// The text is complete: the reason why it ended, in Bedrock's words.
    Stop(String),
    /// The token counts, which come last.
    Usage(Usage),
    /// The service failed in the middle of its answer.
    Exception { code: String, message: String },
    /// An event that is ignored here, such as the start of a message.
    Other,
}

/// A frame that could not be read.
#[derive(Debug)]
pub(super) enum Unreadable {
    NotUtf8,
    Damaged(String),
}

/// Bytes received, split into frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    buffer: BytesMut,
}

impl Frames {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Whether the bytes end within a frame.
    pub(super) fn is_cut_off(&self) -> bool {
        !self.buffer.is_empty()
    }

    /// The next event; `None` while its frame is incomplete.
    pub(super) fn next(&mut self) -> Result<Option<Event>, Unreadable> {
        let Some(mut length) = self.buffer.get(..LENGTH) else {
            return Ok(None);
        };
        let length = length.get_u32() as usize;
        if self.buffer.len() < length {
            return Ok(None);
        }
        // If the length is too short for its own prelude, the decoder refuses the frame.
        let mut frame = self.buffer.split_to(length.max(LENGTH));
        let damaged = |error: &dyn std::fmt::Display| Unreadable::Damaged(error.to_string());
        let message = read_message_from(&mut frame).map_err(|e| damaged(&e))?;
        let headers = parse_response_headers(&message).map_err(|e| damaged(&e))?;
        let text = std::str::from_utf8(message.payload()).map_err(|_| Unreadable::NotUtf8)?;
        let payload: Json = serde_json::from_str(text).map_err(|e| damaged(&e))?;
        let kind = headers.smithy_type.as_str();
        Ok(Some(match headers.message_type.as_str() {
            "event" => event(kind, &payload),
            _ => Event::Exception {
                code: capitalized(kind),
                message: string(&payload, "/message").unwrap_or_default(),
            },
        }))
    }
}

fn event(kind: &str, payload: &Json) -> Event {
    let event = match kind {
        "contentBlockDelta" => string(payload, "/delta/text").map(Event::Text),
        "messageStop" => string(payload, "/stopReason").map(Event::Stop),
        "metadata" => payload
            .get("usage")
            .map(|counts| Event::Usage(usage(counts))),
        _ => None,
    };
    event.unwrap_or(Event::Other)
}

/// Bedrock's `inputTokens` counts neither what the prompt cache held nor what was added
/// to it.
fn usage(counts: &Json) -> Usage {
    let count = |name: &str| counts.get(name).and_then(Json::as_u64).unwrap_or(0);
    let read = count("cacheReadInputTokens");
    let written = count("cacheWriteInputTokens");
    Usage {
        prompt_tokens: count("inputTokens")
            .saturating_add(read)
            .saturating_add(written),
        cached_tokens: read,
        completion_tokens: count("outputTokens"),
        cache_write_tokens: written,
    }
}

fn string(payload: &Json, path: &str) -> Option<String> {
    Some(payload.pointer(path)?.as_str()?.to_owned())
}

/// `throttlingException` in a frame is `ThrottlingException` in the API reference.
fn capitalized(kind: &str) -> String {
    let mut letters = kind.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_refused_and_never_panics() {
        for garbage in [
            &b"\0\0\0\0 no frame at all"[..],
            b"\0\0\0\x05 no frame at all",
            b"\0\0\0\x14 no frame at all",
        ] {
            let mut frames = Frames::default();
            frames.push(garbage);
            let read = frames.next();
            assert!(matches!(read, Err(Unreadable::Damaged(_))), "{read:?}");
        }
        let mut frames = Frames::default();
        frames.push(b"\xff\xff\xff\xff");
        assert!(matches!(frames.next(), Ok(None)));
        assert!(frames.is_cut_off());
    }
}
