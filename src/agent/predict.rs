//! Program prediction: asking for the programs of a turn, and checking them.

use super::ask::{Finding, not_understood};
use super::assist::REPAIR;
use super::dry_run::DRY_RUN;
use super::normalize::{self, normalized};
use super::question::Question;
use super::rehearsal::Rehearsed;
use super::{Agent, Failure, Observer, Session, TurnReport};
use crate::dialogue::{Outcome, Stack, Status, Update};
use crate::exec::is_accident;
use tokio::sync::OnceCell;

/// Updates that keep every rule, and what they make of the stack.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prediction {
    /// The updates, in the order given.
    pub updates: Vec<Update>,
    /// The stack with them, before anything runs.
    pub stack: Stack,
    /// The goals to run, in order.
    pub execute: Vec<u32>,
    /// What came of a rehearsal, once there was one.
    pub rehearsed: OnceCell<Vec<Rehearsed>>,
}

impl Prediction {
    /// A prediction that was not rehearsed.
    pub fn new(updates: Vec<Update>, stack: Stack, execute: Vec<u32>) -> Prediction {
        Prediction {
            updates,
            stack,
            execute,
            rehearsed: OnceCell::new(),
        }
    }

    /// The prediction with these updates; the error names the status rules that they break.
    pub fn of(session: &Session, updates: Vec<Update>) -> Result<Prediction, Finding> {
        match session.stack().updated(&updates) {
            Ok((stack, execute)) => Ok(Prediction::new(updates, stack, execute)),
            Err(violations) => {
                let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
                Err(Finding(reasons.join("; ")))
            }
        }
    }
}

impl Agent {
    /// Asks for the programs of a turn, and asks again if the answer breaks a rule or is probably
    /// a mistake. The first valid prediction stays unless a later one has no mistake.
    pub(super) async fn predict(
        &self,
        session: &Session,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<Prediction, Failure> {
        let mut doubtful = None;
        loop {
            let answer = match self.ask(question, report, observer).await {
                Ok(answer) => answer,
                Err(failure) => return doubtful.ok_or(failure),
            };
            let is_first = !question.is_repair();
            let (aid, finding) = match self.check(session, &answer, report).await? {
                Err(finding) => (REPAIR, finding),
                Ok(prediction) => match self.mistake(session, &prediction, is_first).await {
                    Some(mistake) => {
                        doubtful.get_or_insert(prediction);
                        mistake
                    }
                    None => return Ok(prediction),
                },
            };
            if question.rejected() >= self.most_rejected() {
                let failure = || not_understood(question, finding, report, observer);
                return doubtful.ok_or_else(failure);
            }
            if let Err(failure) = self.send_back(question, aid, finding, report, observer) {
                return doubtful.ok_or(failure);
            }
        }
    }

    /// A probable mistake in a valid prediction, and the aid that found it. Lints check the first
    /// answer only: a lint may be wrong, and then a second answer like the first is right.
    async fn mistake(
        &self,
        session: &Session,
        prediction: &Prediction,
        is_first: bool,
    ) -> Option<(&'static str, Finding)> {
        if is_first && let Some(found) = self.lint(session, prediction) {
            return Some(found);
        }
        let accident = self.accident(session, prediction).await;
        accident.map(|finding| (DRY_RUN, finding))
    }

    /// The stack that a predicted text makes, or the first thing wrong with the text: the form,
    /// then the rules of statuses, then the syntax of every program.
    pub(super) async fn check(
        &self,
        session: &Session,
        text: &str,
        report: &mut TurnReport,
    ) -> Result<Result<Prediction, Finding>, Failure> {
        if self.domain.conduct.is_some() {
            return Ok(Self::predicted_by(session, text));
        }
        let updates = match self.settings.protocol.read_updates(text) {
            Ok(updates) if updates.is_empty() => {
                let problem = "it has no <goal>; every turn starts, changes or ends one";
                return Ok(Err(Finding(problem.into())));
            }
            Ok(updates) => updates,
            Err(error) => return Ok(Err(Finding(error.to_string()))),
        };
        let turn = normalize::Turn {
            stack: session.stack(),
            user: session.user(),
            turns: session.turns(),
            domain: &self.domain,
            is_instructed: self.settings.protocol.is_instructed(),
        };
        let updates = normalized(updates, &turn, &self.settings.assist, report);
        let prediction = match Prediction::of(session, updates) {
            Ok(prediction) => prediction,
            Err(finding) => return Ok(Err(finding)),
        };
        Ok(match self.first_syntax_error(session, &prediction).await? {
            Some(finding) => Err(finding),
            None => Ok(prediction),
        })
    }

    /// The first syntax error in the programs of a prediction.
    ///
    /// Python reads a whole program before it runs the first line. So a program that the dry
    /// run runs anyway needs no instance of its own to be read, unless it ended by accident:
    /// then the accident may be its syntax.
    async fn first_syntax_error(
        &self,
        session: &Session,
        prediction: &Prediction,
    ) -> Result<Option<Finding>, Failure> {
        let ran = self.dry_run(session, prediction).await;
        let is_python = |uid| ran.iter().any(|ran| ran.uid == uid && !may_be_unread(ran));
        let others = (prediction.updates.iter()).filter(|update| !is_python(update.uid));
        for update in others {
            if let Some(finding) = self.syntax_error(update).await? {
                return Ok(Some(finding));
            }
        }
        Ok(None)
    }

    /// The syntax error of an update's program. A placeholder is fine wherever
    /// an expression is.
    async fn syntax_error(&self, update: &Update) -> Result<Option<Finding>, Failure> {
        let Some(program) = &update.program else {
            return Ok(None);
        };
        if update.status == Status::Abandoned {
            return Ok(None);
        }
        // A name of the placeholder's own length where it can be, so that the
        // columns of an error stay right.
        let code = program.with_placeholders_replaced(|n| format!("_{n}"));
        let error = self.sandbox.check(&code).await.map_err(Failure::Sandbox)?;
        Ok(error.map(|error| {
            let uid = update.uid;
            Finding(format!(
                "the program of goal {uid} is not Python: {}: {}",
                error.error, error.message
            ))
        }))
    }
}

/// Whether Python may have refused to read a program that ended like this.
fn may_be_unread(ran: &Rehearsed) -> bool {
    matches!(&ran.outcome, Outcome::Error(error) if is_accident(error, None))
}
