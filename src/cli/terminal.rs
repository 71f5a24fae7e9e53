//! Prints to the terminal, and styles the text.

pub use crate::dialogue::{clean, clean_json};
use crate::error::{Error, Result};
use anstyle::AnsiColor;
pub use anstyle::Style;
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
        .map_err(|error| Error::World(format!("cannot be written as JSON: {error}")))?;
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

/// Whether standard output is coloured.
pub fn has_color() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}
