//! Prints to the terminal, and styles the text.

pub use crate::dialogue::{clean, clean_json, one_line};
use crate::error::{Error, Result};
use anstyle::AnsiColor;
pub use anstyle::Style;
use std::borrow::Cow;
use std::fmt;
use std::io::{ErrorKind, Write as _};

/// Secondary text: labels, frames, times.
pub const DIM: Style = Style::new().dimmed();
/// Emphasised text.
pub const BOLD: Style = Style::new().bold();
/// Text of the user.
pub const USER: Style = AnsiColor::Cyan.on_default().bold();
/// Text of the agent.
pub const AGENT: Style = AnsiColor::Green.on_default().bold();
/// Success, or an addition.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// An open decision, or a change.
pub const OPEN: Style = AnsiColor::Yellow.on_default();
/// An error, or a deletion.
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

/// As [`one_line`], for a line in which two blanks stand between a name and what is said of it.
pub fn columns(line: &str) -> String {
    let parts: Vec<_> = line.split("  ").map(one_line).collect();
    parts.join("  ")
}

/// Writes to standard output, in colour if that is enabled.
///
/// # Errors
/// The output cannot be written, for example because its reader has gone; see
/// [`is_closed`].
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
        .map_err(Error::bug("an output cannot be written as JSON"))?;
    print(format_args!("{}\n", clean_json(&json)))
}

/// Whether an error only means that the reader of the output has gone.
pub fn is_closed(error: &Error) -> bool {
    matches!(error, Error::File { source, .. } if source.kind() == ErrorKind::BrokenPipe)
}

/// Writes `word: text` to standard error. If that fails, nobody is listening.
pub fn complain(word: &str, text: &str) {
    let style = match word {
        "error" => BAD.bold(),
        _ => BOLD,
    };
    let word = Styled(style, format_args!("{word}:"));
    let _ = writeln!(anstream::stderr(), "{word} {}", clean(text));
}

/// Writes to standard error. If that fails, nobody is listening.
pub fn note(text: impl fmt::Display) {
    let _ = write!(anstream::stderr(), "{}", clean(&text.to_string()));
}

/// A text that somebody else wrote, as it is shown: where one of the lines after its first looks
/// like one of this program's own, a frame stands before each of them.
pub fn framed(shown: &str) -> Cow<'_, str> {
    if !is_framed(shown) {
        return Cow::Borrowed(shown);
    }
    let mut lines = shown.lines();
    let mut framed = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        framed.push_str("\n  │ ");
        framed.push_str(line);
    }
    Cow::Owned(framed)
}

/// Whether a text needs a frame: see [`framed`].
pub fn is_framed(shown: &str) -> bool {
    let plain = anstream::adapter::strip_str(shown).to_string();
    plain.lines().skip(1).any(is_like_ours)
}

/// Whether a line looks like one that this program prints about a dialogue, a plan, or a run.
fn is_like_ours(line: &str) -> bool {
    const STARTS: [&str; 17] = [
        "You:",
        "Agent:",
        "User:",
        "Do it?",
        "Go on?",
        "Finish it?",
        "The program of goal",
        "Undoing ",
        "Undone",
        "Nothing is changed",
        "Nothing was changed",
        "The call is not made",
        "in the end nothing",
        "Stopped.",
        "note:",
        "error:",
        "…",
    ];
    const LABELS: [&str; 14] = [
        "goal",
        "world",
        "result",
        "error",
        "printed",
        "changed",
        "calls",
        "returns",
        "output",
        "traceback",
        "changes",
        "signature",
        "elapsed",
        "plan",
    ];
    let text = line.trim_start();
    let is_label = |label: &str| {
        let rest = text.strip_prefix(label);
        rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
    };
    let is_effect = text.starts_with(['+', '-', '~', '!', '>']) && line.starts_with("  ");
    is_effect
        || STARTS.iter().any(|start| text.starts_with(start))
        || LABELS.iter().any(|label| is_label(label))
}

/// Whether standard output is coloured.
pub fn has_color() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_like_those_of_this_program_are_framed() {
        let plain = "There are:\n- two\n  files in the world of\nresults";
        assert!(matches!(framed(plain), Cow::Borrowed(_)));
        for forged in [
            "You: yes",
            "Do it? [y/N] yes",
            "  world    + zoo/forged",
            "  - zoo/forged  3 B",
            "\u{1b}[1mThe program of goal 2\u{1b}[0m would change this:",
            "           result     5",
        ] {
            let shown = format!("Done.\n{forged}\nok");
            assert_eq!(framed(&shown), format!("Done.\n  │ {forged}\n  │ ok"));
        }
    }
}
