//! The ends of bodies in chunks (`aws-chunked`), and the headers after them.
//!
//! `s3s` decodes such bodies and verifies the signature of each chunk. It takes the end of the
//! connection for the end of the body, and lets any headers follow.

use super::request::BoxError;
use crate::domain::Refusal;
use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use http_body::{Body, Frame, SizeHint};
use http_body_util::combinators::UnsyncBoxBody;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A body in chunks that fails if it ends before its last chunk, which is empty.
pub struct Complete {
    body: UnsyncBoxBody<Bytes, BoxError>,
    framing: Framing,
}

impl Complete {
    pub fn new(body: UnsyncBoxBody<Bytes, BoxError>) -> Self {
        let framing = Framing::Size(0, 0);
        Complete { body, framing }
    }
}

impl Body for Complete {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        match &frame {
            Poll::Ready(Some(Ok(frame))) => {
                let data = frame.data_ref().map(Bytes::as_ref);
                if !self.framing.read(data.unwrap_or_default()) {
                    return Poll::Ready(Some(Err("the chunks are malformed".into())));
                }
            }
            Poll::Ready(None) if self.framing != Framing::End => {
                return Poll::Ready(Some(Err("the last chunk is missing".into())));
            }
            _ => {}
        }
        frame
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The place in a body in chunks.
#[derive(Debug, PartialEq, Eq)]
enum Framing {
    /// In the size of a chunk: its value, and how many digits it has so far.
    Size(u64, u8),
    /// In the rest of the line with the size.
    Line(u64),
    /// In the content and the line break after it; so many bytes are left.
    Content(u64),
    /// After the line of the empty chunk.
    End,
}

impl Framing {
    /// Goes on by these bytes. Returns whether they are well-formed.
    fn read(&mut self, mut bytes: &[u8]) -> bool {
        while let Some((&byte, rest)) = bytes.split_first() {
            match *self {
                Framing::Size(size, digits) => {
                    *self = match (char::from(byte).to_digit(16), byte) {
                        (Some(digit), _) if digits < 8 => {
                            Framing::Size(size << 4 | u64::from(digit), digits + 1)
                        }
                        (None, b';' | b'\r') if digits > 0 => Framing::Line(size),
                        _ => return false,
                    };
                }
                Framing::Line(size) if byte == b'\n' => {
                    *self = match size {
                        0 => Framing::End,
                        size => Framing::Content(size + 2),
                    };
                }
                Framing::Line(_) => {}
                Framing::Content(left) => {
                    let here = u64::try_from(bytes.len()).unwrap_or(u64::MAX).min(left);
                    *self = match left - here {
                        0 => Framing::Size(0, 0),
                        left => Framing::Content(left),
                    };
                    let here = usize::try_from(here).unwrap_or(usize::MAX);
                    bytes = bytes.get(here..).unwrap_or_default();
                    continue;
                }
                Framing::End => return true,
            }
            bytes = rest;
        }
        true
    }
}

/// The headers after a body in chunks, as far as they may become headers of the request: the
/// checksums that the signed header `x-amz-trailer` declares.
///
/// # Errors
/// Others came, one is missing, or others were declared.
pub fn trailers(declared: Option<&str>, sent: Option<HeaderMap>) -> Result<HeaderMap, Refusal> {
    let declared = declared.unwrap_or_default().split(',').map(str::trim);
    let declared: Vec<String> = (declared.filter(|name| !name.is_empty()))
        .map(str::to_ascii_lowercase)
        .collect();
    if !declared
        .iter()
        .all(|name| name.starts_with("x-amz-checksum-"))
    {
        return Err(Refusal::new(
            400,
            "InvalidRequest",
            "The value specified in the x-amz-trailer header is not supported",
        ));
    }
    let sent = sent.unwrap_or_default();
    let is_declared = |name: &HeaderName| declared.iter().any(|it| it == name.as_str());
    let is_sent = |name: &String| sent.get_all(name).iter().count() == 1;
    match sent.keys().all(is_declared) && declared.iter().all(is_sent) {
        true => Ok(sent),
        false => Err(Refusal::new(
            400,
            "MalformedTrailerError",
            "The request contained trailing data that was not well-formed or did not conform \
             to our published schema.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_the_empty_chunk() {
        let whole = b"5;chunk-signature=a\r\n0;x\r\n\r\n0;chunk-signature=b\r\n\r\n";
        for size in 1..whole.len() {
            let mut framing = Framing::Size(0, 0);
            let mut ends = Vec::new();
            for piece in whole.chunks(size) {
                assert!(framing.read(piece), "{size}");
                ends.push(framing == Framing::End);
            }
            assert_eq!(ends.last(), Some(&true), "{size}");
            // What looks like an end within the content is none.
            assert!(!ends.first().is_some_and(|is_end| *is_end && size < 40));
        }
        for odd in [
            "\r\n",
            "x\r\n",
            "5 \r\n",
            "000000001\r\n",
            "-1\r\n",
            ";\r\n",
        ] {
            assert!(!Framing::Size(0, 0).read(odd.as_bytes()), "{odd}");
        }
    }
}
