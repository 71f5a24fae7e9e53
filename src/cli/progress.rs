//! What is under way, said on standard error and gone when it is over.

use super::terminal::{self, DIM, Styled};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// A line that says what is happening. Only on a terminal, and not with `--quiet`.
pub struct Spinner {
    bar: ProgressBar,
    quiet: bool,
}

impl Spinner {
    /// One that shows nothing yet.
    pub fn new(quiet: bool) -> Self {
        let bar = match !quiet && std::io::stderr().is_terminal() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        let template = match terminal::has_color() {
            true => "{spinner:.cyan} {msg:.dim} {elapsed:.dim}",
            false => "{spinner} {msg} {elapsed}",
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Spinner { bar, quiet }
    }

    /// Says what is happening now.
    pub fn say(&self, what: &str) {
        self.bar.set_message(terminal::clean(what).into_owned());
        self.bar.enable_steady_tick(Duration::from_millis(100));
    }

    /// A line that stays, also where there is no terminal. Not with `--quiet`.
    pub fn note(&self, line: &str) {
        if self.quiet {
            return;
        }
        let line = Styled(DIM, terminal::clean(line));
        // When nobody takes it, nobody misses it.
        self.bar.suspend(|| {
            let _ = writeln!(anstream::stderr(), "{line}");
        });
    }

    /// It is over: the line vanishes.
    pub fn done(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.done();
    }
}
