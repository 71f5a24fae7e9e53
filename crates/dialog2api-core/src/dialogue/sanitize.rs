//! Makes texts of others harmless before people read them on a terminal or a page.

use std::borrow::Cow;
use std::fmt::Write;

/// Makes a text harmless for a terminal. Control characters other than line break and tab
/// become visible, and so do the characters that reverse the reading direction, which can
/// make code look like other code, and those that nobody sees. A joiner or a variation selector
/// stays where it belongs to an emoji or to a script that is written with it.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !is_told_hostile(text).any(|(_, hostile)| hostile) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len() + 16);
    for (c, hostile) in is_told_hostile(text) {
        match hostile {
            true => show(c, &mut cleaned),
            false => cleaned.push(c),
        }
    }
    Cow::Owned(cleaned)
}

/// Makes a name, or another text of others that is one thing, harmless for a line of a terminal:
/// whatever it contains, it stays on its line, hides nothing, and looks like no other one. Beyond
/// [`clean`], line breaks and tabs become visible, every character that nobody sees, and blanks
/// that could be taken for the space between columns, or that look like another blank.
pub fn one_line(text: &str) -> Cow<'_, str> {
    // A Braille cell without dots looks like a blank, and is a letter to Unicode.
    let is_blank = |c: char| c.is_whitespace() || c == '\u{2800}';
    let is_seen = |c: char| !is_hostile(c) && !is_joiner(c) && (c == ' ' || !is_blank(c));
    let is_plain = text.chars().all(is_seen)
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && !text.contains("  ");
    if is_plain {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        let is_blank = |it: Option<char>| it.is_none_or(|it| it == ' ');
        match c {
            ' ' if is_blank(before) || is_blank(chars.peek().copied()) => line.push('␠'),
            _ if is_seen(c) => line.push(c),
            _ => show(c, &mut line),
        }
        before = Some(c);
    }
    Cow::Owned(line)
}

/// JSON text with an escape for every character that [`clean`] would replace. The meaning
/// of the JSON stays the same.
pub fn clean_json(json: &str) -> String {
    let mut cleaned = String::with_capacity(json.len());
    for (c, hostile) in is_told_hostile(json) {
        if hostile {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(cleaned, "\\u{unit:04x}");
            }
        } else {
            cleaned.push(c);
        }
    }
    cleaned
}

/// The characters of a text, each with whether it is hostile where it is.
fn is_told_hostile(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut chars = text.chars().peekable();
    let (mut before, mut was_hostile) = (' ', false);
    std::iter::from_fn(move || {
        let c = chars.next()?;
        // A digit in a box is a digit, a selector and the box.
        let is_keycap = chars.peek() == Some(&'\u{20e3}');
        let stands_alone = was_hostile || before == c || before.is_ascii() && !is_keycap;
        let hostile = is_hostile(c) || is_joiner(c) && stands_alone;
        (before, was_hostile) = (c, hostile);
        Some((c, hostile))
    })
}

/// Appends a picture of a character that is not seen, or its number.
fn show(c: char, to: &mut String) {
    match c {
        // Unicode has a picture of each: ␛ for the escape character.
        '\0'..='\x1f' => to.extend(char::from_u32(0x2400 + u32::from(c))),
        '\x7f' => to.push('␡'),
        _ => to.extend(c.escape_unicode()),
    }
}

fn is_hostile(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Marks, embeddings, overrides and isolates of the reading direction.
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => true,
        // Line breaks to some programs and not to others.
        '\u{2028}' | '\u{2029}' => true,
        // Not seen (Unicode's Default_Ignorable_Code_Point): blanks without width, isolates,
        // fillers, soft hyphens, tags, and what annotations are made of.
        '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => true,
        '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{206f}' => true,
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => true,
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => true,
        '\u{e0000}'..='\u{e0fff}' => true,
        _ => c.is_control(),
    }
}

/// Whether a character is not seen, but decides how those beside it look.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
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

    #[test]
    fn what_nobody_sees_becomes_visible_and_what_emoji_need_stays() {
        let unseen = "rep\u{200b}o\u{2060}r\u{feff}t\u{ad}\u{3164}.\u{e0041}t\u{200d}xt";
        assert_eq!(
            clean(unseen),
            "rep\\u{200b}o\\u{2060}r\\u{feff}t\\u{ad}\\u{3164}.\\u{e0041}t\\u{200d}xt"
        );
        let family = "👩\u{200d}👧 ❤\u{fe0f} 1\u{fe0f}\u{20e3} می\u{200c}خواهم";
        assert!(
            matches!(clean(family), Cow::Borrowed(_)),
            "{}",
            clean(family)
        );
        assert_eq!(clean(&clean(unseen)), clean(unseen));
    }

    #[test]
    fn one_thing_is_one_line() {
        assert!(matches!(one_line("Grüße 🐘 (1).txt"), Cow::Borrowed(_)));
        let forged = "b\n  1 deleted\n\tDo it? [y/N] no\r\u{85}\u{2028}";
        assert_eq!(
            one_line(forged),
            "b␊␠␠1 deleted␊␉Do it? [y/N] no␍\\u{85}\\u{2028}"
        );
        assert_eq!(one_line("a  9 B\u{a0}x "), "a␠␠9 B\\u{a0}x␠");
        assert_eq!(one_line("👩\u{200d}👧"), "👩\\u{200d}👧");
        for unseen in [
            "\u{200c}",
            "\u{fe0f}",
            "\u{034f}",
            "\u{180e}",
            "\u{1d173}",
            "\u{3000}",
        ] {
            assert_ne!(one_line(&format!("ä{unseen}b")), format!("ä{unseen}b"));
        }
    }
}
