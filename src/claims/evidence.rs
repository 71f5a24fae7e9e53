//! The evidence for the claims of a reply.

use super::number::Number;
use super::tokens::{TokenKind, tokens};
use super::values::{self, Values};
use crate::dialogue::{Outcome, Program, Turn};
use std::collections::{HashMap, HashSet};

/// Everything that a reply may state: the user's utterances, the literals of programs, and
/// the outcomes of those that ran. The agent's own replies are not evidence.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Utterances and errors, in which names are looked up.
    pub(super) texts: Vec<String>,
    /// The literals of each program, drafts included.
    pub(super) programs: Vec<Vec<String>>,
    /// The index in `programs` of each goal's latest program.
    latest: HashMap<u32, usize>,
    /// The parts of the results.
    pub(super) values: Values,
    /// The numbers in the user's utterances.
    pub(super) said: Vec<Number>,
    /// The number literals of programs.
    pub(super) written: Vec<Number>,
    /// Lines that are always true, for replies about failures.
    pub(super) facts: Vec<Sentence>,
    /// The words that a document quotes: names of fields, and values of them.
    pub(super) quoted: HashSet<String>,
    /// How the last turn's programs ended.
    pub(super) last: Last,
}

/// How the programs of the last turn ended, to which the reply answers.
#[derive(Debug, Default)]
pub(super) struct Last {
    /// A program gave a result.
    pub result: bool,
    /// A result has a 0, a false, a null or something empty in it.
    pub nothing: bool,
    /// A program failed.
    pub failed: bool,
    /// The user asked about the environment in general (`FAQ`).
    pub general: bool,
}

impl Evidence {
    /// The evidence in the turns of a dialogue, for a reply to the last one.
    pub fn of(turns: &[Turn]) -> Self {
        let mut evidence = Evidence::default();
        for turn in turns {
            evidence.turn(turn);
        }
        evidence
    }

    /// Adds facts that are always true, such as a domain's document, one a line. A reply may
    /// state their numbers to explain why a program failed.
    #[must_use]
    pub fn with_facts(mut self, document: &str) -> Self {
        let lines = document.lines().map(Sentence::of);
        self.facts
            .extend(lines.filter(|line| !line.numbers.is_empty()));
        // Three quotation marks begin or end a document, and quote no word. Between two others,
        // text stands at an odd place.
        let document = document.replace("\"\"\"", "");
        let words = document
            .lines()
            .flat_map(|line| line.split('"').skip(1).step_by(2));
        self.quoted.extend(words.map(str::to_owned));
        self
    }

    /// Adds the day on which the reply is given, as `2026-11-28`. Its numbers count nothing.
    #[must_use]
    pub fn on(mut self, day: String) -> Self {
        self.texts.push(day);
        self
    }

    fn turn(&mut self, turn: &Turn) {
        self.last = Last::default();
        self.values.lists.clear();
        self.said.extend(numbers(&turn.user));
        self.texts.push(turn.user.clone());
        for goal in &turn.goals {
            if let Some(program) = &goal.program {
                self.latest.insert(goal.uid, self.programs.len());
                self.programs.push(program.literals());
                self.written.extend(written(program));
            }
            match &goal.outcome {
                Some(Outcome::Result(value)) => {
                    self.last.result = true;
                    self.last.nothing |= values::has_nothing(value);
                    // A goal that only became final has its program from an earlier turn.
                    let latest = self.latest.get(&goal.uid);
                    let literals = latest.and_then(|at| self.programs.get(*at));
                    self.values.add(value, literals.map_or(&[], Vec::as_slice));
                }
                Some(Outcome::Error(error)) => {
                    self.last.failed = true;
                    self.last.general |= error.error == "FAQ";
                    self.texts.push(error.message.clone());
                    self.texts.push(error.error.clone());
                }
                None => {}
            }
        }
    }
}

/// The numbers and the longer words of a sentence, to tell whether two sentences are about
/// the same thing.
#[derive(Debug)]
pub(super) struct Sentence {
    pub numbers: Vec<Number>,
    words: HashSet<String>,
}

impl Sentence {
    pub fn of(text: &str) -> Self {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.chars().count() >= LONG);
        Sentence {
            numbers: numbers(text).collect(),
            words: words.map(str::to_lowercase).collect(),
        }
    }

    /// Whether this sentence has every number of the other one and is about the same thing.
    pub fn supports(&self, other: &Sentence) -> bool {
        let known = |number: &Number| self.numbers.iter().any(|fact| number.states(fact));
        other.numbers.iter().all(known) && self.words.intersection(&other.words).nth(1).is_some()
    }
}

/// The shortest words, in characters, that tell what a sentence is about.
const LONG: usize = 4;

/// The number literals of a program. Small ones are indices and steps (`[0]`, `+= 1`) and are
/// no evidence.
fn written(program: &Program) -> Vec<Number> {
    let code = program.without_text();
    let words = code.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
    let values = words.filter_map(|word| word.replace('_', "").parse::<f64>().ok());
    let values = values.filter(|value| value.is_finite() && *value >= SMALL);
    values.map(Number::plain).collect()
}

const SMALL: f64 = 10.0;

/// The numbers in a text, including ordinals: `the 28th` says 28.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = Number> {
    tokens(text)
        .into_iter()
        .filter_map(|token| match token.kind {
            TokenKind::Number(number) | TokenKind::Ordinal(number) => Some(number),
            TokenKind::Quoted | TokenKind::Name | TokenKind::No => None,
        })
}
