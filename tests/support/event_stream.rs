//! Frames of Amazon's event streams, as Bedrock sends them.

use super::scripted_http::{Answer, response};
use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue, Message};

const STREAM: &str = "200 OK\nContent-Type: application/vnd.amazon.eventstream";

/// One frame with an event of this type.
pub fn event(kind: &str, payload: &str) -> Vec<u8> {
    frame("event", ":event-type", kind, payload.as_bytes())
}

/// One frame with a failure of this type.
pub fn exception(kind: &str, message: &str) -> Vec<u8> {
    let payload = format!(r#"{{"message":"{message}"}}"#);
    frame("exception", ":exception-type", kind, payload.as_bytes())
}

/// One frame whose payload is text.
pub fn delta(text: &[u8]) -> Vec<u8> {
    let mut payload = br#"{"contentBlockIndex":0,"delta":{"text":""#.to_vec();
    payload.extend_from_slice(text);
    payload.extend_from_slice(br#""}}"#);
    frame("event", ":event-type", "contentBlockDelta", &payload)
}

fn frame(message: &str, kind_header: &'static str, kind: &str, payload: &[u8]) -> Vec<u8> {
    let text = |value: &str| HeaderValue::String(value.to_owned().into());
    let message = Message::new(payload.to_vec())
        .add_header(Header::new(":message-type", text(message)))
        .add_header(Header::new(kind_header, text(kind)))
        .add_header(Header::new(":content-type", text("application/json")));
    let mut bytes = Vec::new();
    write_message_to(&message, &mut bytes).expect("a frame");
    bytes
}

/// A successful response with these frames.
pub fn frames(frames: &[Vec<u8>]) -> Answer {
    response(STREAM, frames.concat())
}

/// A response with a failure as Bedrock describes it.
pub fn refusal(head: &str, code: &str, message: &str) -> Answer {
    let (status, rest) = head.split_once('\n').unwrap_or((head, ""));
    let head = format!(
        "{status}\nx-amzn-ErrorType: {code}:http://internal.amazon.com/coral/\nContent-Type: application/json\n{rest}"
    );
    let body = format!(r#"{{"message":"{message}"}}"#);
    response(head.trim_end(), body)
}
