/// The words of an offer of help, in the languages of the agent's users.
const HELP: &[&str] = &[
    "else", "help", "assist", "anything", "further", "helfen", "hilfe", "noch", "sonst", "aiutare",
    "aiuto", "altro",
];

/// The questions of a text, sentence by sentence. A question mark within a word, as in an address,
/// asks nothing.
pub(crate) fn questions(text: &str) -> Vec<&str> {
    let (mut out, mut begin) = (Vec::new(), 0);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if next.is_some_and(char::is_alphanumeric) && c != '\n' {
            continue;
        }
        if matches!(c, '?' | '\u{ff1f}' | '\u{61f}' | '\u{37e}') {
            out.push(text[begin..at].trim());
        }
        if matches!(
            c,
            '.' | '!' | '\n' | '?' | '\u{ff1f}' | '\u{61f}' | '\u{37e}'
        ) {
            begin = at + c.len_utf8();
        }
    }
    out
}

/// Whether a question asks for nothing but what it may help with.
pub(super) fn is_offer(question: &str) -> bool {
    let mut words = question.split(|c: char| !c.is_alphanumeric());
    words.any(|word| HELP.contains(&word.to_lowercase().as_str()))
}
