//! Whether an answer is whole, or why a provider cut it off.

use super::Completion;
use std::fmt;

/// Why an answer is not whole. `Display` is a clause: `it became too long (length)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutOff {
    /// The kind of reason.
    pub kind: CutOffKind,
    /// The provider's word.
    word: String,
}

/// The kinds of reasons for which providers cut answers off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutOffKind {
    /// The limit of tokens, or of the model's context.
    Length,
    /// A filter of the provider.
    Filter,
    /// The model refused to answer.
    Refusal,
    /// The provider failed in the middle of its answer.
    BrokenOff,
    /// Anything else: only a reason that is known to mean a whole answer does.
    Other,
}

/// The words for a whole answer.
const WHOLE: &[&str] = &[
    "stop",
    "eos",
    "eos_token",
    "end_turn",
    "stop_sequence",
    "complete",
    "completed",
    "finish",
    "finished",
    "done",
    "end",
    "normal",
    "stop_token",
    "stop_str",
    "eosfound",
    "stopstringfound",
    "",
];
const LENGTH: &[&str] = &[
    "length",
    "max_tokens",
    "max_output_tokens",
    "max_new_tokens",
    "max_length",
    "model_length",
    "model_context_window_exceeded",
    "context_length_exceeded",
    "maxpredictedtokensreached",
    "contextlengthreached",
];
const FILTER: &[&str] = &[
    "content_filter",
    "content_filtered",
    "guardrail_intervened",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "language",
    "sensitive",
    "error_toxic",
];
const REFUSAL: &[&str] = &["refusal", "refused"];
const BROKEN_OFF: &[&str] = &[
    "error",
    "abort",
    "aborted",
    "cancelled",
    "network_error",
    "timeout",
    "insufficient_system_resource",
    "malformed_model_output",
];

impl Completion {
    /// Why the answer is not whole; `None` if it is. `most` is the limit of tokens of the
    /// request: without a reason, an answer that reaches it is cut off.
    ///
    /// ```
    /// use dialog2api::llm::{Completion, CutOffKind, Usage};
    ///
    /// let mut answer = Completion {
    ///     text: "s3.delete_object(Bucket='a', Key='b".to_owned(),
    ///     finish: Some("max_tokens".to_owned()),
    ///     usage: Usage::default(),
    /// };
    /// let cut_off = answer.cut_off(64).map(|cut_off| cut_off.kind);
    /// assert_eq!(cut_off, Some(CutOffKind::Length));
    /// answer.finish = Some("end_turn".to_owned());
    /// assert_eq!(answer.cut_off(64), None);
    /// ```
    pub fn cut_off(&self, most: u32) -> Option<CutOff> {
        let Some(finish) = &self.finish else {
            let is_full = self.usage.completion_tokens >= u64::from(most.max(1));
            return is_full.then(|| CutOff {
                kind: CutOffKind::Length,
                word: "length".to_owned(),
            });
        };
        let word = finish.trim().to_lowercase();
        let is_in = |words: &[&str]| words.contains(&&*word);
        let kind = match () {
            () if is_in(WHOLE) => return None,
            () if is_in(LENGTH) => CutOffKind::Length,
            () if is_in(FILTER) => CutOffKind::Filter,
            () if is_in(REFUSAL) => CutOffKind::Refusal,
            () if is_in(BROKEN_OFF) => CutOffKind::BrokenOff,
            () => CutOffKind::Other,
        };
        Some(CutOff {
            kind,
            word: finish.trim().to_owned(),
        })
    }
}

impl CutOff {
    /// What a user can do, as a request.
    pub fn way_out(&self) -> &'static str {
        match self.kind {
            CutOffKind::Length => {
                "please ask for less at once, or use shorter names: the answer has to repeat them"
            }
            CutOffKind::Filter | CutOffKind::Refusal => {
                "please say it in other words, or use another model"
            }
            CutOffKind::BrokenOff | CutOffKind::Other => "please try again",
        }
    }
}

impl fmt::Display for CutOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.kind {
            CutOffKind::Length => "it became too long",
            CutOffKind::Filter => "a filter of the provider ended it",
            CutOffKind::Refusal => "the model refused",
            CutOffKind::BrokenOff => "the provider broke it off",
            CutOffKind::Other => "it ended early",
        };
        write!(f, "{why} ({})", self.word)
    }
}
