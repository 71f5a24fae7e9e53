use crate::words::{content_words, words};

/// Who judges and reads free text. A model does; [`Words`] does without one.
pub trait Reader {
    /// Whether the answer to a question about a text is yes. An answer that cannot be read is
    /// an error, never a no.
    fn holds(&mut self, text: &str, question: &str) -> Result<bool, String>;

    /// A short answer to a question from texts.
    fn answer(&mut self, texts: &[String], question: &str) -> Result<String, String>;
}

/// Judges by words: yes if all content words of the question stand in the text. Its answer is
/// the first text.
pub struct Words;

impl Reader for Words {
    fn holds(&mut self, text: &str, question: &str) -> Result<bool, String> {
        let text = words(text);
        Ok(content_words(question)
            .iter()
            .all(|word| text.contains(word)))
    }

    fn answer(&mut self, texts: &[String], _: &str) -> Result<String, String> {
        Ok(texts.first().cloned().unwrap_or_default())
    }
}

/// A query of FTS5 for any of a question's content words; nothing if it has none.
pub(super) fn any_of(question: &str) -> Option<String> {
    let words: Vec<String> = content_words(question)
        .into_iter()
        .map(|word| format!("\"{word}\""))
        .collect();
    (!words.is_empty()).then(|| words.join(" OR "))
}
