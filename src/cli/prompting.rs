//! How a model is asked: what `chat` and `eval` have in common.

use super::options;
use crate::prompts::Form;
use crate::retrieval::Selection;
use clap::Args;

/// How a model is asked, as typed.
#[derive(Debug, Clone, Copy, Args)]
pub struct PromptOptions {
    /// The form of a prompt: chat (messages), or text (one text that the model goes on
    /// with, for servers with /completions)
    #[arg(
        long,
        value_name = "FORM",
        default_value = "chat",
        help_heading = "Model"
    )]
    #[arg(value_parser = |text: &str| text.parse::<Form>())]
    pub form: Form,

    /// The most that a prompt may take: old outcomes, old programs and then examples are left
    /// out until it fits [default: what the model is known to take, else 24000]
    #[arg(long, value_name = "TOKENS", value_parser = options::tokens, help_heading = "Model")]
    pub budget: Option<u32>,

    /// So many examples that are most like the turn
    #[arg(long, value_name = "K", default_value_t = 5, help_heading = "Model")]
    pub k: u32,

    /// So many examples beside them that are the same in every prompt and stand first, for
    /// servers that remember how a prompt begins
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Model")]
    #[arg(hide_default_value = true)]
    pub fixed: u32,

    /// Hold the model to the grammar of its answers. The server has to take one in GBNF, as
    /// llama.cpp's does
    #[arg(long, help_heading = "Model")]
    pub grammar: bool,
}

impl PromptOptions {
    /// Which examples a prompt has.
    pub fn selection(&self) -> Selection {
        Selection {
            fixed: self.fixed as usize,
            nearest: self.k as usize,
            ..Selection::default()
        }
    }
}
