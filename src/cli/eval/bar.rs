//! The progress of a run: one line that disappears, or where there is no terminal a line now and
//! then.

use crate::cli::progress::Spinner;
use crate::cli::terminal;
use crate::domain::counted;
use crate::eval::runner::RunProgress;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The least time between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// The progress over the turns of a run. Not with `--quiet`.
pub struct Bar {
    bar: ProgressBar,
    quiet: bool,
    started: Instant,
    /// When the last line was said that stays.
    said: Mutex<Instant>,
}

impl Bar {
    /// A bar that shows nothing yet.
    pub fn new(quiet: bool) -> Self {
        let bar = if !quiet && std::io::stderr().is_terminal() {
            ProgressBar::new(0)
        } else {
            ProgressBar::hidden()
        };
        let template = if terminal::has_color() {
            "{bar:20.cyan/dim} {msg:.dim}"
        } else {
            "{bar:20} {msg}"
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        let started = Instant::now();
        Bar {
            bar,
            quiet,
            started,
            said: Mutex::new(started),
        }
    }

    /// Shows the progress of the run.
    pub fn show(&self, tally: &RunProgress) {
        if self.bar.is_hidden() {
            self.say(tally);
            return;
        }
        self.bar.set_length(tally.turns as u64);
        self.bar.set_position(tally.turns_done as u64);
        self.bar.set_message(line(tally, self.started.elapsed()));
    }

    /// Says the progress on a line that stays, if the last one was some time ago.
    fn say(&self, tally: &RunProgress) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.elapsed() >= PAUSE {
            *said = Instant::now();
            self.note(&line(tally, self.started.elapsed()));
        }
    }

    /// Prints a line that stays, even without a terminal. Not with `--quiet`.
    pub fn note(&self, line: &str) {
        self.bar.suspend(|| Spinner::new(self.quiet).note(line));
    }

    /// Removes the line.
    pub fn done(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.done();
    }
}

/// The progress in words.
fn line(tally: &RunProgress, elapsed: Duration) -> String {
    let turns = format!("{} of {}", tally.turns_done, counted(tally.turns, "turn"));
    match message(tally, elapsed) {
        message if message.is_empty() => turns,
        message => format!("{turns} · {message}"),
    }
}

/// EMR so far, rate, tokens, time left.
#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn message(tally: &RunProgress, elapsed: Duration) -> String {
    let mut parts = Vec::new();
    if let Some(emr) = tally.emr() {
        parts.push(format!("EMR {:.1} %", emr * 100.0));
    }
    let done = tally.turns_done.saturating_sub(tally.turns_kept);
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-3);
    if done > 0 {
        parts.push(if rate >= 1.0 {
            format!("{rate:.1} turns/s")
        } else {
            format!("{:.1} s/turn", 1.0 / rate)
        });
    }
    let tokens = tally.usage.prompt_tokens + tally.usage.completion_tokens;
    if tokens > 0 {
        parts.push(format!("{} tokens", HumanCount(tokens)));
    }
    let left = tally.turns.saturating_sub(tally.turns_done);
    if done > 0 && left > 0 {
        let left = Duration::try_from_secs_f64(left as f64 / rate).unwrap_or(Duration::MAX);
        parts.push(format!("{} left", HumanDuration(left)));
    }
    if !tally.failed.is_empty() {
        parts.push(format!("{} failed", tally.failed.len()));
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::runner::Unfinished;
    use crate::llm::Usage;

    #[test]
    fn the_line_says_how_it_looks_and_how_long_it_takes() {
        let mut tally = RunProgress {
            turns: 100,
            turns_done: 30,
            turns_kept: 10,
            ..RunProgress::default()
        };
        let shown = |tally: &RunProgress| message(tally, Duration::from_secs(40));
        assert_eq!(shown(&tally), "2.0 s/turn · 2 minutes left");
        (tally.finished, tally.prefixes) = (4, 1.5);
        tally.usage = Usage {
            prompt_tokens: 12_000,
            cached_tokens: 0,
            completion_tokens: 345,
            ..Usage::default()
        };
        tally.failed.push(Unfinished {
            dialogue: "a".into(),
            epoch: 1,
            turn: 2,
            message: "503".into(),
        });
        assert_eq!(
            shown(&tally),
            "EMR 37.5 % · 2.0 s/turn · 12,345 tokens · 2 minutes left · 1 failed"
        );
        let elapsed = Duration::from_secs(40);
        assert_eq!(
            line(&tally, elapsed),
            "30 of 100 turns · EMR 37.5 % · 2.0 s/turn · 12,345 tokens · 2 minutes left · 1 failed"
        );
        let begun = RunProgress {
            turns: 100,
            ..RunProgress::default()
        };
        assert_eq!(line(&begun, elapsed), "0 of 100 turns");
        let one = RunProgress {
            turns: 1,
            turns_done: 1,
            ..RunProgress::default()
        };
        assert_eq!(line(&one, elapsed), "1 of 1 turn · 40.0 s/turn");
    }
}
