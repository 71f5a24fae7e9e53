//! What is under way, said on standard error and gone when it is over.

use super::terminal::{self, DIM, Styled};
use crate::domain::Reading;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use rustix::termios::{self, LocalModes, OptionalActions, Termios};
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

    /// Says what is happening now, also after a while in which something else was shown.
    pub fn say(&self, what: &str) {
        if self.bar.is_finished() {
            self.bar.reset();
        }
        self.bar.set_message(terminal::clean(what).into_owned());
        self.bar.enable_steady_tick(Duration::from_millis(100));
    }

    /// Says how far the reading of a server has come. Called often, so it does little.
    pub fn reading(&self, progress: Reading) {
        if self.bar.is_hidden() {
            return;
        }
        let (objects, bytes) = (progress.things, HumanBytes(progress.bytes));
        self.bar.set_message(match progress.of {
            None => format!("listing: {objects} objects, {bytes}"),
            Some((all, size)) => {
                let size = HumanBytes(size);
                format!("reading: {objects} of {all} objects, {bytes} of {size}")
            }
        });
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

/// How much of a file is here already. Only on a terminal, and not with `--quiet`.
pub struct Transfer(ProgressBar);

impl Transfer {
    /// One that shows nothing yet.
    pub fn new(quiet: bool) -> Self {
        let bar = match !quiet && std::io::stderr().is_terminal() {
            true => ProgressBar::new(0),
            false => ProgressBar::hidden(),
        };
        let template = match terminal::has_color() {
            true => "{msg} {bar:30.cyan} {bytes} of {total_bytes} {eta:.dim}",
            false => "{msg} {bar:30} {bytes} of {total_bytes} {eta}",
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Transfer(bar)
    }

    /// So many bytes of a file are here.
    pub fn show(&self, file: &str, done: u64, size: u64) {
        if self.0.is_hidden() {
            return;
        }
        if self.0.message() != file {
            self.0.set_message(terminal::clean(file).into_owned());
            // What was here before says nothing about how fast it goes on.
            self.0.reset_eta();
        }
        self.0.set_length(size);
        self.0.set_position(done);
    }

    /// It is over: the line vanishes.
    pub fn done(&self) {
        self.0.finish_and_clear();
    }
}

/// How many of many are done. Only on a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// None of `all` is done.
    pub fn new(all: usize) -> Self {
        let all = u64::try_from(all).unwrap_or(u64::MAX);
        let bar = match std::io::stderr().is_terminal() {
            true => ProgressBar::new(all),
            false => ProgressBar::hidden(),
        };
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar(bar)
    }

    /// What they are.
    pub fn say(&self, what: &str) {
        self.0.set_message(terminal::clean(what).into_owned());
    }

    /// One more is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Prints while the bar is away, so that the two do not run into each other.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// While it lives, what is typed at the terminal does not show, so that it does
/// not run into the progress. It is not lost: the next prompt reads it.
pub struct Hush(Option<Termios>);

impl Hush {
    /// From now on.
    pub fn new(wanted: bool) -> Self {
        let before = wanted
            .then(|| termios::tcgetattr(std::io::stdin()).ok())
            .flatten();
        if let Some(before) = &before {
            let mut silent = before.clone();
            silent.local_modes.remove(LocalModes::ECHO);
            // A terminal that cannot do it is only less tidy.
            let _ = termios::tcsetattr(std::io::stdin(), OptionalActions::Now, &silent);
        }
        Hush(before)
    }
}

impl Drop for Hush {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let _ = termios::tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }
}
