//! Response generation: asking for the reply of a turn, and checking it.

use super::ask::{Finding, not_understood};
use super::assist::REPAIR;
use super::question::Question;
use super::reply_check::Doubt;
use super::{Agent, Failure, Observer, Session, TurnReport};
use crate::claims::Claim;
use crate::prompts::Protocol;

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
        let protocol = &*self.settings.protocol;
        let read = |answer: &str| readable(protocol, answer).ok();
        Ok(self
            .better(first, read, session, question, report, observer)
            .await)
    }

    /// The better of a reply and the one that the model gives when it hears what is doubted in
    /// it: fewer doubts, then fewer contradictions, then the second. `read` reads a reply in an
    /// answer, if it can be sent.
    pub(super) async fn better(
        &self,
        first: String,
        read: impl Fn(&str) -> Option<String>,
        session: &Session,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> String {
        let Some(context) = self.reply_context(session, report) else {
            return first;
        };
        let doubts = self.doubts(&first, &context).await;
        let Some((check, claims)) = doubts.first() else {
            return first;
        };
        let (check, finding) = (check.name(), Finding(check.finding(claims)));
        report.unsupported = all_claims(doubts);
        // Without a second reply the first one stays.
        if (self.send_back(question, check, finding, report, observer)).is_err() {
            return first;
        }
        let answer = self.ask(question, report, observer).await.ok();
        let Some(second) = answer.and_then(|answer| read(&answer)) else {
            return first;
        };
        let claims = all_claims(self.doubts(&second, &context).await);
        if badness(&claims) > badness(&report.unsupported) {
            return first;
        }
        report.unsupported = claims;
        second
    }

    /// The first reply that can be read, of two at most.
    async fn reply(
        &self,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let answer = self.ask(question, report, observer).await?;
        let finding = match readable(&*self.settings.protocol, &answer) {
            Ok(reply) => return Ok(reply),
            Err(finding) => finding,
        };
        self.send_back(question, REPAIR, finding, report, observer)?;
        let answer = self.ask(question, report, observer).await?;
        readable(&*self.settings.protocol, &answer)
            .map_err(|finding| not_understood(question, finding, report, observer))
    }
}

/// What stands in prompts where the reply is to be. Small models copy it.
const PLACES: [&str; 2] = ["the words", "your words"];

fn readable(protocol: &dyn Protocol, answer: &str) -> Result<String, Finding> {
    match protocol.read_reply(answer) {
        Ok(reply) if reply.trim().is_empty() => Err(Finding("it says nothing".into())),
        Ok(reply) if PLACES.contains(&&*reply.trim().to_lowercase()) => Err(Finding(
            "it says what stood in the place of the words".into(),
        )),
        Ok(reply) => Ok(reply.trim().to_owned()),
        Err(error) => Err(Finding(error.to_string())),
    }
}

/// How many claims are in doubt, and how many of these are contradicted.
fn badness(claims: &[Claim]) -> (usize, usize) {
    let contradicted = claims.iter().filter(|claim| claim.is_contradicted());
    (claims.len(), contradicted.count())
}

fn all_claims(doubts: Vec<Doubt>) -> Vec<Claim> {
    doubts.into_iter().flat_map(|(_, claims)| claims).collect()
}
