//! Response generation.

use super::ask::Finding;
use super::{Agent, Failure, Observer, Session, TurnReport};
use crate::dialogue::read_reply;
use crate::retrieval::Task;

impl Agent {
    /// Asks for the reply of a turn; one that is empty or unreadable is shown to
    /// the model once.
    pub(super) async fn respond(
        &self,
        session: &Session,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let mut question = self.question(Task::Response, session)?;
        loop {
            let answer = self.ask(&question, report, observer).await?;
            match read_reply(&answer) {
                Ok(reply) if !reply.trim().is_empty() => return Ok(reply.trim().to_owned()),
                Ok(_) => {
                    let finding = Finding("it says nothing".into());
                    self.reject(&mut question, finding, report, observer)?;
                }
                Err(error) => {
                    let finding = Finding(error.to_string());
                    self.reject(&mut question, finding, report, observer)?;
                }
            }
        }
    }
}
