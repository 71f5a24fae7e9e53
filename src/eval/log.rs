//! The log of a run: requests, answers and outcomes of every turn, beside the truth.
//!
//! A run is a folder. `run.json` says what ran ([`Run`]). `log.jsonl` has a line for each
//! turn ([`TurnLog`]); once the run is complete, in the order of dialogue, epoch and turn.
//! Neither file depends on when, where or how fast the run went: the same answers of a model
//! give the same bytes, on one machine or merged from several. Durations are in
//! `timings.jsonl` ([`TurnTiming`]).

use crate::agent::{Aided, Assist, Settings};
use crate::claims::Claim;
use crate::dataset::Split;
use crate::dataset::rows::{RowGoal, TurnRow};
use crate::llm::{Request, Usage};
use crate::prompts::Form;
use crate::retrieval::{Selection, Task};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the log's format. A reader refuses any other.
pub const VERSION: u32 = 1;

/// The version of the byte stream of [`Signer`](crate::domain::Signer).
pub const SIGNATURE_VERSION: u32 = 1;

/// `run.json`: everything about the run that a figure depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// [`VERSION`] of the log.
    pub version: u32,
    /// The version of dialog2api that wrote it.
    pub dialog2api: String,
    /// The git revision that it was built from, if known; with `-dirty` if there were
    /// uncommitted changes.
    pub revision: Option<String>,
    /// [`SIGNATURE_VERSION`].
    pub signature: u32,
    /// The name of the domain: `s3`.
    pub domain: String,
    /// The model's name: `openai:qwen2.5-coder`, `ground-truth`.
    pub model: String,
    /// Where the past of a turn comes from.
    pub mode: EvalMode,
    /// The dialogues that are evaluated.
    pub dataset: DatasetId,
    /// How the model is asked.
    pub settings: RunSettings,
    /// The number of times that every dialogue is run.
    pub epochs: u32,
    /// The part of the dialogues in this folder, if the run is split.
    pub shard: Option<Shard>,
}

/// Where the past of a turn comes from: its stack and the responses before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvalMode {
    /// From the model's own turns before; only the user's utterances are those of the dataset.
    EndToEnd,
    /// From the dataset, in every turn.
    TeacherForced,
}

/// Which dialogues were evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetId {
    /// The name of its folder, for people; the digest says whether two datasets are the same.
    /// `None` in logs of versions that did not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The part.
    pub split: Option<Split>,
    /// How many dialogues the whole run has, over all its shards.
    pub dialogues: u32,
    /// BLAKE3 over the texts of these dialogues and the descriptions of their worlds.
    pub digest: String,
    /// The name of the dialogues that examples are retrieved from, for people: `builtin`,
    /// `s3/train`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub examples: Option<String>,
    /// BLAKE3 over the texts of the dialogues that examples are retrieved from.
    pub examples_digest: String,
}

/// How a model is asked; the names are those of [`Settings`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// `a` (API document), `b` (examples) or `c` (both).
    pub setting: char,
    /// The paper's K.
    pub k: u32,
    /// The paper's α.
    pub alpha: f64,
    /// The measure that compares utterances: `bm25`, `minilm`.
    pub similarity: String,
    /// 0 is greedy decoding.
    pub temperature: f32,
    /// The seed of programs, sampling and baselines.
    pub seed: u64,
    /// The limit on tokens generated for the programs of a turn.
    pub program_tokens: u32,
    /// The limit on tokens generated for a response.
    pub response_tokens: u32,
    /// The form of the prompts.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub form: Form,
    /// The limit on tokens of a prompt. Without one it is
    /// [`DEFAULT_BUDGET`](crate::agent::DEFAULT_BUDGET); logs that do not record
    /// `assist` had no limit.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub budget: Option<u32>,
    /// The aids that were on ([`aids`](crate::agent::aids)). Logs of versions that did not
    /// record it have none; they ran with the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assist: Option<Assist>,
    /// Settings of earlier versions that this one does not have (`votes`, `grammar`), as the run
    /// was made with them. They are shown beside its figures, and such a run cannot be continued.
    #[serde(flatten)]
    pub earlier: BTreeMap<String, serde_json::Value>,
}

/// Setting (c) with the examples of the paper and the usual aids, as `dialog2api eval` has it without
/// options.
///
/// ```
/// use dialog2api::eval::log::RunSettings;
///
/// let usual = RunSettings::default();
/// assert_eq!((usual.setting, usual.k, usual.temperature), ('c', 5, 0.0));
/// ```
impl Default for RunSettings {
    fn default() -> Self {
        let (agent, examples) = (Settings::default(), Selection::default());
        RunSettings {
            setting: 'c',
            k: u32::try_from(examples.nearest).unwrap_or(u32::MAX),
            alpha: examples.alpha,
            similarity: "bm25".to_owned(),
            temperature: agent.temperature,
            seed: 0,
            program_tokens: agent.program_tokens,
            response_tokens: agent.response_tokens,
            form: Form::default(),
            budget: agent.budget,
            assist: Some(agent.assist),
            earlier: BTreeMap::new(),
        }
    }
}

impl RunSettings {
    /// How the model was asked, in a word: the setting of the paper, or `trained` where the
    /// prompts have neither API document nor examples.
    pub fn asked(&self) -> String {
        match self.form.protocol().is_instructed() {
            true => self.setting.to_string(),
            false => self.form.to_string(),
        }
    }
}

