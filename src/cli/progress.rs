//! Shows progress on standard error. It disappears when the work is done.

use super::terminal::{self, DIM, Styled};
use crate::domain::{Reading, SharedLink, counted};
use crate::service::Event;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use rustix::termios::{self, LocalModes, OptionalActions, Termios};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A line about the current work. Only on a terminal, and not with `--quiet`.
pub struct Spinner {
    bar: ProgressBar,
    quiet: bool,
    /// Whether the line is the bar of a transfer.
    is_transfer: AtomicBool,
    /// Whether a thread draws the line.
    is_drawn: AtomicBool,
}

impl Spinner {
    /// A spinner that shows nothing yet.
    pub fn new(quiet: bool) -> Self {
        let bar = match !quiet && std::io::stderr().is_terminal() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        bar.set_style(spinner_style());
        Spinner {
            bar,
            quiet,
            is_transfer: AtomicBool::new(false),
            is_drawn: AtomicBool::new(false),
        }
    }

    /// Shows the current work, even after other text was shown. This is called at every call of a
    /// program, so it does little.
    pub fn say(&self, what: &str) {
        if self.bar.is_hidden() {
            return;
        }
        if self.is_transfer.swap(false, Ordering::SeqCst) {
            self.bar.set_style(spinner_style());
        }
        self.bar.set_message(terminal::clean(what).into_owned());
        self.draw();
    }

    /// Sees to it that the line is drawn. Its thread ends with the line, and another one is begun
    /// only then.
    fn draw(&self) {
        let is_over = self.bar.is_finished();
        if is_over {
            self.bar.reset();
        }
        if !self.is_drawn.swap(true, Ordering::SeqCst) || is_over {
            self.bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// Shows how much of a server has been read. This is called often, so it does little.
    pub fn reading(&self, progress: Reading) {
        if self.bar.is_hidden() {
            return;
        }
        let (objects, bytes) = (progress.things, HumanBytes(progress.bytes));
        self.bar.set_message(match progress.of {
            None => format!("listing: {}, {bytes}", counted(objects, "object")),
            Some((all, size)) => {
                let (size, all) = (HumanBytes(size), counted(all, "object"));
                format!("reading: {objects} of {all}, {bytes} of {size}")
            }
        });
    }

    /// Shows how much of a large file has been transferred.
    pub fn transfer(&self, file: &str, done: u64, of: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let file = terminal::clean(file);
        let is_other = self.bar.message() != *file;
        if !self.is_transfer.swap(true, Ordering::SeqCst) || is_other {
            self.draw();
            self.bar.set_style(transfer_style());
            self.bar.set_message(file.into_owned());
            self.bar.set_length(of);
            // What was there before the start says nothing about the speed.
            self.bar.set_position(done);
            self.bar.reset_eta();
        }
        self.bar.set_position(done);
    }

    /// Prints a line that stays, even without a terminal. Not with `--quiet`.
    pub fn note(&self, line: &str) {
        if self.quiet {
            return;
        }
        let line = Styled(DIM, terminal::clean(line));
        // If nobody reads standard error, the note is lost, which does no harm.
        self.bar.suspend(|| {
            let _ = writeln!(anstream::stderr(), "{line}");
        });
    }

    /// Shows a link that was signed for the user, even with `--quiet`: nothing else has it.
    pub fn link(&self, link: &SharedLink) {
        let one_line = terminal::one_line;
        let (about, url) = (one_line(&link.about), one_line(&link.url));
        let mut text = format!("{about}:\n  {url}\n");
        if let Some(method) = &link.method {
            text.push_str(&format!("  The request is a {}.\n", one_line(method)));
        }
        for (name, value) in &link.headers {
            let (name, value) = (one_line(name), one_line(value));
            text.push_str(&format!("  It must have the header {name}: {value}\n"));
        }
        for (name, value) in &link.fields {
            let (name, value) = (one_line(name), one_line(value));
            text.push_str(&format!("  It must have the form field {name}: {value}\n"));
        }
        if !link.fields.is_empty() {
            text.push_str("  Its last field is the file: file\n");
        }
        // If nobody reads standard error, the link is lost, and can be made again.
        self.bar.suspend(|| {
            let _ = write!(anstream::stderr(), "{}", terminal::clean(&text));
        });
    }

    /// Shows what a conversation tells about its world.
    pub fn event(&self, event: &Event) {
        match event {
            Event::Reading(reading) => self.reading(*reading),
            Event::Transfer { file, done, of } => self.transfer(file, *done, *of),
            Event::Link(link) => self.link(link),
            Event::Note { text } => self.note(text),
            Event::Unseen { what } => self.note(&format!("note: {what}")),
            _ => {}
        }
    }

    /// Removes the line.
    pub fn done(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.done();
    }
}

/// A turning sign, the current work, and how long it takes.
fn spinner_style() -> ProgressStyle {
    let template = match terminal::has_color() {
        true => "{spinner:.cyan} {msg:.dim} {elapsed:.dim}",
        false => "{spinner} {msg} {elapsed}",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// A file's name, a bar, its bytes, and the time that is left.
fn transfer_style() -> ProgressStyle {
    let template = match terminal::has_color() {
        true => "{msg} {bar:30.cyan} {bytes} of {total_bytes} {eta:.dim}",
        false => "{msg} {bar:30} {bytes} of {total_bytes} {eta}",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// How much of a file has been downloaded. Only on a terminal, and not with `--quiet`.
pub struct Transfer(ProgressBar);

impl Transfer {
    /// A bar that shows nothing yet.
    pub fn new(quiet: bool) -> Self {
        let bar = match !quiet && std::io::stderr().is_terminal() {
            true => ProgressBar::new(0),
            false => ProgressBar::hidden(),
        };
        bar.set_style(transfer_style());
        Transfer(bar)
    }

    /// Shows how many bytes of a file have been downloaded.
    pub fn show(&self, file: &str, done: u64, size: u64) {
        if self.0.is_hidden() {
            return;
        }
        if self.0.message() != file {
            self.0.set_message(terminal::clean(file).into_owned());
            // Bytes that were here before the start say nothing about the speed.
            self.0.reset_eta();
        }
        self.0.set_length(size);
        self.0.set_position(done);
    }

    /// Removes the line.
    pub fn done(&self) {
        self.0.finish_and_clear();
    }
}

/// How many items are done. Only on a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar for `all` items, none of which is done.
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

    /// Sets the name of the items.
    pub fn say(&self, what: &str) {
        self.0.set_message(terminal::clean(what).into_owned());
    }

    /// Counts one more item as done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Hides the bar while `print` prints, so that the two do not mix.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// While this value exists, typed characters are not shown, so that they do not mix with
/// the progress. The next utterance reads them; a question throws them away.
pub struct Hush(Option<Termios>);

impl Hush {
    /// Hides typed characters from now on.
    pub fn new(wanted: bool) -> Self {
        let before = wanted
            .then(|| termios::tcgetattr(std::io::stdin()).ok())
            .flatten();
        if let Some(before) = &before {
            let mut silent = before.clone();
            silent.local_modes.remove(LocalModes::ECHO);
            // If the terminal cannot do this, its output is merely less tidy.
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
