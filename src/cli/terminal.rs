//! What reaches the terminal, and how it looks there.

use crate::error::{Error, Result};
use anstyle::AnsiColor;
pub use anstyle::Style;
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{ErrorKind, Write as _};

/// Side matters: labels, frames, times.
pub const DIM: Style = Style::new().dimmed();
/// What stands out.
pub const BOLD: Style = Style::new().bold();
/// What the user said.
pub const USER: Style = AnsiColor::Cyan.on_default().bold();
/// What the agent says.
pub const AGENT: Style = AnsiColor::Green.on_default().bold();
/// What went well, or was added.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What is not decided, or was changed.
pub const OPEN: Style = AnsiColor::Yellow.on_default();
/// What went wrong, or was taken away.
pub const BAD: Style = AnsiColor::Red.on_default();

/// Text in a style.
pub struct Styled<T>(pub Style, pub T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        self.1.fmt(f)?;
        write!(f, "{:#}", self.0)
    }
}

/// Makes foreign text harmless for a terminal: control characters other than
/// line break and tab become visible, and so do the characters that turn the
/// reading direction around and can make code look like other code.
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

/// JSON text in which nothing is left that [`clean`] would replace: JSON has
/// an escape for every character, so the meaning stays the same.
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

/// Writes to standard output, coloured where that is wanted.
///
/// # Errors
/// When nobody takes the output; see [`is_closed`].
pub fn print(text: impl fmt::Display) -> Result<()> {
    let mut out = anstream::stdout().lock();
    write!(out, "{text}")
        .and_then(|()| out.flush())
        .map_err(Error::file("cannot write to", "standard output"))
}

/// Writes a value as JSON to standard output.
///
/// # Errors
/// Those of [`print()`].
pub fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|error| Error::World(format!("cannot be written as JSON: {error}")))?;
    print(format_args!("{}\n", clean_json(&json)))
}

/// Whether an error only says that the reader of our output has gone.
pub fn is_closed(error: &Error) -> bool {
    matches!(error, Error::File { source, .. } if source.kind() == ErrorKind::BrokenPipe)
}

/// Writes `word: text` to standard error. When even that fails, nobody listens.
pub fn complain(word: &str, text: &str) {
    let style = match word {
        "error" => BAD.bold(),
        _ => BOLD,
    };
    let word = Styled(style, format_args!("{word}:"));
    let _ = writeln!(anstream::stderr(), "{word} {}", clean(text));
}

/// Whether standard output gets colour.
pub fn has_color() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
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
