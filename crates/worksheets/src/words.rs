//! The words of texts and of questions.

/// Words that do not say what a question is about.
const STOP: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could", "did", "do",
    "does", "for", "from", "has", "have", "how", "i", "if", "in", "is", "it", "its", "me", "my",
    "of", "on", "or", "should", "that", "the", "their", "there", "these", "they", "this", "to",
    "was", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you",
    "your",
];

/// The words of a text, in small letters.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The words of a question that say what it is about.
pub(crate) fn content_words(question: &str) -> Vec<String> {
    let mut words = words(question);
    words.retain(|word| !STOP.contains(&word.as_str()));
    words
}
