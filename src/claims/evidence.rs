//! What a reply may draw on.

use super::number::Number;
use super::tokens::{What, tokens};
use super::values::{self, Values};
use crate::dialogue::{Outcome, Program, Turn};
use std::collections::{HashMap, HashSet};

/// Everything that a reply may state: what the user said, what programs have as literals,
/// and what came of those that ran.
///
/// The agent's own words are not in it: what it said was true for one of these reasons, or
/// was not.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Texts in which names are looked for.
    pub(super) texts: Vec<String>,
    /// The literals of each program, of drafts too.
    pub(super) programs: Vec<Vec<String>>,
    /// Which of them is a goal's latest.
    latest: HashMap<u32, usize>,
    /// What outcomes are made of.
    pub(super) values: Values,
    /// Numbers that the user said.
    pub(super) said: Vec<Number>,
    /// Numbers that programs have as literals.
    pub(super) written: Vec<Number>,
    /// What is always true, for replies to what failed.
    pub(super) facts: Vec<Sentence>,
    /// What came of the last turn's programs.
    pub(super) last: Last,
}

/// What kind of thing the reply answers to.
#[derive(Debug, Default)]
pub(super) struct Last {
    /// A program gave a result.
    pub result: bool,
    /// Something in a result is 0, false, empty or nothing.
    pub nothing: bool,
    /// A program failed.
    pub failed: bool,
    /// The user asked about the environment in general, and the reply is to answer.
    pub general: bool,
}

impl Evidence {
    /// What the turns of a dialogue hold. The reply is that of the last turn.
    pub fn of(turns: &[Turn]) -> Self {
        let mut evidence = Evidence::default();
        for turn in turns {
            evidence.turn(turn);
        }
        evidence
    }

    /// With what is always true, such as a domain's document: the numbers in it may be
    /// stated where a program failed, to say why.
    #[must_use]
    pub fn with_facts(mut self, document: &str) -> Self {
        let lines = document.lines().map(Sentence::of);
        self.facts
            .extend(lines.filter(|line| !line.numbers.is_empty()));
        self
    }

    fn turn(&mut self, turn: &Turn) {
        self.last = Last::default();
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

/// A sentence, as far as two can be about the same thing.
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

    /// Whether this says every number of the other sentence, and is about the same.
    pub fn supports(&self, other: &Sentence) -> bool {
        let known = |number: &Number| self.numbers.iter().any(|fact| number.states(fact));
        other.numbers.iter().all(known) && self.words.intersection(&other.words).nth(1).is_some()
    }
}

/// Shorter words say little about what a sentence is about.
const LONG: usize = 4;

/// The numbers in a program's code. Small ones are places and steps (`[0]`, `+= 1`), and
/// say nothing.
fn written(program: &Program) -> Vec<Number> {
    let code = program.without_text();
    let words = code.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
    let values = words.filter_map(|word| word.replace('_', "").parse::<f64>().ok());
    let values = values.filter(|value| value.is_finite() && *value >= SMALL);
    values.map(Number::plain).collect()
}

const SMALL: f64 = 10.0;

/// The numbers that stand in a text, ordinals too: who says `the 28th` says 28.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = Number> {
    tokens(text)
        .into_iter()
        .filter_map(|token| match token.what {
            What::Number(number) | What::Ordinal(number) => Some(number),
            What::Quoted | What::Name | What::No => None,
        })
}
