//! Turns whose programs are given, and what all turns do once their programs are known.

use super::predict::Prediction;
use super::{Agent, Failure, Observer, Session, TurnEvent, TurnReport, unread};
use crate::dialogue::Update;
use crate::retrieval::Task;

impl Agent {
    /// Carries out a turn whose programs are given, instead of predicted by the model. The model
    /// is not asked for a reply either: the agent says plainly what happened. Everything else is
    /// as in [`turn`](Self::turn).
    pub async fn perform(
        &self,
        session: &mut Session,
        user: &str,
        updates: &[Update],
        observer: &mut dyn Observer,
    ) -> TurnReport {
        let report = TurnReport::default();
        session.begin(user);
        self.asking.begin(self.today(session));
        if let Err(failure) = self.note_said(session, user).await {
            return self.give_up(session, report, failure).await;
        }
        let prediction = match session.stack().updated(updates) {
            Ok((stack, execute)) => Prediction::new(updates.to_vec(), stack, execute),
            Err(violations) => {
                let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
                let failure = Failure::NotUnderstood {
                    task: Task::Program,
                    finding: reasons.join("; "),
                    asked_again: false,
                };
                return self.give_up(session, report, failure).await;
            }
        };
        let carried_out = self.carry_out(session, &prediction, report, observer);
        let mut report = match carried_out.await {
            Ok(report) => report,
            Err(given_up) => return *given_up,
        };
        self.tell_plainly(&mut report, session);
        self.end(session, report).await
    }

    /// Executes the programs of a turn in the order given, and attaches every outcome at once.
    /// The error is the report of a turn that was given up.
    pub(super) async fn carry_out(
        &self,
        session: &mut Session,
        prediction: &Prediction,
        mut report: TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<TurnReport, Box<TurnReport>> {
        report.updates.clone_from(&prediction.updates);
        if let Err(failure) = self.note_predicted(session, prediction).await {
            return Err(Box::new(self.give_up(session, report, failure).await));
        }
        observer.event(TurnEvent::Predicted(&prediction.stack));
        session.settle(prediction, &[]);
        for uid in &prediction.execute {
            let ran = self.execute(session, prediction, *uid, &mut report, observer);
            if let Err(failure) = ran.await {
                return Err(Box::new(self.give_up(session, report, failure).await));
            }
        }
        self.sign(&mut report).await;
        self.propose(session, prediction).await;
        Ok(report)
    }

    /// Ends a turn that has its reply.
    pub(super) async fn end(&self, session: &mut Session, mut report: TurnReport) -> TurnReport {
        report.tell_made();
        if self.settings.assist.has(unread::UNREAD_LISTING) {
            report.tell_unread();
        }
        session.finish(&report);
        self.note_replied(session, report).await
    }
}
