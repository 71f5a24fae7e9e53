//! Asking the person whether a plan is carried out.

use super::lines::Lines;
use crate::agent::Decision;
use crate::cli::plan;
use crate::cli::progress::Spinner;
use crate::cli::terminal::{self, BOLD, DIM, Styled};
use crate::error::Result;
use crate::journal::{By, Decider};
use crate::plan::{Plan, Stop};
use crate::policy::Mode;
use async_trait::async_trait;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shows plans, and asks. Shared by the chat and the overseer of its agent.
pub struct Asker {
    /// Where answers come from; utterances come from there as well.
    pub lines: Mutex<Lines>,
    state: Mutex<State>,
}

struct State {
    /// In `auto` every plan is agreed to.
    mode: Mode,
    spinner: Option<Arc<Spinner>>,
    /// Ends the apply that is under way.
    stop: Option<Stop>,
    /// The person has agreed before they were asked.
    agreed: bool,
    /// Nothing is shown.
    silent: bool,
}

impl Asker {
    /// Asks for answers from these lines.
    pub fn new(lines: Lines, mode: Mode) -> Asker {
        Asker {
            lines: Mutex::new(lines),
            state: Mutex::new(State {
                mode,
                spinner: None,
                stop: None,
                agreed: false,
                silent: false,
            }),
        }
    }

    /// The same, and every question has a yes already.
    #[must_use]
    pub fn agreeing(self) -> Asker {
        self.state().agreed = true;
        self
    }

    /// The same, and nothing is shown: a program reads what comes of it.
    #[must_use]
    pub fn silent(self) -> Asker {
        self.state().silent = true;
        self
    }

    /// Shows something that belongs to a question.
    pub fn show(&self, text: impl std::fmt::Display) -> Result<()> {
        match self.state().silent {
            true => Ok(()),
            false => terminal::print(text),
        }
    }

    /// From now on plans are decided on in this mode.
    pub fn set_mode(&self, mode: Mode) {
        self.state().mode = mode;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines, one reader at a time.
    pub fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn begins, or with `None` ends: what is said about it is said there.
    pub fn turn(&self, spinner: Option<Arc<Spinner>>) {
        let mut state = self.state();
        (state.spinner, state.stop) = (spinner, None);
    }

    /// Ends the apply that is under way, before its next write; false where there is none.
    pub fn stop(&self) -> bool {
        let state = self.state();
        state.stop.as_ref().map(Stop::stop).is_some()
    }

    /// Whether a plan is carried out: shows it, and asks. In the mode `auto` it is.
    pub fn decide(&self, head: &str, plan: &Plan) -> Result<(Decision, By)> {
        let mode = self.state().mode;
        if mode == Mode::Auto {
            return Ok((Decision::Apply(self.stoppable()), By::Policy));
        }
        if let Some(spinner) = &self.state().spinner {
            spinner.done();
        }
        let table = plan::table(plan, false);
        self.show(format_args!("\n{}\n{table}", Styled(BOLD, head)))?;
        // Waiting for a person must not hold up the others on this thread.
        let answer = tokio::task::block_in_place(|| self.ask("Do it? [y/N] "))?;
        let why = match answer {
            Some(true) => return Ok((Decision::Apply(self.stoppable()), By::User)),
            Some(false) => "the user was shown what this would change, and said no",
            None => "the user was shown what this would change, and did not agree",
        };
        self.show(format_args!("{}\n", Styled(DIM, "Nothing is changed.")))?;
        let sentence = format!("Nothing was changed: {why}.");
        Ok((Decision::Decline(sentence), By::User))
    }

    /// Asks for a yes or a no. What no person typed is shown.
    pub fn ask(&self, question: &str) -> Result<Option<bool>> {
        if self.state().agreed {
            return Ok(Some(true));
        }
        let mut lines = self.lines();
        let answer = lines.answer(question)?;
        if !lines.is_interactive() {
            let word = match answer {
                Some(true) => "yes",
                Some(false) => "no",
                None => "(no answer)",
            };
            terminal::print(format_args!("{question}{word}\n"))?;
        }
        Ok(answer)
    }

    /// What ends the apply that begins now, when [`Asker::stop`] says so.
    pub fn stoppable(&self) -> Stop {
        let stop = Stop::default();
        self.state().stop = Some(stop.clone());
        stop
    }
}

#[async_trait]
impl Decider for Arc<Asker> {
    async fn decide(&self, _: usize, uid: u32, plan: &Plan) -> Result<(Decision, By)> {
        let head = format!("The program of goal {uid} would change this:");
        Asker::decide(self, &head, plan)
    }
}
