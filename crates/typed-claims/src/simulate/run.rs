//! One dialogue of user and desk, checked turn by turn.

use super::{CheckedDialogue, Desk, User, Utterance, Words};
use crate::dialogues::Dialogue;
use crate::{Catalogue, Error, Lexicon, Row, Schema, Verdict};

/// The most utterances of the user.
pub const MOST_UTTERANCES: usize = 12;

/// How a dialogue ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The user has what the goal wants.
    Done,
    /// The goal cannot be had.
    Failed,
    /// The user said one thing three times.
    Stuck,
    /// The dialogue was too long.
    Cut,
}

/// An utterance of the user, the reply of the desk, and what the checker says of it.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The user's utterance.
    pub user: Utterance,
    /// The desk's reply.
    pub reply: String,
    /// Its claims.
    pub verdict: Verdict,
}

/// A simulated dialogue.
#[derive(Debug, Clone)]
pub struct Run {
    /// What was said.
    pub exchanges: Vec<Exchange>,
    /// How it ended.
    pub outcome: Outcome,
}

/// Lets a user with the goal of a dialogue talk with the desk, which has some rows of a catalogue.
/// What the goal's first booking wants is refused.
pub fn run(
    dialogue: &Dialogue,
    words: &Words,
    schema: &Schema,
    lexicon: &Lexicon,
    catalogue: &Catalogue,
    rows: &[Row],
    seed: u64,
) -> Result<Run, Error> {
    let mut user = User::new(dialogue, words, seed);
    let mut desk = Desk::new(rows, words, dialogue.goal.refused(), seed, &dialogue.id);
    let mut checked = CheckedDialogue::new(schema, lexicon, catalogue, rows);
    let mut exchanges = Vec::new();
    let mut utterance = user.open();
    loop {
        checked.hear(&utterance.text, Some(user.wishes()));
        let answer = desk.answer(&utterance.acts)?;
        let (verdict, asked) = checked.check(&answer);
        let outcome = user.outcome();
        let next = match outcome {
            Some(_) => utterance.clone(),
            None => user.hear(&verdict, &asked),
        };
        exchanges.push(Exchange {
            user: std::mem::replace(&mut utterance, next),
            reply: answer.text,
            verdict,
        });
        let cut = (exchanges.len() >= MOST_UTTERANCES).then_some(Outcome::Cut);
        if let Some(outcome) = outcome.or(cut) {
            return Ok(Run { exchanges, outcome });
        }
    }
}
