//! Program prediction, and the check of what came.

use super::ask::Finding;
use super::meant::meant;
use super::question::Question;
use super::{Agent, Failure, Observer, Session, TurnReport};
use crate::dialogue::{Stack, Status, Update, read_updates};

/// Updates that keep every rule, and what they make of the stack.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prediction {
    /// The updates, in the order given.
    pub updates: Vec<Update>,
    /// The stack with them, nothing run yet.
    pub stack: Stack,
    /// The goals to run, in order.
    pub execute: Vec<u32>,
}

impl Agent {
    /// Asks for the programs of a turn; a prediction that breaks a rule is shown
    /// to the model once. So is one that keeps them all and is hardly meant; that one stays
    /// if nothing better comes.
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
            let finding = match self.check(session, &answer).await? {
                Ok(prediction) if question.is_repair() => return Ok(prediction),
                Ok(prediction) => match self.doubt(session, &prediction) {
                    None => return Ok(prediction),
                    Some(finding) => {
                        doubtful = Some(prediction);
                        finding
                    }
                },
                Err(finding) => match doubtful {
                    Some(prediction) => return Ok(prediction),
                    None => finding,
                },
            };
            self.reject(question, finding, report, observer)?;
        }
    }

    /// What a predicted text makes of a stack, or the first thing wrong with it:
    /// the form, then the rules of statuses, then the syntax of every program.
    async fn check(
        &self,
        session: &Session,
        text: &str,
    ) -> Result<Result<Prediction, Finding>, Failure> {
        let updates = match read_updates(text) {
            Ok(updates) if updates.is_empty() => {
                let problem = "it has no <goal>; every turn starts, changes or ends one";
                return Ok(Err(Finding(problem.into())));
            }
            Ok(updates) => meant(updates, session.stack(), session.user()),
            Err(error) => return Ok(Err(Finding(error.to_string()))),
        };
        let (planned, execute) = match session.stack().updated(&updates) {
            Ok(planned) => planned,
            Err(violations) => {
                let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
                return Ok(Err(Finding(reasons.join("; "))));
            }
        };
        for update in &updates {
            if let Some(finding) = self.syntax_error(update).await? {
                return Ok(Err(finding));
            }
        }
        Ok(Ok(Prediction {
            updates,
            stack: planned,
            execute,
        }))
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
