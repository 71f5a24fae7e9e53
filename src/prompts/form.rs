//! The protocols of this crate, by name.

use super::protocol::Protocol;
use super::trained::Trained;
use crate::error::Error;
use crate::llm::{Message, Role};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The form of a prompt, by which options and logs name a [`Protocol`].
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
    /// The protocol of this name.
    pub fn protocol(self) -> Arc<dyn Protocol> {
        match self {
            Form::Chat => Arc::new(Chat),
            Form::Text => Arc::new(Text),
            Form::Trained => Arc::new(Trained),
        }
    }
}

#[derive(Debug)]
struct Chat;

impl Protocol for Chat {
    fn name(&self) -> &'static str {
        "chat"
    }
}

#[derive(Debug)]
struct Text;

impl Protocol for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn sent(&self, chat: &[Message]) -> Vec<Message> {
        let mut text = String::new();
        for Message { role, content } in chat {
            text.push_str(content);
            text.push_str(match role {
                Role::System | Role::Text => "\n\n",
                Role::User => "\n<output>\n",
                Role::Assistant => "\n</output>\n\n",
            });
        }
        vec![Message::new(Role::Text, text)]
    }
}

impl FromStr for Form {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "chat" => Ok(Form::Chat),
            "text" => Ok(Form::Text),
            "trained" => Ok(Form::Trained),
            _ => Err(Error::usage(format!(
                "the form of a prompt is chat, text or trained, not {text:?}"
            ))),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.protocol().name())
    }
}
