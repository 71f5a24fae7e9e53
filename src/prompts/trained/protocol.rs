//! How trained models are asked.

use super::{BUDGET, dialogue, instructions, outcome, read_goals, tell_date, write_goals};
use crate::dialogue::{FormatError, Stack, Update};
use crate::domain::Domain;
use crate::error::Result;
use crate::llm::Message;
use crate::prompts::{Again, AskedTurn, PromptSetting, Prompts, Protocol};
use crate::retrieval::Task;

/// The dialogue itself, without API document and examples.
#[derive(Debug)]
pub struct Trained;

impl Protocol for Trained {
    fn name(&self) -> &'static str {
        "trained"
    }

    fn is_instructed(&self) -> bool {
        false
    }

    fn budget(&self) -> u32 {
        BUDGET
    }

    /// Training showed no rejected answers.
    fn again(&self) -> Again {
        Again::Drawn
    }

    fn instructions(&self, _: &Prompts, _: PromptSetting, _: &Domain) -> Result<Message> {
        Ok(instructions())
    }

    fn ask_programs(&self, turn: &AskedTurn<'_>) -> Result<Vec<Message>> {
        let mut chat = dialogue(turn.past, turn.query.user, &turn.limits);
        if let (Some(today), Some(asked)) = (turn.today, chat.last_mut()) {
            tell_date(asked, today);
        }
        Ok(chat)
    }

    fn ask_reply(
        &self,
        turn: &AskedTurn<'_>,
        updates: &[Update],
        after: &Stack,
    ) -> Result<[Message; 2]> {
        Ok(outcome(updates, turn.query.stack, after, &turn.limits))
    }

    fn stops(&self, _: Task) -> &'static [&'static str] {
        &[]
    }

    fn write_updates(&self, updates: &[Update]) -> String {
        write_goals(updates)
    }

    fn write_reply(&self, reply: &str) -> String {
        reply.to_owned()
    }

    fn read_updates(&self, text: &str) -> Result<Vec<Update>, FormatError> {
        read_goals(text)
    }

    fn read_reply(&self, text: &str) -> Result<String, FormatError> {
        Ok(text.trim().to_owned())
    }
}
