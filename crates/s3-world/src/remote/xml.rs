//! Reads the parts of an XML answer that the SDK ignores.
//!
//! The answers come from servers that may be hostile. So the body of an error is cut at
//! [`MAX_ERROR_BYTES`], and nothing here recurses.

use crate::domain::{Map, Value};
use aws_sdk_s3::config::interceptors::BeforeDeserializationInterceptorContextMut as BeforeDeserialization;
use aws_sdk_s3::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_s3::error::BoxError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// How many bytes of an error's body are read. S3's own errors have a few hundred.
const MAX_ERROR_BYTES: usize = 64 << 10;

/// Elements of `<Error>` that botocore keeps elsewhere.
const LEFT_OUT: &[&str] = &["Code", "Message", "RequestId", "HostId"];

/// Prefixes of elements that repeat credentials or the data signed with them.
const SECRET: &[&str] = &[
    "AWSAccessKeyId",
    "StringToSign",
    "Signature",
    "Canonical",
    "Token",
];

/// The other elements of `<Error>`, which botocore puts next to code and message.
pub(super) fn details(xml: &str) -> Map {
    let mut found = Map::new();
    for (name, text) in Leaves::below(head(xml), "Error") {
        let is_secret = SECRET.iter().any(|secret| name.starts_with(secret));
        if !is_secret && !LEFT_OUT.contains(&name.as_str()) {
            found.push((name.into(), Value::Str(text)));
        }
    }
    found
}

/// The text of the first `<name>` in an answer that the SDK did not understand.
pub(super) fn text_of(xml: &str, name: &str) -> Option<String> {
    let mut leaves = Leaves::new(head(xml));
    let (_, text) = leaves.find(|(found, _)| found == name)?;
    Some(text)
}

/// The first [`MAX_ERROR_BYTES`] of a text, without an incomplete character at the end.
fn head(xml: &str) -> &str {
    let mut end = xml.len().min(MAX_ERROR_BYTES);
    while !xml.is_char_boundary(end) {
        end -= 1;
    }
    xml.get(..end).unwrap_or_default()
}

/// The elements without children, as name and text. Stops at the first mistake in the
/// XML.
struct Leaves<'x> {
    reader: Reader<&'x [u8]>,
    /// The element that has had no child so far.
    open: Option<(String, String)>,
}

impl<'x> Leaves<'x> {
    fn new(xml: &'x str) -> Self {
        Leaves {
            reader: Reader::from_str(xml),
            open: None,
        }
    }

    /// The leaves that follow the start tag of `element`; none if there is no such tag.
    fn below(xml: &'x str, element: &str) -> Self {
        let mut leaves = Leaves::new(xml);
        loop {
            match leaves.reader.read_event() {
                Ok(Event::Start(tag)) if name(&tag) == element => return leaves,
                Ok(Event::Eof) | Err(_) => return Leaves::new(""),
                Ok(_) => {}
            }
        }
    }
}

impl Iterator for Leaves<'_> {
    type Item = (String, String);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = match self.reader.read_event().ok()? {
                Event::Start(tag) => {
                    self.open = Some((name(&tag), String::new()));
                    continue;
                }
                Event::Empty(tag) => {
                    self.open = None;
                    return Some((name(&tag), String::new()));
                }
                Event::End(_) => match self.open.take() {
                    Some(leaf) => return Some(leaf),
                    None => continue,
                },
                Event::Text(text) => text.xml10_content().ok()?.into_owned(),
                Event::CData(text) => text.xml10_content().ok()?.into_owned(),
                Event::GeneralRef(reference) => resolved(&reference),
                Event::Eof => return None,
                _ => continue,
            };
            if let Some((_, content)) = &mut self.open {
                content.push_str(&text);
            }
        }
    }
}

fn name(tag: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(tag.local_name().as_ref()).into_owned()
}

/// The character of a reference. An unknown reference stays as it is.
fn resolved(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let name = reference.decode().unwrap_or_default();
    match resolve_predefined_entity(&name) {
        Some(text) => text.to_owned(),
        None => format!("&{name};"),
    }
}

/// Cuts the bodies of errors before the SDK loads and parses them.
#[derive(Debug)]
pub(super) struct CutErrors;

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for CutErrors {
    fn name(&self) -> &'static str {
        "CutErrors"
    }

    fn modify_before_deserialization(
        &self,
        context: &mut BeforeDeserialization<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let response = context.response_mut();
        if !response.status().is_success() {
            let body = std::mem::replace(response.body_mut(), SdkBody::empty());
            *response.body_mut() = SdkBody::from_body_1_x(Cut {
                body: Box::pin(body),
                left: MAX_ERROR_BYTES,
            });
        }
        Ok(())
    }
}

/// The beginning of a body.
struct Cut {
    body: Pin<Box<SdkBody>>,
    left: usize,
}

impl Body for Cut {
    type Data = Bytes;
    type Error = aws_smithy_types::body::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let frame = ready!(Body::poll_frame(self.body.as_mut(), context));
        Poll::Ready(frame.map(|frame| {
            frame.map(|frame| {
                frame.map_data(|mut data| {
                    data.truncate(self.left);
                    self.left -= data.len();
                    data
                })
            })
        }))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
