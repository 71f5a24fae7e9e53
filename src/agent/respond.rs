//! Response generation.

use super::ask::Finding;
use super::question::Question;
use super::{Agent, Failure, Observer, Session, TurnReport};
use crate::claims::{Claim, Evidence, unsupported};
use crate::dialogue::read_reply;

/// So much is told to the model of what its reply states and nothing supports.
const TOLD: usize = 10;
/// The most of one claim that is told, in characters.
const TOLD_OF_ONE: usize = 100;

impl Agent {
    /// Asks for the reply of a turn: three requests at most. A reply that is empty or
    /// unreadable is shown to the model once. Then, if replies are looked up, one that
    /// states what nothing supports is shown to it once; the second one stays, and the first
    /// one if the second states more of that or cannot be read.
    pub(super) async fn respond(
        &self,
        session: &Session,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        self.go_on(question, &report.updates, session.stack(), observer)?;
        let reply = self.reply(question, report, observer).await?;
        if !self.settings.validate {
            return Ok(reply);
        }
        let evidence = Evidence::of(session.turns()).with_facts(&self.domain.api_doc);
        report.unsupported = unsupported(&reply, &evidence);
        if report.unsupported.is_empty() {
            return Ok(reply);
        }
        let finding = finding(&report.unsupported);
        self.dispute(question, finding, report, observer)?;
        let answer = self.ask(question, report, observer).await;
        // Without a second reply the first one stays.
        let Some(second) = answer.ok().and_then(|answer| readable(&answer).ok()) else {
            return Ok(reply);
        };
        let still = unsupported(&second, &evidence);
        if still.len() > report.unsupported.len() {
            return Ok(reply);
        }
        report.unsupported = still;
        Ok(second)
    }

    /// The first reply that can be read.
    async fn reply(
        &self,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        loop {
            let answer = self.ask(question, report, observer).await?;
            match readable(&answer) {
                Ok(reply) => return Ok(reply),
                Err(finding) => self.reject(question, finding, report, observer)?,
            }
        }
    }
}

fn readable(answer: &str) -> Result<String, Finding> {
    match read_reply(answer) {
        Ok(reply) if reply.trim().is_empty() => Err(Finding("it says nothing".into())),
        Ok(reply) => Ok(reply.trim().to_owned()),
        Err(error) => Err(Finding(error.to_string())),
    }
}

/// What a model hears about claims that nothing supports.
fn finding(claims: &[Claim]) -> Finding {
    let quoted = |claim: &Claim| {
        let text: String = claim.text.chars().take(TOLD_OF_ONE).collect();
        format!("\"{text}\"")
    };
    let mut told: Vec<String> = Vec::new();
    for text in claims.iter().map(quoted) {
        if !told.contains(&text) {
            told.push(text);
        }
    }
    told.truncate(TOLD);
    Finding(format!(
        "no result has and nobody said {}; state only what the results and the user say",
        told.join(", ")
    ))
}
