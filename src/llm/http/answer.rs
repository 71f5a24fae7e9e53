//! What the reader of an answer needs to know of a provider's JSON.

use crate::llm::Completion;
use serde_json::Value as Json;

/// An answer as far as it has come, in the words of one provider.
pub(in crate::llm) trait Answer: Default + Send {
    /// Whether an object is part of an answer. What is not is looked at for an error.
    fn is_part(object: &Json) -> bool;

    /// Takes one object of the answer, streamed or whole, and gives the text it adds.
    fn absorb(&mut self, object: &Json) -> &str;

    /// The server said that nothing more comes.
    fn end(&mut self);

    /// Whether nothing is missing but perhaps the token counts.
    fn is_whole(&self) -> bool;

    /// Whether the server said that the stream is over.
    fn is_done(&self) -> bool;

    /// Bytes of text so far.
    fn len(&self) -> usize;

    /// The completion. Servers that ignore stop sequences, or send the sequence
    /// itself, are corrected.
    fn into_completion(self, stop: &[String]) -> Completion;
}

/// Cuts a text before the first of the stop sequences in it, if there is one.
pub(in crate::llm) fn cut(text: &mut String, stop: &[String]) -> bool {
    let ends = stop.iter().filter(|stop| !stop.is_empty());
    match ends.filter_map(|stop| text.find(stop.as_str())).min() {
        Some(end) => {
            text.truncate(end);
            true
        }
        None => false,
    }
}
