//! The log of a run of games.
//!
//! A run is a folder, as those of dialogues are: `run.json` says what ran ([`GameRun`]),
//! `log.jsonl` has a line for each turn, and one for the end of each game ([`GameLine`]). Once the run
//! is complete, its lines are in the order of the games. Nothing in them depends on when or how fast
//! the run went.

use crate::eval::log::Shard;
use crate::games::{Acting, Asked, Sampling};
use crate::llm::Usage;
use decision_games::measure::MeasuredGame;
use decision_games::{Extraction, Language, Rules, TalkCount};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of the log's format. A reader refuses any other.
pub const VERSION: u32 = 2;

/// What `run.json` says that the run is of.
pub const KIND: &str = "reward";

/// `run.json`: everything about the run that a figure depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRun {
    /// [`KIND`].
    pub kind: String,
    /// [`VERSION`].
    pub version: u32,
    /// The version of dialog2api that wrote it.
    pub dialog2api: String,
    /// The git revision that it was built from, if known.
    pub revision: Option<String>,
    /// Who reads: the name of a model, or `words` for the reader without one.
    pub model: String,
    /// How games are played.
    pub mode: GameMode,
    /// How the model plays the seats that propose.
    #[serde(default, skip_serializing_if = "Acting::is_usual")]
    pub agent: Acting,
    /// What fixed parties speak.
    #[serde(default, skip_serializing_if = "Language::is_usual")]
    pub language: Language,
    /// By the rules of the environment that was released with the paper.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub as_released: bool,
    /// Who plays the seats that do not propose: a manner, or `model`. None where nobody does.
    pub users: Option<String>,
    /// How the model is asked.
    // Runs of older versions call it `asking`.
    #[serde(alias = "asking")]
    pub sampling: Sampling,
    /// The only cuts, where not all of the mode are played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<String>,
    /// The recorded games whose worlds are played.
    pub games: Games,
    /// The part of the games in this folder, if the run is split.
    pub shard: Option<Shard>,
}

impl GameRun {
    /// Who is measured: the model, and how it plays where that is not the usual way.
    pub fn who(&self) -> String {
        let who = match self.agent.is_usual() {
            true => self.model.clone(),
            false => format!("{} by {}", self.model, self.agent),
        };
        let who = match self.language.is_usual() {
            true => who,
            false => format!("{who} with {}", self.language.code()),
        };
        match self.as_released {
            false => who,
            true => format!("{who} as released"),
        }
    }

    /// The rules by which it is played and scored.
    pub(super) fn rules(&self) -> Rules {
        match self.as_released {
            true => Rules::released(),
            false => Rules::default(),
        }
    }
}

/// The recorded games of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    /// Only those whose number modulo 3 is this.
    pub split: Option<u32>,
    /// How many, over all shards.
    pub count: usize,
    /// How many units the whole run has: a unit is a seat that proposes in a game, at a cut.
    pub units: usize,
    /// BLAKE3 over the games.
    pub digest: String,
}

/// How games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum GameMode {
    /// After a part of what people said, one proposal at once; at five cuts
    Forced,
    /// Against a party that tells all it knows
    Scripted,
    /// Against a party that tells only what it is asked for
    Shy,
    /// All seats that propose are played by the reader
    SelfPlay,
    /// Self-play that goes on after a part of what people said; at three cuts
    Psp,
}

impl fmt::Display for GameMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameMode::Forced => "forced",
            GameMode::Scripted => "scripted",
            GameMode::Shy => "shy",
            GameMode::SelfPlay => "self-play",
            GameMode::Psp => "psp",
        })
    }
}

/// What a line is about. Ordered as in a complete log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitKey {
    /// The kind of game.
    pub game: String,
    /// The number of the recorded game.
    pub index: u32,
    /// Where people were cut off: a percentage of their words, or `end`. None for a whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
    /// The seat whose silence is compared with, the one under evaluation.
    pub seat: String,
}

impl fmt::Display for UnitKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnitKey {
            game,
            index,
            cut,
            seat,
        } = self;
        write!(f, "{game} {index}, {seat}")?;
        match cut {
            Some(cut) => write!(f, ", cut {cut}"),
            None => Ok(()),
        }
    }
}

/// A line of `log.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// What it is about.
    pub unit: UnitKey,
    /// A turn that was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<GameTurn>,
    /// What became of the unit. It is the last line of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<GameOutcome>,
}

/// A turn of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTurn {
    /// Which one, from 1.
    pub turn: u32,
    /// Who made it.
    pub seat: String,
    /// Its text.
    pub text: String,
    /// The code of its refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// What a model was asked for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Asked>,
}

/// What became of a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameOutcome {
    /// How the game ended: `accepted`, `limit`, `stuck`, or `proposed` where that was all.
    pub ended: String,
    /// Why there is no proposal of the reader's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// Why there is no sample: our failure, or that of the model's provider. Never scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ours: Option<String>,
    /// The decision.
    pub decision: Option<serde_json::Value>,
    /// Its points.
    pub score: Option<i64>,
    /// The most points of the world.
    pub best: i64,
    /// What counts as 0.
    pub worst: i64,
    /// The scaled score.
    pub norm: Option<f64>,
    /// What the seat reaches without a word.
    pub silent: f64,
    /// What people reached in this world.
    pub people: Option<f64>,
    /// What was said, by people before a cut, too.
    pub talk: TalkCount,
    /// Refused turns, by code.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<String, u32>,
    /// Requests to the model.
    pub requests: u32,
    /// Requests that asked again for what could not be used.
    pub repairs: u32,
    /// Tokens of all requests.
    pub usage: Usage,
    /// How many facts the solver had at the end, and how many it refused. For forced proposals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<(usize, usize)>,
    /// These facts beside the truth of the world.
    #[serde(default, skip_serializing_if = "Extraction::is_empty")]
    pub extraction: Extraction,
}

impl GameOutcome {
    /// The unit as figures count it.
    pub(super) fn measured(&self) -> MeasuredGame {
        MeasuredGame {
            norm: self.norm,
            people: self.people,
            silent: self.silent,
            talk: self.talk,
            extraction: self.extraction.clone(),
        }
    }
}

impl GameLine {
    /// The end of a unit, if it is a sample.
    pub fn sample(&self) -> Option<&GameOutcome> {
        self.end.as_ref().filter(|end| end.ours.is_none())
    }

    /// The order in a complete log.
    pub(super) fn key(&self) -> (&UnitKey, u32) {
        (
            &self.unit,
            self.turn.as_ref().map_or(u32::MAX, |turn| turn.turn),
        )
    }
}
