//! Collects a model's output, token by token.

use crate::llm::http::cut;

/// The text of an answer. Its bytes arrive in pieces that may end within a character. The
/// text ends before the first stop sequence.
#[derive(Debug, Default)]
pub(super) struct AnswerText {
    /// The complete characters.
    text: String,
    /// The first bytes of an incomplete character.
    rest: Vec<u8>,
    /// How many bytes of the text were passed on.
    told: usize,
}

impl AnswerText {
    /// Adds bytes. Returns `true` if a stop sequence has arrived; the text now ends
    /// before it.
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

    /// The text that can be passed on now. Leaves out an ending that could be the start
    /// of a stop sequence.
    pub(super) fn more(&mut self, stop: &[String]) -> String {
        let open = (stop.iter())
            .flat_map(|stop| (1..stop.len()).filter_map(|length| stop.get(..length)))
            .filter(|begun| self.text.ends_with(begun))
            .map(str::len)
            .max();
        let end = self.text.len() - open.unwrap_or_default();
        self.tell(end)
    }

    /// The text that was not passed on yet, and the whole text.
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
        let mut said = AnswerText::default();
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
        // An incomplete stop sequence is ordinary text.
        let (parts, whole, stopped) = told(&[b"a </tur"]);
        assert_eq!(parts, ["a ", "</tur"]);
        assert_eq!((whole.as_str(), stopped), ("a </tur", false));
    }
}
