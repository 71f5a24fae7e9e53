//! The terminal side of a session: shows events, asks about plans, and handles Ctrl-C.

use super::lines::{Lines, Said, forget_typed_ahead, is_at_terminal, read_line};
use super::progress_line::ProgressLine;
use crate::cli::plan::{self, Extent};
use crate::cli::progress::{Hush, Spinner};
use crate::cli::terminal::{self, BOLD, DIM, Styled, clean};
use crate::domain::{Costly, counted};
use crate::error::{Error, Result};
use crate::service::{
    Cancelled, CostView, CutOffApply, Event, Events, OpenSession, PlanAnswer, PlanView,
};
use std::sync::Arc;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// A person, a script or a pipe, and the output for them.
pub struct Front {
    /// The source of utterances and answers.
    pub lines: Lines,
    events: Events,
    pub spinner: Arc<Spinner>,
    progress: ProgressLine,
    /// Whether every question is answered with yes.
    agreed: bool,
    /// Whether nothing is shown, because a program reads the result.
    silent: bool,
    /// Whether Ctrl-C cancels the current work instead of ending the process.
    hears_ctrl_c: bool,
    /// Catches Ctrl-C while work or a question waits.
    interrupts: Option<Signal>,
    /// Whether Ctrl-C ended a question.
    is_interrupted: bool,
    is_unanswered: bool,
}

impl Front {
    /// Shows these events. Handles Ctrl-C if a person types the lines.
    pub fn new(lines: Lines, events: Events, spinner: Arc<Spinner>) -> Front {
        Front {
            hears_ctrl_c: lines.is_interactive(),
            progress: ProgressLine::new(spinner.clone()),
            lines,
            events,
            spinner,
            agreed: false,
            silent: false,
            interrupts: None,
            is_interrupted: false,
            is_unanswered: false,
        }
    }

    /// The same for a command: always handles Ctrl-C, agrees to everything if `agreed`,
    /// and shows nothing if `silent`.
    #[must_use]
    pub fn of_command(self, agreed: bool, silent: bool) -> Front {
        Front {
            hears_ctrl_c: true,
            agreed,
            silent,
            ..self
        }
    }

    /// Waits for work of a session, and shows events meanwhile.
    pub async fn follow<T>(
        &mut self,
        session: &OpenSession,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let _hush = Hush::new(self.lines.is_interactive());
        self.catch_interrupts();
        tokio::pin!(work);
        let done = loop {
            tokio::select! {
                biased;
                Some(event) = self.events.recv() => self.event(session, event).await?,
                done = &mut work => break done,
                Some(()) = next(&mut self.interrupts) => {
                    if session.cancel() == Cancelled::Stopping {
                        self.spinner.note(
                            "Stopping after the write under way. Ctrl-C again stops at once.",
                        );
                    }
                }
            }
        };
        self.draw(session).await?;
        self.interrupts = None;
        self.spinner.done();
        done
    }

    /// Shows all events so far.
    pub async fn draw(&mut self, session: &OpenSession) -> Result<()> {
        while let Some(event) = self.events.try_recv() {
            self.event(session, event).await?;
        }
        Ok(())
    }

    async fn event(&mut self, session: &OpenSession, event: Event) -> Result<()> {
        match event {
            Event::Plan(plan) => {
                self.spinner.done();
                let program = session.journal().with_state(|state| {
                    let program = state.program_of(plan.origin)?;
                    Some(program.code().to_owned())
                });
                // A step asks again and again for the same program.
                let program = program.filter(|_| !plan.is_step());
                let answer = self.answer(&plan, program.as_deref()).await?;
                session.decide(plan.plan, answer)
            }
            Event::Costly(cost) => {
                let CostView { id, uid, costly } = *cost;
                self.spinner.done();
                let go_on = self.go_on(uid, &costly).await?;
                session.let_go_on(id, go_on)
            }
            Event::CannotBringBack { places } => self.show(plan::lasting(&places, Extent::Whole)),
            event => {
                self.progress.event(&event);
                Ok(())
            }
        }
    }

    /// Shows a plan and asks whether it is carried out.
    async fn answer(&mut self, plan: &PlanView, program: Option<&str>) -> Result<PlanAnswer> {
        let answer = match self.ask_about(plan, program, "Do it? [y/N] ").await? {
            Some(true) => return Ok(PlanAnswer::Apply),
            Some(false) => PlanAnswer::Decline,
            None => PlanAnswer::Unanswered,
        };
        let said = match plan.is_step() {
            true => "The call is not made.",
            false => "Nothing is changed.",
        };
        self.show(format_args!("{}\n", Styled(DIM, said)))?;
        Ok(answer)
    }

