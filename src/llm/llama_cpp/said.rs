//! What a model has said, token by token.

use crate::llm::http::cut;

/// A text whose bytes come in pieces that may end within a letter, and that ends before a
/// stop sequence.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// What is whole.
    text: String,
    /// The beginning of a letter.
    rest: Vec<u8>,
    /// So many bytes of the text were passed on.
    told: usize,
}

impl Said {
    /// Takes more bytes; whether a stop sequence has come, before which the text ends now.
    pub(super) fn add(&mut self, bytes: &[u8], stop: &[String]) -> bool {
        self.rest.extend_from_slice(bytes);
        let mut taken = 0;
        for chunk in self.rest.utf8_chunks() {
            self.text.push_str(chunk.valid());
            taken += chunk.valid().len();
            let is_last = taken + chunk.invalid().len() == self.rest.len();
            let goes_on = is_last
                && std::str::from_utf8(chunk.invalid())
                    .is_err_and(|error| error.error_len().is_none());
            if chunk.invalid().is_empty() || goes_on {
                break;
            }
            self.text.push('\u{fffd}');
            taken += chunk.invalid().len();
        }
        self.rest.drain(..taken);
        cut(&mut self.text, stop)
    }

    /// What can be passed on: nothing that may turn out to be a stop sequence.
    pub(super) fn more(&mut self, stop: &[String]) -> String {
        let open = (stop.iter())
            .flat_map(|stop| (1..stop.len()).filter_map(|length| stop.get(..length)))
            .filter(|begun| self.text.ends_with(begun))
            .map(str::len)
            .max();
        let end = self.text.len() - open.unwrap_or_default();
        self.tell(end)
    }

    /// The rest of the text, and the whole of it.
    pub(super) fn end(mut self) -> (String, String) {
        let more = self.tell(self.text.len());
        (more, self.text)
    }

    fn tell(&mut self, end: usize) -> String {
        let more = self.text.get(self.told..end).unwrap_or_default().to_owned();
        self.told += more.len();
        more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pieces: &[&[u8]]) -> (Vec<String>, String, bool) {
        let stop = ["</turn>".to_owned()];
        let mut said = Said::default();
        let mut parts = Vec::new();
        let mut stopped = false;
        for piece in pieces {
            stopped = said.add(piece, &stop);
            parts.push(said.more(&stop));
            if stopped {
                break;
            }
        }
        let (rest, whole) = said.end();
        parts.push(rest);
        assert_eq!(parts.concat(), whole);
        (parts, whole, stopped)
    }

    #[test]
    fn letters_may_come_in_two_pieces() {
        let (parts, ..) = told(&[b"H\xc3", b"\xa9", b"\xff!", b"\xe2\x82", b"x"]);
        assert_eq!(parts, ["H", "é", "\u{fffd}!", "", "\u{fffd}x", ""]);
    }

    #[test]
    fn a_stop_sequence_is_not_told() {
        let (parts, whole, stopped) = told(&[b"a </", b"b", b" </tu", b"rn> c", b"d"]);
        assert_eq!(parts, ["a ", "</b", " ", "", ""]);
        assert_eq!((whole.as_str(), stopped), ("a </b ", true));
        // One that is only begun is text after all.
        let (parts, whole, stopped) = told(&[b"a </tur"]);
        assert_eq!(parts, ["a ", "</tur"]);
        assert_eq!((whole.as_str(), stopped), ("a </tur", false));
    }
}
