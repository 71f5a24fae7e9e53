//! Options for prompts that `chat` and `eval` share.

use super::options;
use crate::prompts::Form;
use crate::retrieval::Selection;
use clap::Args;

/// The options for prompts.
#[derive(Debug, Clone, Copy, Args)]
pub struct PromptOptions {
    /// The form of a prompt: chat (messages), text (one text that the model continues, for
    /// servers with /completions), or trained (for models that were trained on dialogues of the
    /// domain) [default: trained with an adapter, else chat]
    #[arg(long, value_name = "FORM", help_heading = "Model")]
    #[arg(value_parser = |text: &str| text.parse::<Form>())]
    pub form: Option<Form>,

    /// The most tokens of a prompt. Old outcomes, old programs, examples and then old drafts
    /// are left out until it fits [default: the model's limit if it is known, else 24000]
    #[arg(long, value_name = "TOKENS", value_parser = options::tokens, help_heading = "Model")]
    pub budget: Option<u32>,

    /// How many examples a prompt has that are similar to the turn
    #[arg(long, value_name = "K", default_value_t = 5, help_heading = "Model")]
    pub k: u32,
}

impl PromptOptions {
    /// How the examples of a prompt are selected.
    pub fn selection(&self) -> Selection {
        Selection {
            nearest: self.k as usize,
            ..Selection::default()
        }
    }
}
