//! Dialogues as chats for fine-tuning.
//!
//! Each turn becomes one lesson: the prompt, the programs, their outcomes, the response. The
//! agent's own [`Prompts`] make the messages, so a model is trained on exactly what it will
//! read. Examples are left out: the model is to know the task without them.

use super::Dialogue;
use crate::agent::{Conduct, Taught, conduct};
use crate::dialogue::{Offer, Transcript};
use crate::domain::Domain;
use crate::error::Result;
use crate::llm::Message;
use crate::prompts::{PromptSetting, Prompts, trained};
use crate::retrieval::{ExamplePool, Task};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;

/// One line of a file for fine-tuning: a system message, then alternately a user's and an
/// assistant's. The model learns the assistant's messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// The messages, in the order of a chat.
    pub messages: Vec<Message>,
}

/// The turns that a conduct teaches, a lesson each: the messages that its agent sends, in every
/// form, and the right answers. Programs see this day.
///
/// # Errors
/// A prompt template is broken.
pub fn taught(conduct: &dyn Conduct, turns: &[Taught], today: Option<Date>) -> Result<Vec<Lesson>> {
    let lessons = turns.iter().map(|taught| {
        let messages = conduct::lesson(conduct, taught, today)?;
        Ok(Lesson { messages })
    });
    lessons.collect()
}

/// Dialogues as lessons in the form [`trained`], one for each.
pub fn whole(dialogues: &[Dialogue], shown: usize) -> Vec<Lesson> {
    let lesson = |dialogue: &Dialogue| Lesson {
        messages: trained::lesson(&dialogue.transcript, shown),
    };
    dialogues.iter().map(lesson).collect()
}

/// The lessons of dialogues, one for each turn that updates a goal. A lesson ends with the
/// programs if the turn has no response, or if its programs ran without a recorded outcome.
///
/// `shown` limits how many bytes of one outcome are shown: the agent's
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
    let transcripts: Vec<Transcript> = dialogues
        .iter()
        .map(|dialogue| dialogue.transcript.clone())
        .collect();
    let offers = transcripts.iter().map(|it| (it.uid.as_str(), it.offer()));
    let offers: HashMap<&str, Offer> = offers.collect();
    let pool = ExamplePool::new(&transcripts, domain)?;
    let prompts = Prompts::built_in(domain)?;
    let mut lessons = Vec::new();
    for example in pool.examples() {
        if example.serves(Task::Program) {
            let offer = offers.get(&*example.dialogue);
            let offered = offer.and_then(|offer| offer.in_turn(example.turn + 1));
            let domain = match offered {
                Some(names) => Cow::Owned(domain.offering(&names)),
                None => Cow::Borrowed(domain),
            };
            let messages = prompts.lesson(example, setting, &domain, shown)?;
            lessons.push(Lesson { messages });
        }
    }
    Ok(lessons)
}
