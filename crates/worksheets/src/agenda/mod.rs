//! The agenda: from the state that a turn program left to the acts of the turn (sections 3
//! and 4). It does no I/O: what needs a host is handed out as a [`Next`], and what came of it
//! is handed back as an [`Effect`].

mod effect;
mod fault;
mod follow;
mod question;
mod step;

use std::collections::VecDeque;

pub use effect::{Effect, Next, Place, Turned};
pub use follow::{Host, follow};

use crate::act::{Act, Performed, Reason};
use crate::desk::{Desk, Op};
use crate::judge::STEPS;
use crate::sheets::Sheets;
use crate::state::{By, State, Status};
use step::Pending;

/// The rule of sheets that come to no end.
pub(crate) const ENDLESS: &str = "endless-sheets";

/// How a turn program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It ran to its end, or raised a conversational exception that keeps what it did.
    Kept,
    /// It raised `EndDialog`: what it did is kept, and no question is asked.
    EndDialog,
    /// It raised something else: nothing that it did counts.
    Failed,
}

impl Ended {
    /// How a program ended that raised an exception of a class.
    pub fn by(class: &str) -> Self {
        match class {
            "EndDialog" => Self::EndDialog,
            "ChitChat"
            | "FAQ"
            | "OutOfScopeRequestError"
            | "AmbiguousRequestError"
            | "OverSpecificationError" => Self::Kept,
            _ => Self::Failed,
        }
    }
}

/// What the owner of the sheets decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether the agent opens sheets by itself (`initiative = "user"`: it does not).
    pub opens: bool,
    /// Whether records that stand nowhere are given a place.
    pub adopts: bool,
    /// Whether a human takes over a field that was stuck twice.
    pub hands_off: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            opens: true,
            adopts: true,
            hands_off: false,
        }
    }
}

/// The agenda of one turn.
///
/// ```
/// use worksheets::{Agenda, Desk, Ended, Format, Next, Settings, State};
///
/// let csv = "WS Name,Kind,Type,Name,Required\nOrder,task,,,\n,input,int,count,TRUE\n";
/// let sheets = worksheets::read(csv.as_bytes(), Format::Csv).unwrap();
/// let desk = Desk::open(&sheets, &State::default());
/// let mut agenda = Agenda::begin(desk, &State::default(), Ended::Kept, Settings::default());
/// let Next::Acts(turned) = agenda.next() else { panic!() };
/// assert_eq!(turned.acts[0].to_string(), "Ask(order, count)");
/// ```
#[derive(Clone, Debug)]
pub struct Agenda<'s> {
    desk: Desk<'s>,
    settings: Settings,
    end_dialog: bool,
    productive: bool,
    /// The state in which the loop began: kept if the sheets never come to an end.
    before_loop: Box<Desk<'s>>,
    pending: Option<Pending>,
    queue: VecDeque<Pending>,
    steps: Vec<Pending>,
    /// Roots of the records at which something failed in this turn.
    failed: Vec<String>,
    turned: Option<Turned>,
}

impl<'s> Agenda<'s> {
    /// The agenda for what a turn program left on its desk. `before` is the state that the
    /// desk was opened with.
    pub fn begin(desk: Desk<'s>, before: &State, ended: Ended, settings: Settings) -> Self {
        let opened = Desk::open(desk.sheets, before);
        let mut desk = if ended == Ended::Failed {
            opened.clone()
        } else {
            desk
        };
        if settings.adopts {
            desk.adopt();
        }
        let productive = desk.log.shown || desk.state.records != opened.state.records;
        desk.focus();
        desk.settle_changes();
        desk.by = By::Agent;
        Self {
            before_loop: Box::new(desk.clone()),
            desk,
            settings,
            end_dialog: ended == Ended::EndDialog,
            productive,
            pending: None,
            queue: VecDeque::new(),
            steps: Vec::new(),
            failed: Vec::new(),
            turned: None,
        }
    }

