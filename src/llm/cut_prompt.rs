//! Prompts that a server cut to its context, and said nothing.

use super::{Request, Usage};
use std::fmt;

/// A prompt of which a server has read only a part, as its own count of tokens shows. `Display`
/// is a sentence for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutPrompt {
    /// The tokens that it read.
    pub read: u64,
    /// The tokens that it was sent, as an estimate.
    pub sent: u64,
}

/// No tokenizer makes one token of this many letters, on average over a prompt. Prose and code
/// have three to five.
const MOST_LETTERS: u64 = 8;
const USUAL_LETTERS: u64 = 4;

/// Servers that leave out what they had in their cache count a few hundred tokens. No context
/// in use is as short.
const LEAST_READ: u64 = 1000;

impl CutPrompt {
    /// What a user can do, as a request.
    pub const WAY_OUT: &'static str = "give the server a longer context \
         (OLLAMA_CONTEXT_LENGTH=16384, `num_ctx`, llama-server -c 16384), or keep prompts \
         shorter with --budget";

    /// What the counts of an answer say about the prompt of its request; `None` if it may have
    /// been read as it was sent.
    ///
    /// ```
    /// use dialog2api::llm::{CutPrompt, Message, Request, Role, Usage};
    ///
    /// let request = Request {
    ///     messages: vec![Message {
    ///         role: Role::User,
    ///         content: "all of it ".repeat(4000),
    ///     }],
    ///     max_tokens: 64,
    ///     temperature: 0.0,
    ///     stop: Vec::new(),
    ///     seed: None,
    ///     grammar: None,
    /// };
    /// let read = |prompt_tokens| Usage {
    ///     prompt_tokens,
    ///     ..Usage::default()
    /// };
    /// let sent = CutPrompt::of(&request, &read(2048)).map(|cut| cut.sent);
    /// assert_eq!(sent, Some(9_000));
    /// assert_eq!(CutPrompt::of(&request, &read(12_000)), None);
    /// ```
    pub fn of(request: &Request, usage: &Usage) -> Option<CutPrompt> {
        let read = usage.prompt_tokens;
        let fits = |size: usize| size as u64 <= read.saturating_mul(MOST_LETTERS);
        let texts = || request.messages.iter().map(|message| &*message.content);
        // Most prompts are whole, and their size says so at once.
        if read < LEAST_READ || fits(texts().map(str::len).sum()) {
            return None;
        }
        let size: usize = texts().map(letters).sum();
        (!fits(size)).then_some(CutPrompt {
            read,
            sent: size as u64 / USUAL_LETTERS,
        })
    }
}

/// The letters of a text. A run of one letter counts once: it can be one token.
fn letters(text: &str) -> usize {
    let mut before = None;
    let is_new = |letter: &char| before.replace(*letter) != Some(*letter);
    text.chars().filter(is_new).count()
}

impl fmt::Display for CutPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (read, sent) = (self.read, self.sent / 100 * 100);
        write!(
            f,
            "The model's server read {read} tokens of a prompt of about {sent}: it cut the prompt \
             without an error, and the model does not know all of it; please {}.",
            Self::WAY_OUT
        )
    }
}