/// Settings that were added later are written only if they differ from the value that applied
/// before they existed, so that old logs stay valid.
fn is_usual<T: Default + PartialEq>(setting: &T) -> bool {
    *setting == T::default()
}

/// The part of a run's dialogues that one process ran: those whose place, counted from
/// 1 in the order of their uids, leaves the remainder `index` when divided by `of`
/// (`of` itself stands for 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u32,
    /// How many parts.
    pub of: u32,
}

/// A line of `log.jsonl`: one turn of one dialogue in one epoch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnLog {
    /// Which repetition, from 1.
    pub epoch: u32,
    /// The turn as the dataset has it: utterance, programs, outcomes, response.
    pub truth: TurnRow,
    /// The signature after the true turn: 8 hex digits, also where nothing ran.
    pub truth_signature: String,
    /// The signature of the state alone after the true turn.
    pub truth_state: String,
    /// S_{t-1} as the model saw it.
    pub stack: Vec<RowGoal>,
    /// R_{t-1} as the model saw it.
    pub previous_response: String,
    /// The requests to the model and its answers, in order, including failures.
    pub exchanges: Vec<ExchangeLog>,
    /// The goals that the turn updated, in the order of execution, and their outcomes.
    pub programs: Vec<RowGoal>,
    /// For each goal that ran, the operations that its program called, in order.
    pub calls: BTreeMap<u32, Vec<String>>,
    /// The goals whose programs broke a limit, according to the sandbox: the name of an error
    /// proves nothing, since a program can raise any. `None` in logs of versions that did not
    /// record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Vec<u32>>,
    /// R_t: what the agent said.
    pub response: String,
    /// Whether the response is a generated summary of the outcomes and not the model's.
    pub plain: bool,
    /// The statements of the response that a check doubts, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Claim>,
    /// Why the turn, or its reply, failed.
    pub failure: Option<TurnFailure>,
    /// The signature after the turn: 8 hex digits, also where nothing ran.
    pub signature: String,
    /// The signature of the state alone after the turn.
    pub state: String,
    /// The aids that changed an answer of this turn or sent it back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aided: Vec<Aided>,
    /// The result of the first answer without these aids; none where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<StrictTurn>,
}

/// The result of a turn's first answer without any aid, from where the turn began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrictTurn {
    /// The signature after it: 8 hex digits; none where it could not be taken.
    pub signature: Option<String>,
    /// Whether the answer can be read, keeps the rules and is Python.
    pub understood: bool,
    /// Whether updates, stack or reply of the turn are not those of the first answers.
    pub departs: bool,
}

/// One request to the model and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExchangeLog {
    /// Which of the two requests of a turn.
    pub task: Task,
    /// The request.
    pub request: Request,
    /// The raw text of the answer, if there was one.
    pub text: Option<String>,
    /// Why there was no answer.
    pub error: Option<String>,
    /// Why the answer could not be used.
    pub finding: Option<String>,
    /// Token counts, if the provider reports them.
    pub usage: Usage,
}

/// Why a turn failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnFailure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// A sentence.
    pub message: String,
}

/// The kinds of failures that end a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The model could not be reached, or gave up. This is never scored as a wrong program:
    /// the dialogue ends here and is reported as not finished.
    Provider,
    /// The programs could not be understood, even after the model was asked again.
    Programs,
    /// The answer with the programs was cut off, by its limit of tokens or by the provider, so
    /// that nothing of it was used.
    CutOff,
    /// The response was cut off or could not be understood, even after the model was asked again.
    Response,
    /// The sandbox or the world failed. The dialogue ends here and is reported as not
    /// finished.
    Ours,
}

/// A line of `timings.jsonl`: how long a turn took, seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnTiming {
    /// The dialogue's uid.
    pub dialogue: String,
    /// Which repetition, from 1.
    pub epoch: u32,
    /// The turn, from 1.
    pub turn: u32,
    /// The whole turn.
    pub seconds: f64,
    /// Waiting for the model, of it.
    pub model_seconds: f64,
    /// Running programs, of it.
    pub program_seconds: f64,
}

impl Shard {
    /// Reads `2/4`.
    ///
    /// # Errors
    /// A sentence says what a shard is.
    pub fn read(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let parsed = numbers.and_then(|(index, of)| {
            let (index, of): (u32, u32) = (index.parse().ok()?, of.parse().ok()?);
            (index >= 1 && index <= of).then_some(Shard { index, of })
        });
        parsed.ok_or_else(|| "a shard is its number and how many there are: 1/4 to 4/4".to_owned())
    }

    /// Whether the dialogue at this position (from 1, in the order of uids) belongs to it.
    ///
    /// ```
    /// let second = dialog2api::eval::log::Shard { index: 2, of: 3 };
    /// let positions: Vec<u32> = (1..=8).filter(|place| second.has(*place)).collect();
    /// assert_eq!(positions, [2, 5, 8]);
    /// ```
    pub fn has(&self, place: u32) -> bool {
        let of = self.of.max(1);
        place.saturating_sub(1) % of + 1 == self.index
    }
}

impl FailureKind {
    /// Whether the failure is not the model's: the dialogue ends, is reported as not finished,
    /// and the turn is not scored.
    pub fn ends_dialogue(self) -> bool {
        matches!(self, FailureKind::Provider | FailureKind::Ours)
    }
}
