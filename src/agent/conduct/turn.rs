//! The turn of an agent with a conduct: its program, what is kept of it, and its reply.

use super::{Conduct, program_of, said_reply};
use crate::agent::ask::Finding;
use crate::agent::assist::REPAIR;
use crate::agent::question::Question;
use crate::agent::{Agent, Failure, Observer, Prediction, Session, TurnReport};
use crate::dialogue::{Status, Update};
use crate::exec::Execution;
use std::sync::Arc;

impl Agent {
    /// One program a turn: a goal of its own, which is final.
    pub(in crate::agent) fn predicted_by(
        session: &Session,
        answer: &str,
    ) -> Result<Prediction, Finding> {
        let update = Update {
            uid: session.stack().next_uid(),
            status: Status::Final,
            program: Some(program_of(answer)?),
        };
        Prediction::of(session, vec![update])
    }

    /// Keeps what came of a program, also in the record of the session.
    pub(in crate::agent) async fn settle(
        &self,
        turn: usize,
        execution: Execution,
    ) -> crate::error::Result<Execution> {
        let Some(conduct) = &self.domain.conduct else {
            return Ok(execution);
        };
        let execution = conduct.settle(&*self.world, execution)?;
        self.note_kept(turn).await?;
        Ok(execution)
    }

    /// Writes down what the slate has.
    pub(in crate::agent) async fn note_kept(&self, turn: usize) -> crate::error::Result<()> {
        match (&self.overseer, self.world.slate()) {
            (Some(overseer), Some(slate)) => overseer.kept(turn, slate).await,
            _ => Ok(()),
        }
    }

    /// Asks for the reply, unless it is the last one word by word. A reply that cannot be used is sent
    /// back once; then a plain one is said, so that what is asked is always asked.
    pub(in crate::agent) async fn word(
        &self,
        conduct: &Arc<dyn Conduct>,
        session: &Session,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let after = conduct.situation(&*self.world).map_err(Failure::Prompt)?;
        report.is_over = after.is_over;
        if after.says_again(session.said()) {
            return Ok(session.said().to_owned());
        }
        question.after = Some(after.clone());
        self.go_on(question, &report.updates, session.stack(), observer)?;
        let findings = |reply: &str| conduct.findings(reply, &*self.world);
        let answer = self.ask(question, report, observer).await?;
        let reply = match said_reply(&answer, findings) {
            Ok(reply) => reply,
            Err(finding) => {
                self.send_back(question, REPAIR, finding, report, observer)?;
                let answer = self.ask(question, report, observer).await?;
                match said_reply(&answer, findings) {
                    Ok(reply) => reply,
                    Err(_) => {
                        report.plain = true;
                        return Ok(after.plain);
                    }
                }
            }
        };
        let read = |answer: &str| said_reply(answer, findings).ok();
        Ok(self
            .better(reply, read, session, question, report, observer)
            .await)
    }

    /// Replies without the model.
    pub(in crate::agent) fn tell_plainly(&self, report: &mut TurnReport, session: &Session) {
        report.tell_plainly(session);
        if let Ok(Some(situation)) = self.domain.situation(&*self.world)
            && !situation.plain.is_empty()
        {
            report.reply = situation.plain;
        }
    }
}
