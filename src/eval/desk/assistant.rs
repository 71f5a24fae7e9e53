//! Who answers the users of simulated dialogues.

use crate::error::Result;
use async_trait::async_trait;
use typed_claims::simulate::{Answer, Utterance};

/// An assistant in one dialogue.
#[async_trait]
pub(super) trait Assistant: Send {
    /// Answers the user.
    ///
    /// # Errors
    /// The model could not be asked. Whatever it says is an answer.
    async fn answer(&mut self, said: &Utterance) -> Result<Reply>;
}

/// A reply of an assistant, with the programs of its turn.
pub(super) struct Reply {
    pub answer: Answer,
    /// Whether it is the host's and not the model's.
    pub plain: bool,
    /// Whether a server read only a part of a prompt.
    pub cut_prompt: bool,
}

impl Reply {
    /// A reply of the assistant's own.
    pub fn said(answer: Answer) -> Reply {
        Reply {
            answer,
            plain: false,
            cut_prompt: false,
        }
    }
}
