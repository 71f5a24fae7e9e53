//! Dialogues as lessons for a chat model: what it is asked, and what it should answer.
//!
//! A turn is one: what the user says, the programs, what became of them, the response. The
//! messages are made by the agent's own [`Prompts`], so a model is trained on exactly what it
//! will read; only examples are not in them, since the model is to know the task without.

use super::Dialogue;
use crate::dialogue::Conversation;
use crate::domain::Domain;
use crate::error::Result;
use crate::llm::Message;
use crate::prompts::{PromptSetting, Prompts};
use crate::retrieval::{ExamplePool, Task};
use serde::{Deserialize, Serialize};

/// One line of a file for fine-tuning: a system message, then a user's and an assistant's in
/// turn. What the assistant says is to be learnt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// The messages, in the order of a chat.
    pub messages: Vec<Message>,
}

/// The lessons of dialogues, turn by turn. A turn that updates no goal has none; one without
/// a response, or whose programs ran and nothing is known of it, ends with the programs.
///
/// `shown` is the most that is shown of one outcome, in bytes: the agent's
/// [`shown_bytes`](crate::agent::Settings::shown_bytes).
///
/// # Errors
/// A dialogue breaks the status rules, or a prompt template is broken.
pub fn lessons(
    dialogues: &[Dialogue],
    domain: &Domain,
    setting: PromptSetting,
    shown: usize,
) -> Result<Vec<Lesson>> {
    let conversations: Vec<Conversation> = dialogues
        .iter()
        .map(|dialogue| dialogue.conversation.clone())
        .collect();
    let pool = ExamplePool::new(&conversations, domain)?;
    let prompts = Prompts::built_in(domain)?;
    let mut lessons = Vec::new();
    for example in pool.examples() {
        if example.serves(Task::Program) {
            let messages = prompts.lesson(example, setting, domain, shown)?;
            lessons.push(Lesson { messages });
        }
    }
    Ok(lessons)
}
