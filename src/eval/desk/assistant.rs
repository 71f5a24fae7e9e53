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
}

impl Reply {
    /// A reply that rests on no program.
    pub fn said(text: String) -> Reply {
        let answer = Answer {
            text,
            programs: Vec::new(),
        };
        Reply {
            answer,
            plain: false,
        }
    }
}
