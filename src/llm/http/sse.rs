//! Server-sent events: bytes in, the `data` of each event out.
//!
//! Reads the event stream format of the HTML standard, and tolerates the deviations of
//! real servers: no space after the colon, any line ending, an end of stream without the
//! blank line, and the `error:` lines of older llama.cpp, which are passed on as data.

/// Why an event stream cannot be read further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SseError {
    /// An event is longer than the limit.
    TooLong,
    /// An event is not UTF-8.
    NotUtf8,
}

/// A reader that is fed bytes in chunks of any length.
#[derive(Debug)]
pub(super) struct SseReader {
    line: Vec<u8>,
    data: Option<String>,
    after_cr: bool,
    at_start: bool,
    limit: usize,
}

impl SseReader {
    /// A reader that refuses events of more than `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        SseReader {
            line: Vec::new(),
            data: None,
            after_cr: false,
            at_start: true,
            limit,
        }
    }

    /// Takes more of the stream and returns the events that it completes.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<String>, SseError> {
        let mut events = Vec::new();
        for byte in bytes {
            let after_cr = std::mem::take(&mut self.after_cr);
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => {
                    self.after_cr = *byte == b'\r';
                    events.extend(self.end_line()?);
                }
                _ if self.line.len() >= self.limit => return Err(SseError::TooLong),
                _ => self.line.push(*byte),
            }
        }
        Ok(events)
    }

    /// The last event, if the stream ended without its blank line.
    pub(super) fn finish(&mut self) -> Result<Option<String>, SseError> {
        let last = self.end_line()?;
        Ok(last.or_else(|| self.data.take()))
    }

    fn end_line(&mut self) -> Result<Option<String>, SseError> {
        let line = std::mem::take(&mut self.line);
        let mut line = std::str::from_utf8(&line).map_err(|_| SseError::NotUtf8)?;
        if std::mem::take(&mut self.at_start) {
            line = line.trim_start_matches('\u{feff}');
        }
        if line.is_empty() {
            return Ok(self.data.take());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if matches!(field, "data" | "error") {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                None => self.data = Some(value.to_owned()),
                Some(data) if data.len() + value.len() > self.limit => {
                    return Err(SseError::TooLong);
                }
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(chunks: &[&[u8]]) -> Result<Vec<String>, SseError> {
        let mut reader = SseReader::new(64);
        let mut events = Vec::new();
        for chunk in chunks {
            events.extend(reader.feed(chunk)?);
        }
        events.extend(reader.finish()?);
        Ok(events)
    }

    #[test]
    fn what_servers_send() {
        let check = |stream: &str, events: &[&str]| {
            assert_eq!(
                read(&[stream.as_bytes()]).as_deref(),
                Ok(&events.iter().map(|e| (*e).to_owned()).collect::<Vec<_>>()[..]),
                "{stream:?}"
            );
        };
        check("data: a\n\ndata: b\n\n", &["a", "b"]);
        check("data:a\r\n\r\ndata:b\r\n\r\n", &["a", "b"]);
        check("data: a\r\rdata: b\r\r", &["a", "b"]);
        check("\u{feff}: ping\n\nevent: x\nid: 1\ndata: a\n\n", &["a"]);
        check("data: two\ndata: lines\n\n", &["two\nlines"]);
        check("data: cut off", &["cut off"]);
        check("data:\n\n\n\n", &[""]);
        check("error: {}\n\n", &["{}"]);
        check("", &[]);
    }

    #[test]
    fn a_letter_may_be_cut_in_two() {
        assert_eq!(read(&[b"data: \xc3", b"\xa9\n\n"]), Ok(vec!["é".into()]));
        assert_eq!(read(&[b"data: \xc3\n\n"]), Err(SseError::NotUtf8));
    }

    #[test]
    fn an_event_without_end_is_refused() {
        assert_eq!(read(&[&[b'x'; 65]]), Err(SseError::TooLong));
        let lines = "data: 0123456789\n".repeat(8);
        assert_eq!(read(&[lines.as_bytes()]), Err(SseError::TooLong));
    }

    proptest! {
        #[test]
        fn cuts_make_no_difference(stream in "(data: ?|:|\r|\n|é|x){0,40}", cut in 0usize..80) {
            let bytes = stream.as_bytes();
            let cut = cut.min(bytes.len());
            prop_assert_eq!(read(&[bytes]), read(&[&bytes[..cut], &bytes[cut..]]));
        }
    }
}
