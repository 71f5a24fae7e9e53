//! Response generation: asking for the reply of a turn, and checking it.

use super::ask::{Finding, not_understood};
use super::assist::REPAIR;
use super::question::Question;
use super::reply_check::Doubt;
use super::{Agent, Failure, Observer, Session, TurnReport};
use crate::claims::Claim;
use crate::prompts::Form;

impl Agent {
    /// Asks for the reply of a turn: three requests at most. A reply that is empty or cannot
    /// be read is sent back once. So is one that a reply check doubts; the second reply then
    /// stands, unless it has more doubtful statements than the first or cannot be read.
    pub(super) async fn respond(
        &self,
        session: &Session,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        self.go_on(question, &report.updates, session.stack(), observer)?;
        let first = self.reply(question, report, observer).await?;
        let doubts = self.doubts(&first, session);
        let Some((check, claims)) = doubts.first() else {
            return Ok(first);
        };
        let (check, finding) = (check.name(), Finding(check.finding(claims)));
        report.unsupported = all_claims(doubts);
        // Without a second reply the first one stays.
        let sent = self.send_back(question, check, finding, report, observer);
        if sent.is_err() {
            return Ok(first);
        }
        let (answer, form) = (
            self.ask(question, report, observer).await,
            self.settings.form,
        );
        let Some(second) = answer.ok().and_then(|answer| readable(form, &answer).ok()) else {
            return Ok(first);
        };
        let claims = all_claims(self.doubts(&second, session));
        if claims.len() > report.unsupported.len() {
            return Ok(first);
        }
        report.unsupported = claims;
        Ok(second)
    }

    /// The first reply that can be read, of two at most.
    async fn reply(
        &self,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let answer = self.ask(question, report, observer).await?;
        let finding = match readable(self.settings.form, &answer) {
            Ok(reply) => return Ok(reply),
            Err(finding) => finding,
        };
        self.send_back(question, REPAIR, finding, report, observer)?;
        let answer = self.ask(question, report, observer).await?;
        readable(self.settings.form, &answer)
            .map_err(|finding| not_understood(question, finding, report, observer))
    }
}

fn readable(form: Form, answer: &str) -> Result<String, Finding> {
    match form.read_reply(answer) {
        Ok(reply) if reply.trim().is_empty() => Err(Finding("it says nothing".into())),
        Ok(reply) => Ok(reply.trim().to_owned()),
        Err(error) => Err(Finding(error.to_string())),
    }
}

fn all_claims(doubts: Vec<Doubt>) -> Vec<Claim> {
    doubts.into_iter().flat_map(|(_, claims)| claims).collect()
}
