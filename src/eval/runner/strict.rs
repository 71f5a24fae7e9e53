//! The strict result of a turn: what the model's first answer comes to without any aid.

use super::play::Stage;
use crate::agent::{Assist, Failure, Session, TurnReport};
use crate::domain::World;
use crate::error::Result;
use crate::eval::candidate::{FixedAnswers, TaskWatcher};
use crate::eval::log::StrictTurn;
use crate::retrieval::Task;
use std::sync::Arc;

/// Where a turn began.
pub(super) struct Before {
    pub session: Session,
    pub world: Arc<dyn World>,
}

impl Stage<'_> {
    /// Plays the first answer of a turn once more from where it began, without any aid and
    /// without asking the model. None if no aid had a part in the turn, or nothing was
    /// answered.
    pub(super) async fn strict(
        &self,
        before: Before,
        after: &Session,
        report: &TurnReport,
    ) -> Result<Option<StrictTurn>> {
        let (Some(programs), Some(turn)) = (first(report, Task::Program), after.turns().last())
        else {
            return Ok(None);
        };
        if report.aided.is_empty() {
            return Ok(None);
        }
        let reply = first(report, Task::Response).unwrap_or_default();
        let cut_off = reply_is_cut_off(report);
        let Before { mut session, world } = before;
        let model = FixedAnswers::saying("first-answer", programs, reply);
        let agent = self.agent(after.turns().len(), model.clone(), world, 0);
        let agent = agent.assisted_by(Assist::none());
        let mut prompter = TaskWatcher(Some(model));
        let alone = agent.turn(&mut session, &turn.user, &mut prompter).await;
        let understood = !matches!(
            alone.failure,
            Some(Failure::NotUnderstood {
                task: Task::Program,
                ..
            })
        );
        let protocol = &self.runner.agent.settings().protocol;
        let reads_the_same = |reply: String| reply.trim() == report.reply;
        let same_reply = match cut_off {
            // It would have been told plainly without aids, too.
            true => report.plain,
            false => protocol.read_reply(reply).is_ok_and(reads_the_same),
        };
        let same_programs = alone.updates == report.updates && session.stack() == after.stack();
        Ok(Some(StrictTurn {
            signature: alone.signature.map(|signature| signature.to_string()),
            understood,
            departs: !(same_programs && same_reply),
        }))
    }
}

/// Whether the first reply of a turn is not whole.
fn reply_is_cut_off(report: &TurnReport) -> bool {
    let mut replies = (report.exchanges.iter()).filter(|it| it.task == Task::Response);
    let first = replies.find_map(|it| Some((it.answer.as_ref().ok()?, it.request.max_tokens)));
    first.is_some_and(|(completion, most)| completion.cut_off(most).is_some())
}

/// The first answer to a request of a turn.
fn first(report: &TurnReport, task: Task) -> Option<&str> {
    let mut answers = (report.exchanges.iter())
        .filter(|exchange| exchange.task == task)
        .filter_map(|exchange| exchange.answer.as_ref().ok());
    answers.next().map(|completion| completion.text.as_str())
}