    /// What is needed next; the same again until [`Agenda::done`] says what came of it.
    #[allow(
        clippy::should_implement_trait,
        reason = "it does not end with nothing"
    )]
    pub fn next(&mut self) -> Next {
        loop {
            if let Some(turned) = &self.turned {
                return Next::Acts(turned.clone());
            }
            if let Some(pending) = &self.pending {
                return self.describe(pending);
            }
            match self.queue.pop_front().or_else(|| self.step()) {
                Some(pending) => {
                    self.steps.push(pending.clone());
                    if self.steps.len() > STEPS {
                        self.stop_loop();
                        continue;
                    }
                    self.prepare(&pending);
                    self.pending = Some(pending);
                }
                None => self.conclude(),
            }
        }
    }

    /// The sheets loop: the state of before the loop is kept.
    fn stop_loop(&mut self) {
        // The one after the last is never made.
        self.steps.truncate(STEPS);
        let last = self.steps.iter().rev().take(3).rev();
        let last: Vec<String> = last.map(Pending::to_string).collect();
        let message = format!(
            "the sheets come to no end: after {STEPS} steps everything since the program was \
             taken back; the last steps were {}",
            last.join(", ")
        );
        let problem = self.problem(ENDLESS, self.steps.last(), message);
        self.desk = (*self.before_loop).clone();
        self.desk.log.problems.push(problem);
        self.queue.clear();
        self.steps.clear();
        self.failed.clear();
        self.settings.opens = false;
        self.conclude();
    }

    /// Steps 7 to 9 of section 3.2, unless a sheet is opened, which begins the loop anew.
    fn conclude(&mut self) {
        let asks = !self.end_dialog
            && self.desk.log.handoff.is_none()
            && !self.desk.log.acts.iter().any(Act::is_question);
        if asks && self.desk.log.repeat {
            self.propose_again();
        }
        self.lapse();
        if !asks {
            return self.finish(None);
        }
        if let Some(question) = self.question() {
            return self.finish(Some(question));
        }
        let may_open = self.failed.is_empty() && self.desk.log.handoff.is_none();
        if may_open && self.settings.opens && self.open_sheet() {
            return;
        }
        self.finish(None);
    }

    /// A proposal that is repeated is one of this turn.
    fn propose_again(&mut self) {
        let again = self.last_question_again();
        let turn = self.desk.state.turn;
        if let Some(Act::Propose(var)) = again.map(|performed| performed.act)
            && let Some(task) = self.desk.state.task_mut(&var)
        {
            task.since = Some(turn);
        }
    }

    /// Proposals of earlier turns end.
    fn lapse(&mut self) {
        let turn = self.desk.state.turn;
        let lapsed: Vec<String> = self
            .desk
            .state
            .records
            .iter()
            .filter(|record| {
                record.status == Status::Proposed
                    && record.task().and_then(|task| task.since) != Some(turn)
            })
            .map(|record| record.var.clone())
            .collect();
        for var in lapsed {
            self.desk.close(&var);
        }
    }

    fn finish(&mut self, question: Option<Performed>) {
        let mut acts: Vec<Performed> = Vec::new();
        let (asked, others): (Vec<Act>, Vec<Act>) = std::mem::take(&mut self.desk.log.acts)
            .into_iter()
            .partition(Act::is_question);
        let plain = |act| Performed { act, reason: None };
        acts.extend(others.into_iter().map(plain));
        if let Some(why) = self.desk.log.handoff.take() {
            acts.push(plain(Act::Handoff(why)));
        } else {
            acts.extend(asked.into_iter().map(plain));
            acts.extend(question);
        }
        self.desk.drop_refusals();
        self.desk.tidy();
        let state = &mut self.desk.state;
        state.acts = acts.iter().map(|performed| performed.act.clone()).collect();
        self.turned = Some(Turned {
            state: std::mem::take(state),
            acts,
            productive: self.productive,
            problems: std::mem::take(&mut self.desk.log.problems),
            notes: std::mem::take(&mut self.desk.log.notes),
        });
    }

    /// A desk on which a host tries the operations of the pending action while it runs, so
    /// that the box gets variables and refusals at once. The operations are handed back with
    /// [`Effect::Ops`]; what is done to the desk itself does not count.
    pub fn desk(&self) -> Desk<'s> {
        self.desk.clone()
    }

    fn apply_all(&mut self, ops: &[Op]) -> Result<(), crate::desk::Refused> {
        ops.iter()
            .try_for_each(|op| self.desk.apply(op).map(|_| ()))
    }

    pub(crate) fn sheets(&self) -> &'s Sheets {
        self.desk.sheets
    }
}

impl Performed {
    fn ask(record: &str, field: &str, reason: Option<Reason>) -> Self {
        Self {
            act: Act::Ask(record.to_owned(), field.to_owned()),
            reason,
        }
    }
}
