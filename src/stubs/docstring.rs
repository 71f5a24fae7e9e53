//! Texts in docstrings.

/// Makes a foreign text safe for a docstring whose lines are indented by `indent`: it has at
/// most `most` characters, and none that hides others.
pub fn docstring(text: &str, most: usize, indent: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\t'], " ");
    let text: String = text
        .chars()
        .filter(|c| *c == '\n' || !is_unseen(*c))
        .collect();
    let text = text.trim();
    let text = match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    };
    let text = escaped(&text);
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim_end) {
        // Several empty lines become one.
        if !line.is_empty() || lines.last().is_some_and(|last: &String| !last.is_empty()) {
            let indent = if line.is_empty() || lines.is_empty() {
                ""
            } else {
                indent
            };
            lines.push(format!("{indent}{line}"));
        }
    }
    lines.join("\n")
}

/// A text on one line, without characters that hide others.
pub fn plain(text: &str) -> String {
    let seen: String = text
        .chars()
        .filter(|c| c.is_whitespace() || !is_unseen(*c))
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text between triple quotes. Quotes within it or at its end do not end the docstring.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let is_last = matches!(characters.peek(), None | Some('"'));
        if c == '\\' || (c == '"' && is_last) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Invisible characters: controls, and those that reorder or hide others.
pub(super) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}')
}
