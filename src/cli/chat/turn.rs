//! One turn, and what is shown of it.

use super::watch::Watch;
use super::{Chat, LOOK};
use crate::agent::TurnReport;
use crate::cli::progress::{Hush, Spinner};
use crate::cli::terminal::{self, DIM, Styled, clean};
use crate::cli::{plan, stack};
use crate::domain::s3::show::{diff, summary};
use crate::error::Result;
use crate::journal::{By, Verdict};
use std::sync::Arc;

impl Chat<'_> {
    /// Carries out a turn and shows what came of it.
    pub(super) fn turn(&mut self, said: &str) -> Result<()> {
        let spinner = Arc::new(Spinner::new(self.quiet));
        self.asker.turn(Some(spinner.clone()));
        let mut watch = Watch::new(&spinner);
        let mut session = std::mem::take(&mut self.session);
        let report = self.wait_or_stop(self.agent.turn(&mut session, said, &mut watch));
        self.session = session;
        self.asker.turn(None);
        let running = watch.running;
        let changes = match &report {
            Some(report) => self.changes(wrote(report)),
            None => self.changes(true),
        };
        spinner.done();
        match report {
            Some(report) => {
                self.failed_turns += usize::from(report.failure.is_some());
                let took = self.spent.add(&report);
                self.show(&report, &changes)?;
                if self.verbose {
                    Spinner::new(self.quiet).note(&format!("({took})"));
                }
            }
            None => self.cancelled(running, &changes)?,
        }
        self.saved.keep(&self.session);
        Ok(())
    }

    fn show(&self, report: &TurnReport, changes: &str) -> Result<()> {
        let mut text = String::from("\n");
        for update in &report.updates {
            let executed = report.executed.iter().find(|done| done.uid == update.uid);
            if let Some(goal) = self.session.stack().get(update.uid) {
                text.push_str(&stack::goal(goal, executed.map(|done| &done.execution)));
                text.push_str(&self.unasked(update.uid, changes.is_empty()));
                text.push('\n');
            }
        }
        if !changes.is_empty() {
            text.push_str(changes);
            text.push('\n');
        }
        terminal::print(text)?;
        self.say_marked(&report.reply, &report.unsupported)?;
        // A turn that was given up says why itself; a reply in our words does not.
        if let Some(failure) = &report.failure
            && !report.reply.contains(&failure.to_string())
            && !self.quiet
        {
            let why = format!("(In plain words, because {failure}.)");
            terminal::print(format_args!("{}\n\n", Styled(DIM, clean(&why))))?;
        }
        if report.ends_dialogue() && self.interactive {
            let hint = "(The dialogue is over. Ctrl-D leaves; whatever you say goes on with it.)";
            terminal::print(format_args!("{}\n\n", Styled(DIM, hint)))?;
        }
        Ok(())
    }

    /// What a program of the turn did that nobody was asked about; `all` of it, where the
    /// world is not looked at.
    fn unasked(&self, uid: u32, all: bool) -> String {
        let turn = self.session.turns().len();
        let done = self.journal.with_state(|state| {
            let known = state.plan_of(turn, uid)?;
            let is_unasked = matches!(known.decided, Some((Verdict::Apply {}, By::Policy)));
            is_unasked.then(|| known.planned.outline().first(known.made.len()))
        });
        match done {
            Some(done) if !done.writes.is_empty() => plan::done(&done, all),
            _ => String::new(),
        }
    }

    /// Waits for a turn or an undo. Ctrl-C ends it, but for an apply, which ends before its next write.
    pub(super) fn wait_or_stop<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let work = async {
            tokio::pin!(work);
            loop {
                tokio::select! {
                    biased;
                    done = &mut work => return Some(done),
                    Ok(()) = tokio::signal::ctrl_c(), if self.interactive => {
                        if !self.asker.stop() {
                            return None;
                        }
                    }
                }
            }
        };
        let _hush = Hush::new(self.interactive);
        self.runtime.block_on(work)
    }

    /// The person stopped the turn. What ran stays; what was only thought of goes.
    fn cancelled(&mut self, running: Option<u32>, changes: &str) -> Result<()> {
        let mut text = String::from("\n");
        let uids = self
            .session
            .turns()
            .last()
            .into_iter()
            .flat_map(|turn| &turn.goals);
        let uids: Vec<u32> = uids.map(|goal| goal.uid).collect();
        let turn = self.session.turns().len();
        if self.journal.unfinished().is_some() {
            self.journal.replied(turn, "")?;
        }
        let undone = self.session.undo_draft();
        if undone {
            self.journal.taken_back(turn)?;
        }
        if !undone {
            for goal in uids.iter().filter_map(|uid| self.session.stack().get(*uid)) {
                text.push_str(&stack::goal(goal, None));
                text.push('\n');
            }
        }
        if !changes.is_empty() {
            text.push_str(changes);
            text.push('\n');
        }
        text.push_str(&match running {
            Some(uid) => format!(
                "Stopped. The program of goal {uid} was running, and has changed nothing.\n\n"
            ),
            None if undone => "Stopped. Nothing was changed.\n\n".to_owned(),
            None => "Stopped before the reply.\n\n".to_owned(),
        });
        terminal::print(text)
    }

    /// What the turn changed in the world, in lines. The world is only looked at
    /// when something may have written to it.
    pub(super) fn changes(&mut self, wrote: bool) -> String {
        let Some(before) = self.content.take_if(|_| wrote) else {
            return String::new();
        };
        let looking = self.wait(async { tokio::time::timeout(LOOK, summary(&*self.world)).await });
        // Without a look at it now there is nothing to compare with later.
        let Some(Ok(Ok(now))) = looking else {
            return String::new();
        };
        let changes = diff(&before, &now);
        self.content = Some(now);
        stack::changes(&changes)
    }
}

/// Whether a program of the turn called anything that can change the world.
fn wrote(report: &TurnReport) -> bool {
    let mut executions = report.executed.iter().map(|done| &done.execution);
    report.failure.is_some() || executions.any(stack::wrote)
}
