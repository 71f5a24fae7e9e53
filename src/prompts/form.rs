//! The two forms of a prompt: a chat, or one text to be continued.

use crate::error::Error;
use crate::llm::{Message, Role};
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
}

impl Form {
    /// A chat in this form.
    pub fn of(self, chat: &[Message]) -> Vec<Message> {
        match self {
            Form::Chat => chat.to_vec(),
            Form::Text => vec![Message {
                role: Role::Text,
                content: text(chat),
            }],
        }
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
            _ => Err(Error::Usage(format!(
                "the form of a prompt is chat or text, not {text:?}"
            ))),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Chat => "chat",
            Form::Text => "text",
        })
    }
}
