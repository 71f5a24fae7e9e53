//! The forms of a prompt, and of the answers to it.

use super::trained;
use crate::dialogue::{FormatError, Update, read_reply, read_updates, write_reply, write_updates};
use crate::error::Error;
use crate::llm::{Message, Role};
use crate::retrieval::Task;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The form of a prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Messages: instructions from the system, and every example as the user's message with
    /// its answers. For models that were trained to chat.
    #[default]
    Chat,
    /// One text that the model continues (paper, section 5.1), with the answers between
    /// `<output>` and `</output>`. For other models, on servers with `/completions`.
    Text,
    /// The dialogue itself as messages, without API document and examples. For models with an
    /// adapter that was trained on dialogues of the domain.
    Trained,
}

impl Form {
    /// A chat in this form.
    pub fn of(self, chat: &[Message]) -> Vec<Message> {
        match self {
            Form::Chat | Form::Trained => chat.to_vec(),
            Form::Text => vec![Message {
                role: Role::Text,
                content: text(chat),
            }],
        }
    }

    /// Goals as a model writes them.
    pub fn write_updates(self, updates: &[Update]) -> String {
        match self {
            Form::Chat | Form::Text => write_updates(updates),
            Form::Trained => trained::write_goals(updates),
        }
    }

    /// A reply as a model writes it.
    pub fn write_reply(self, reply: &str) -> String {
        match self {
            Form::Chat | Form::Text => write_reply(reply),
            Form::Trained => reply.to_owned(),
        }
    }

    /// The goals that a model wrote.
    ///
    /// # Errors
    /// They cannot be understood.
    pub fn read_updates(self, text: &str) -> Result<Vec<Update>, FormatError> {
        match self {
            Form::Chat | Form::Text => read_updates(text),
            Form::Trained => trained::read_goals(text),
        }
    }

    /// The reply that a model wrote.
    ///
    /// # Errors
    /// It cannot be understood.
    pub fn read_reply(self, text: &str) -> Result<String, FormatError> {
        match self {
            Form::Chat | Form::Text => read_reply(text),
            Form::Trained => Ok(text.trim().to_owned()),
        }
    }

    /// The texts that end an answer. A model that goes on past its answer writes the next
    /// turn itself.
    pub fn stops(self, task: Task) -> Vec<String> {
        let stops: &[&str] = match (self, task) {
            (Form::Trained, _) => &[],
            (_, Task::Program) => &["<turn>", "</output>"],
            (_, Task::Response) => &["</turn>", "</output>"],
        };
        stops.iter().map(|stop| (*stop).to_owned()).collect()
    }
}

fn text(chat: &[Message]) -> String {
    let mut text = String::new();
    for Message { role, content } in chat {
        text.push_str(content);
        text.push_str(match role {
            Role::System | Role::Text => "\n\n",
            Role::User => "\n<output>\n",
            Role::Assistant => "\n</output>\n\n",
        });
    }
    text
}

impl FromStr for Form {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "chat" => Ok(Form::Chat),
            "text" => Ok(Form::Text),
            "trained" => Ok(Form::Trained),
            _ => Err(Error::Usage(format!(
                "the form of a prompt is chat, text or trained, not {text:?}"
            ))),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Chat => "chat",
            Form::Text => "text",
            Form::Trained => "trained",
        })
    }
}
