//! The numbered events of the open session.

use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The events of the open session, numbered from 1 as long as the process lives. Every page reads
/// them from where it stopped.
///
/// The log is all that a page knows: nothing is shown that is not in it. Two rules keep it short.
/// `opened` begins a new session and drops the events before it. `turn_ended` has everything about
/// its turn, so the progress of the turn is dropped then.
///
/// ```
/// use serde_json::json;
/// use web_desk::Log;
///
/// let log = Log::new();
/// log.push(json!({"event": "opened", "session": "monday"}));
/// log.push(json!({"event": "turn_started", "turn": 1, "user": "hello"}));
/// log.push(json!({"event": "text", "task": "reply", "text": "Hel"}));
/// log.push(json!({"event": "turn_ended", "turn": 1, "user": "hello"}));
/// let numbers: Vec<u64> = log.after(0).iter().map(|event| event.number).collect();
/// assert_eq!(numbers, [1, 2, 4]);
/// ```
pub struct Log {
    kept: Mutex<Kept>,
    last: watch::Sender<u64>,
}

/// An event with its number.
#[derive(Debug, Clone)]
pub struct Numbered {
    /// The number.
    pub number: u64,
    /// The event: JSON on one line.
    pub json: Arc<str>,
    is_progress: bool,
}

#[derive(Default)]
struct Kept {
    events: VecDeque<Numbered>,
    session: String,
    waits: Option<Question>,
}

/// A question that waits for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// Whether the plan with this number is applied.
    Plan(u64),
    /// Whether a costly program goes on.
    Cost,
}

/// The events that tell how a turn comes along, and nothing that its end does not tell as well.
const PROGRESS: [&str; 9] = [
    "asking", "text", "restart", "waiting", "unusable", "started", "called", "applying", "costly",
];

impl Log {
    /// A log without events.
    pub fn new() -> Arc<Log> {
        let (last, _) = watch::channel(0);
        let kept = Mutex::default();
        Arc::new(Log { kept, last })
    }

    /// Adds an event: an object whose `event` is its name, as the crate's documentation lists
    /// them. Returns its number.
    pub fn push(&self, event: Value) -> u64 {
        let name = event.get("event").and_then(Value::as_str).unwrap_or("");
        let mut kept = self.kept();
        let number = *self.last.borrow() + 1;
        match name {
            "opened" => {
                kept.events.clear();
                kept.session = text(&event, "session");
                kept.waits = None;
            }
            "turn_ended" => {
                kept.events.retain(|event| !event.is_progress);
                kept.waits = None;
            }
            "plan" => {
                kept.waits = event
                    .get("plan")
                    .and_then(Value::as_u64)
                    .map(Question::Plan)
            }
            "costly" => kept.waits = Some(Question::Cost),
            "decided" | "undone" | "started" | "executed" | "closed" => kept.waits = None,
            _ => {}
        }
        kept.events.push_back(Numbered {
            number,
            json: event.to_string().into(),
            is_progress: PROGRESS.contains(&name),
        });
        // Under the lock, so that numbers and events keep one order.
        self.last.send_replace(number);
        number
    }

    /// The events after this number.
    pub fn after(&self, number: u64) -> Vec<Numbered> {
        let kept = self.kept();
        let from = kept.events.partition_point(|event| event.number <= number);
        kept.events.range(from..).cloned().collect()
    }

    /// Takes the question that waits in this session, so that nobody else answers it. `false`
    /// where it does not wait any more.
    pub(crate) fn take(&self, session: &str, question: Question) -> bool {
        let mut kept = self.kept();
        let waits = kept.session == session && kept.waits == Some(question);
        if waits {
            kept.waits = None;
        }
        waits
    }

    /// Lets a question wait again that could not be answered.
    pub(crate) fn put_back(&self, question: Question) {
        self.kept().waits.get_or_insert(question);
    }

    /// The open session.
    pub(crate) fn session(&self) -> String {
        self.kept().session.clone()
    }

    /// The number of the plan that waits.
    pub(crate) fn waiting_plan(&self) -> Option<u64> {
        match self.kept().waits {
            Some(Question::Plan(plan)) => Some(plan),
            _ => None,
        }
    }

    /// Tells the number of the last event whenever there is another.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.last.subscribe()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn text(event: &Value, field: &str) -> String {
    event
        .get(field)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}
