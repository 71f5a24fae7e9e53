//! Makes texts of others harmless before people read them on a terminal or a page.

use std::borrow::Cow;
use std::fmt::Write;

/// Makes a text harmless for a terminal. Control characters other than line break and tab
/// become visible, and so do the characters that reverse the reading direction, which can
/// make code look like other code.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            _ if !is_hostile(c) => cleaned.push(c),
            // Unicode has a picture of each: ␛ for the escape character.
            '\0'..='\x1f' => cleaned.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => cleaned.push('␡'),
            _ => cleaned.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(cleaned)
}

/// JSON text with an escape for every character that [`clean`] would replace. The meaning
/// of the JSON stays the same.
pub fn clean_json(json: &str) -> String {
    let mut cleaned = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hostile(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(cleaned, "\\u{unit:04x}");
            }
        } else {
            cleaned.push(c);
        }
    }
    cleaned
}

fn is_hostile(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Marks, embeddings, overrides and isolates of the reading direction.
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => true,
        '\u{2066}'..='\u{2069}' => true,
        // Line breaks to some programs and not to others.
        '\u{2028}' | '\u{2029}' => true,
        _ => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_text_stays_as_it_is() {
        let text = "Grüße,\n\tworld 🐘 … שלום";
        assert!(matches!(clean(text), Cow::Borrowed(same) if same == text));
        assert_eq!(clean_json(text), text);
    }

    #[test]
    fn escape_sequences_and_turned_text_become_visible() {
        let hostile = "\x1b]0;title\x07\x1b[2J\r\u{9b}31m\x7f\0 \u{202e}txt.exe\u{2066}\u{2028}";
        assert_eq!(
            clean(hostile),
            "␛]0;title␇␛[2J␍\\u{9b}31m␡␀ \\u{202e}txt.exe\\u{2066}\\u{2028}"
        );
    }

    #[test]
    fn cleaned_json_means_the_same() {
        let hostile = "\x1b[2J\u{9b}\u{202e}\x7f \"quoted\" 🐘";
        let json = serde_json::to_string(hostile).expect("a string is JSON");
        let cleaned = clean_json(&json);
        assert!(!cleaned.chars().any(is_hostile), "{cleaned}");
        let back: String = serde_json::from_str(&cleaned).expect("still JSON");
        assert_eq!(back, hostile);
    }
}
