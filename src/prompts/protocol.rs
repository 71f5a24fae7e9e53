//! How a model is asked, and how its answers are read.

use super::{PromptSetting, Prompts, ViewLimits, tell_date};
use crate::dialogue::{
    FormatError, Stack, Turn, Update, read_reply, read_updates, write_reply, write_updates,
};
use crate::domain::Domain;
use crate::error::Result;
use crate::llm::Message;
use crate::retrieval::{Example, Query, Task};
use jiff::civil::Date;
use std::fmt;

/// The turn that a model is asked about.
pub struct AskedTurn<'a> {
    /// The templates.
    pub prompts: &'a Prompts,
    /// The domain of the dialogue.
    pub domain: &'a Domain,
    /// The parts of a prompt beside the turn.
    pub setting: PromptSetting,
    /// The stack before the turn, and what was said last.
    pub query: Query<'a>,
    /// The turns before this one.
    pub past: &'a [Turn],
    /// Similar turns of other dialogues, the most similar last.
    pub examples: &'a [&'a Example],
    /// The user's date, where it is told.
    pub today: Option<Date>,
    /// How much of the dialogue is shown.
    pub limits: ViewLimits,
}

/// How a model answers again after an answer that was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// It is told what is wrong.
    Told,
    /// It is asked the same, and draws another answer.
    Drawn,
}

/// How a model is asked for the programs of a turn and for its reply, and how its answers are read.
///
/// The methods that an implementation leaves out are those of the paper's chat: instructions with
/// the API document, examples, then the turn. [`Form`](super::Form) names the implementations of
/// this crate.
pub trait Protocol: fmt::Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// Whether requests hold instructions, the API document and examples. A model that is asked
    /// without has learned them, but no rules: code then holds it to them (names that nobody gave,
    /// confirmations, errors of the host).
    fn is_instructed(&self) -> bool {
        true
    }

    /// The most tokens of a prompt, where the protocol has a limit of its own.
    fn budget(&self) -> u32 {
        u32::MAX
    }

    /// How a rejected answer is asked for again.
    fn again(&self) -> Again {
        Again::Told
    }

    /// The part of a prompt that is the same in every turn.
    ///
    /// # Errors
    /// A template is broken.
    fn instructions(
        &self,
        prompts: &Prompts,
        setting: PromptSetting,
        domain: &Domain,
    ) -> Result<Message> {
        prompts.instructions(setting, domain)
    }

    /// The messages that ask for the programs of a turn.
    ///
    /// # Errors
    /// A template is broken.
    fn ask_programs(&self, turn: &AskedTurn<'_>) -> Result<Vec<Message>> {
        let (setting, domain, limits) = (turn.setting, turn.domain, &turn.limits);
        let messages = (turn.prompts).messages(&turn.query, turn.examples, setting, domain, limits);
        let mut messages = messages?;
        if let (Some(today), Some(asked)) = (turn.today, messages.last_mut()) {
            tell_date(asked, today);
        }
        Ok(messages)
    }

    /// The messages that follow those of [`Protocol::ask_programs`] and ask for the reply: the goals
    /// that the model wrote, and their outcomes in the stack `after` the turn.
    ///
    /// # Errors
    /// A template is broken.
    fn ask_reply(
        &self,
        turn: &AskedTurn<'_>,
        updates: &[Update],
        after: &Stack,
    ) -> Result<[Message; 2]> {
        turn.prompts.outcome(updates, after, &turn.limits)
    }

    /// What the last message ends with after an answer that was rejected, where the model is told.
    ///
    /// # Errors
    /// A template is broken.
    fn repair(
        &self,
        turn: &AskedTurn<'_>,
        task: Task,
        answer: &str,
        finding: &str,
    ) -> Result<String> {
        (turn.prompts).repair(task, answer, finding, &turn.limits)
    }

    /// The messages of a chat as the model's server takes them.
    fn sent(&self, chat: &[Message]) -> Vec<Message> {
        chat.to_vec()
    }

    /// The texts that end an answer. A model that goes on past its answer writes the next
    /// turn itself.
    fn stops(&self, task: Task) -> &'static [&'static str] {
        match task {
            Task::Program => &["<turn>", "</output>"],
            Task::Response => &["</turn>", "</output>"],
        }
    }

    /// Goals as a model writes them.
    fn write_updates(&self, updates: &[Update]) -> String {
        write_updates(updates)
    }

    /// A reply as a model writes it.
    fn write_reply(&self, reply: &str) -> String {
        write_reply(reply)
    }

    /// The goals that a model wrote.
    ///
    /// # Errors
    /// They cannot be understood.
    fn read_updates(&self, text: &str) -> Result<Vec<Update>, FormatError> {
        read_updates(text)
    }

    /// The reply that a model wrote.
    ///
    /// # Errors
    /// It cannot be understood.
    fn read_reply(&self, text: &str) -> Result<String, FormatError> {
        read_reply(text)
    }
}
