//! The trait by which answers of all providers are read.

use crate::llm::Completion;
use serde_json::Value as Json;

/// The part of a provider's answer that has arrived.
pub(in crate::llm) trait Answer: Default + Send {
    /// Whether a JSON object is part of an answer. Other objects may describe an error.
    fn is_part(object: &Json) -> bool;

    /// Takes one object of the answer, streamed or whole, and returns the text it adds.
    fn absorb(&mut self, object: &Json) -> &str;

    /// Notes that the server announced the end.
    fn end(&mut self);

    /// Whether all text has arrived. The token counts may be missing.
    fn is_whole(&self) -> bool;

    /// Whether the server announced the end.
    fn is_done(&self) -> bool;

    /// The length of the text so far, in bytes.
    fn len(&self) -> usize;

    /// The completion, cut at the first stop sequence: some servers ignore these, or send
    /// the sequence itself.
    fn into_completion(self, stop: &[String]) -> Completion;
}

/// Cuts a text before its first stop sequence. Returns whether there was one.
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
