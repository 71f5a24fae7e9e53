//! The options of a run.

use super::log::{AssistantKind, RowRecipe, UserKind};
use crate::error::{Error, Result};

/// The languages that have words of users, and prompts.
const LANGUAGES: [&str; 2] = ["en", "de"];

/// The options of a run.
#[derive(Debug, Clone)]
pub struct DeskOptions {
    /// Who answers.
    pub assistant: AssistantKind,
    /// Who asks.
    pub user: UserKind,
    /// The language of the users.
    pub language: String,
    /// Which rows a dialogue is about.
    pub rows: RowRecipe,
    /// The seed of rows, users and sampling.
    pub seed: u64,
    /// The sampling temperature.
    pub temperature: f32,
    /// The largest number of dialogues.
    pub limit: Option<usize>,
}

impl DeskOptions {
    /// Whether a model answers or asks.
    pub fn asks_model(&self) -> bool {
        self.assistant != AssistantKind::Template || self.user == UserKind::Model
    }

    /// Whether the options fit each other.
    ///
    /// # Errors
    /// They do not: a sentence for the user.
    pub fn check(&self) -> Result<()> {
        let refused = |problem: &str| Err(Error::usage(problem.to_owned()));
        if !LANGUAGES.contains(&&*self.language) {
            return refused(&format!(
                "simulated users speak {}, not {}",
                LANGUAGES.join(" and "),
                self.language
            ));
        }
        if self.assistant == AssistantKind::Template && self.user == UserKind::Model {
            return refused(
                "the assistant `template` understands users without a model only: --user agenda",
            );
        }
        Ok(())
    }
}
