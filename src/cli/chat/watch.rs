//! What a turn is doing, while it is doing it.

use crate::agent::{Event, Observer};
use crate::cli::progress::Spinner;
use crate::cli::show;
use crate::retrieval::Task;

/// Tells a spinner what happens, and remembers what was running.
pub struct Watch<'a> {
    spinner: &'a Spinner,
    asking: &'static str,
    written: usize,
    calls: usize,
    /// The goal whose program runs.
    pub running: Option<u32>,
}

impl<'a> Watch<'a> {
    /// Nothing has happened yet.
    pub fn new(spinner: &'a Spinner) -> Self {
        Watch {
            spinner,
            asking: "",
            written: 0,
            calls: 0,
            running: None,
        }
    }
}

impl Observer for Watch<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Asking { task, repair } => {
                self.asking = match (task, repair) {
                    (Task::Program, false) => "asking the model for a program",
                    (Task::Program, true) => "asking the model for a better program",
                    (Task::Response, false) => "asking the model for a reply",
                    (Task::Response, true) => "asking the model for a better reply",
                };
                self.written = 0;
                self.spinner.say(self.asking);
            }
            Event::Shortened { examples, of, .. } => self.spinner.note(&format!(
                "The prompt has {examples} of {of} examples, so that it fits."
            )),
            Event::Text { text, .. } => {
                self.written += text.chars().count();
                let (asking, written) = (self.asking, self.written);
                self.spinner.say(&format!("{asking}: {written} characters"));
            }
            Event::Restart => {
                self.written = 0;
                self.spinner.say(self.asking);
            }
            Event::Waiting {
                delay,
                attempt,
                reason,
            } => {
                let reason: Vec<&str> = reason.split_whitespace().collect();
                let (delay, reason) = (show::elapsed(delay), reason.join(" "));
                let next = attempt + 1;
                self.spinner
                    .note(&format!("Waiting {delay} before try {next}: {reason}"));
                self.spinner.say(&format!("waiting {delay} for the model"));
            }
            Event::Unusable { .. } => self.spinner.say("looking at what is wrong with the answer"),
            Event::Predicted(_) => {}
            Event::Started { uid } => {
                (self.running, self.calls) = (Some(uid), 0);
                self.spinner
                    .say(&format!("running the program of goal {uid}"));
            }
            Event::Called { operation, .. } => {
                self.calls += 1;
                let uid = self.running.unwrap_or_default();
                let calls = self.calls;
                self.spinner.say(&format!(
                    "running the program of goal {uid}: call {calls}, {operation}"
                ));
            }
            Event::Withheld { uid, writes } => self.spinner.note(&format!(
                "The program of goal {uid} failed: none of its {writes} writes is made."
            )),
            Event::Applying { made, of, .. } => {
                self.spinner.say(&format!("{made} of {of} writes are made"));
            }
            Event::Executed { .. } => self.running = None,
        }
    }
}
