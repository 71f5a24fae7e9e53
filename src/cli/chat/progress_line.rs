//! The line that shows the current work.

use crate::cli::progress::Spinner;
use crate::cli::show;
use crate::domain::counted;
use crate::service::{Event, RequestKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Shows events in a spinner.
pub struct ProgressLine {
    spinner: Arc<Spinner>,
    asking: &'static str,
    written: usize,
    calls: usize,
    running: u32,
    /// When the first writes of the plan were made, and how many those were.
    since: Option<(Instant, usize)>,
}

impl ProgressLine {
    /// A line for a session without events so far.
    pub fn new(spinner: Arc<Spinner>) -> Self {
        ProgressLine {
            spinner,
            asking: "",
            written: 0,
            calls: 0,
            running: 0,
            since: None,
        }
    }

    /// Shows an event.
    pub fn event(&mut self, event: &Event) {
        let spinner = &self.spinner;
        match event {
            Event::ChangesNotShown { why } => {
                spinner.note(&format!("Changes of the world will not be shown: {why}."));
            }
            Event::Asking { task, repair } => {
                self.asking = match (task, repair) {
                    (RequestKind::Program, false) => "asking the model for a program",
                    (RequestKind::Program, true) => "asking the model for a better program",
                    (RequestKind::Reply, false) => "asking the model for a reply",
                    (RequestKind::Reply, true) => "asking the model for a better reply",
                };
                self.written = 0;
                spinner.say(self.asking);
            }
            Event::Shortened { examples, of } => spinner.note(&format!(
                "The prompt has {examples} of {}, so that it fits.",
                counted(*of, "example")
            )),
            Event::Text { text, .. } => {
                self.written += text.chars().count();
                let written = counted(self.written, "character");
                spinner.say(&format!("{}: {written}", self.asking));
            }
            Event::Restart => {
                self.written = 0;
                spinner.say(self.asking);
            }
            Event::Waiting {
                delay_ms,
                attempt,
                reason,
            } => {
                let reason: Vec<&str> = reason.split_whitespace().collect();
                let delay = show::elapsed(Duration::from_millis(*delay_ms));
                let (reason, next) = (reason.join(" "), attempt + 1);
                spinner.note(&format!("Waiting {delay} before try {next}: {reason}"));
                spinner.say(&format!("waiting {delay} for the model"));
            }
            Event::Unusable { .. } => spinner.say("looking at what is wrong with the answer"),
            Event::Started { uid } => {
                (self.running, self.calls) = (*uid, 0);
                spinner.say(&format!("running the program of goal {uid}"));
            }
            Event::Called { operation, .. } => {
                self.calls += 1;
                let (uid, calls) = (self.running, self.calls);
                spinner.say(&format!(
                    "running the program of goal {uid}: call {calls}, {operation}"
                ));
            }
            Event::Withheld { uid, writes } => {
                let none = match writes {
                    1 => "its write is not".to_owned(),
                    many => format!("none of its {many} writes is"),
                };
                spinner.note(&format!("The program of goal {uid} failed: {none} made."));
            }
            Event::Applying { made, of } => {
                let now = (Instant::now(), *made);
                let (begun, before) = match self.since {
                    Some((begun, before)) if before <= *made => (begun, before),
                    _ => now,
                };
                self.since = (made < of).then_some((begun, before));
                let rate = show::rate(made - before, of - made, begun.elapsed());
                let of = counted(*of, "write");
                spinner.say(&format!("made {made} of {of}{rate}"));
            }
            event => spinner.event(event),
        }
    }
}
