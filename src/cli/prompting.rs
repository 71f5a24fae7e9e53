//! Options for prompts that `chat` and `eval` share.

use super::options;
use crate::error::{Error, Result};
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

    /// How many further examples are at the start of every prompt. They are always the
    /// same, for servers that cache the beginning of a prompt
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Model")]
    #[arg(hide_default_value = true)]
    pub fixed: u32,

    /// Restrict the model to the grammar of its answers. The server must support grammars
    /// in GBNF, as llama.cpp's does
    #[arg(long, help_heading = "Model")]
    pub grammar: bool,

    /// Restrict a trained model to containers that were said or returned, by a grammar
    #[arg(long, help_heading = "Model")]
    pub known_names: bool,

    /// Draw N answers for the programs of a turn, run each on a copy of the world, and take
    /// the one that most of them agree on
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Model")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=9), hide_default_value = true)]
    pub votes: u32,
}

impl PromptOptions {
    /// Refuses options that would have no effect.
    ///
    /// # Errors
    /// [`Error::Usage`]: an option that only models use, and no model is asked, or
    /// `--known-names` for a form other than `trained`.
    pub fn check(&self, asks_a_model: bool, form: Form) -> Result<()> {
        let of_models = [
            ("--grammar", self.grammar),
            ("--known-names", self.known_names),
            ("--votes", self.votes > 1),
        ];
        let given = of_models.into_iter().find(|(_, is_given)| *is_given);
        match given {
            Some((option, _)) if !asks_a_model => Err(Error::Usage(format!(
                "a baseline has no use for {option}: leave it out, or name a model"
            ))),
            _ if self.known_names && form != Form::Trained => Err(Error::Usage(
                "--known-names is for a model that was trained on dialogues: leave it out, or \
                 name its adapter with --adapter"
                    .to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// How the examples of a prompt are selected.
    pub fn selection(&self) -> Selection {
        Selection {
            fixed: self.fixed as usize,
            nearest: self.k as usize,
            ..Selection::default()
        }
    }
}
