//! What reaches the terminal, and how it looks there.

pub use crate::dialogue::{clean, clean_json};
use crate::error::{Error, Result};
use anstyle::AnsiColor;
pub use anstyle::Style;
use std::fmt;
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