    /// Shows a plan and asks this about it, until the answer is yes or no.
    async fn ask_about(
        &mut self,
        plan: &PlanView,
        program: Option<&str>,
        question: &str,
    ) -> Result<Option<bool>> {
        let head = Styled(BOLD, plan::head(plan)).to_string();
        let end = plan::program(program);
        let mut extent = Extent::Asked;
        loop {
            self.show(format_args!("\n{head}\n{}{end}", plan::table(plan, extent)))?;
            let may_see_all = extent == Extent::Asked && plan::is_cut(plan);
            match self.question(question, may_see_all).await? {
                Some(Said::All) if may_see_all => extent = Extent::Whole,
                Some(Said::Yes) => return Ok(Some(true)),
                Some(Said::No) => return Ok(Some(false)),
                Some(Said::All) | None => return Ok(None),
            }
        }
    }

    /// Says what is made of an apply that was cut off, shows what is left of it, and asks this.
    pub async fn ask_to_finish(
        &mut self,
        it: &CutOffApply,
        question: &str,
    ) -> Result<Option<bool>> {
        let of = counted(it.of, "write");
        let line = format!("An apply was cut off after {} of {of}.", it.made);
        let done = match it.made {
            0 => String::new(),
            _ => plan::done(&it.done, false),
        };
        self.show(format_args!("{}\n{done}", Styled(DIM, line)))?;
        self.ask_about(&it.left, None, question).await
    }

    /// Shows what a program has cost and asks whether it goes on.
    async fn go_on(&mut self, uid: u32, costly: &Costly) -> Result<bool> {
        let line = format!(
            "The program of goal {uid} costs time and money: {costly}. How much is still to come \
             is not known. If it goes on, it begins again."
        );
        self.show(format_args!("\n{}\n", Styled(BOLD, clean(&line))))?;
        let answer = self.ask("Go on? [y/N] ").await?;
        Ok(answer == Some(true))
    }

    /// Asks a yes-or-no question. An answer that was not typed by a person is shown.
    async fn ask(&mut self, question: &str) -> Result<Option<bool>> {
        let said = self.question(question, false).await?;
        Ok(said.map(|said| said == Said::Yes))
    }

    /// Asks a question that `all` answers as well, if `may_see_all`.
    async fn question(&mut self, question: &str, may_see_all: bool) -> Result<Option<Said>> {
        if self.agreed {
            return Ok(Some(Said::Yes));
        }
        // Somebody types, but the output goes elsewhere: the question must be there first.
        let is_typed = self.lines.is_pipe() && is_at_terminal();
        if is_typed {
            terminal::print(question)?;
            forget_typed_ahead();
        }
        let answer = match self.hears_ctrl_c && self.lines.is_pipe() {
            true => self.piped_answer(may_see_all).await?,
            // Waiting for a person must not block other tasks on this thread.
            false => tokio::task::block_in_place(|| self.lines.reply(question, may_see_all))?,
        };
        self.is_unanswered |= answer.is_none();
        if !self.lines.is_interactive() {
            let word = match answer {
                Some(Said::Yes) => "yes",
                Some(Said::No) => "no",
                Some(Said::All) => "all",
                None => "(no answer)",
            };
            let question = if is_typed { "" } else { question };
            terminal::print(format_args!("{question}{word}\n"))?;
        }
        Ok(answer)
    }

    /// The answer from a pipe; `None` also if Ctrl-C comes first. The pipe is read on another
    /// thread, because nothing ends a read while the other end of the pipe stays open.
    async fn piped_answer(&mut self, may_see_all: bool) -> Result<Option<Said>> {
        self.catch_interrupts();
        let reading = tokio::task::spawn_blocking(read_line);
        tokio::select! {
            biased;
            Some(()) = next(&mut self.interrupts) => {
                self.is_interrupted = true;
                Ok(None)
            }
            line = reading => {
                let line = line.map_err(Error::bug("standard input cannot be read"))?;
                Ok(self.lines.answer_in(line?, may_see_all))
            }
        }
    }

    /// Refuses to go on if a question got no answer. `way_out` says how to get on.
    ///
    /// # Errors
    /// Ctrl-C ended a question, or the input had ended.
    pub fn check_answered(&self, way_out: &str) -> Result<()> {
        match (self.is_interrupted, self.is_unanswered) {
            (true, _) => Err(Error::world(
                "interrupted before the answer; nothing was changed",
            )),
            (false, true) => Err(Error::usage(format!(
                "there was no answer, and nothing was changed; {way_out}"
            ))),
            (false, false) => Ok(()),
        }
    }

    /// Catches interrupts from now on, if that is wanted. If the system does not allow it,
    /// Ctrl-C ends the process as usual.
    fn catch_interrupts(&mut self) {
        if self.hears_ctrl_c && self.interrupts.is_none() {
            self.interrupts = signal(SignalKind::interrupt()).ok();
        }
    }

    /// Shows text that belongs to a question.
    fn show(&self, text: impl std::fmt::Display) -> Result<()> {
        if self.silent {
            return Ok(());
        }
        terminal::print(text)
    }
}

async fn next(interrupts: &mut Option<Signal>) -> Option<()> {
    interrupts.as_mut()?.recv().await
}
