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

const STOP: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could", "did", "do",
    "does", "for", "from", "has", "have", "how", "i", "if", "in", "is", "it", "its", "me", "my",
    "of", "on", "or", "should", "that", "the", "their", "there", "these", "they", "this", "to",
    "was", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you",
    "your",
];

pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The words of a question that say what it is about.
pub(super) fn content_words(question: &str) -> Vec<String> {
    let mut words = words(question);
    words.retain(|word| !STOP.contains(&word.as_str()));
    words
}

/// A query of FTS5 for any of a question's content words; nothing if it has none.
pub(super) fn any_of(question: &str) -> Option<String> {
    let words: Vec<String> = content_words(question)
        .into_iter()
        .map(|word| format!("\"{word}\""))
        .collect();
    (!words.is_empty()).then(|| words.join(" OR "))
}
