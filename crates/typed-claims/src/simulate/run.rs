//! One dialogue of user and desk, checked turn by turn.

use super::{Desk, User, Utterance, Words};
use crate::dialogues::Dialogue;
use crate::{Catalogue, Error, Evidence, Lexicon, Row, Schema, Tracker, Verdict};

/// The most utterances of the user.
const MOST: usize = 12;

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
    let mut desk = Desk::new(rows, words, refused(dialogue), seed, &dialogue.id);
    let names = rows.iter().filter_map(|row| row.get(&schema.key));
    let names = names.map(String::as_str).collect::<Vec<_>>();
    let base = catalogue.base(&names, None);
    let mut tracker = Tracker::new(schema, lexicon, catalogue, base);
    let mut evidence = Evidence::default();
    let mut exchanges = Vec::new();
    let mut utterance = user.open();
    loop {
        tracker.hear(&utterance.text);
        for (slot, _) in schema.of(crate::SlotKind::Value) {
            let wish = user.wishes().get(slot).map(String::as_str);
            tracker.wish(slot, wish.as_slice());
        }
        let answer = desk.answer(&utterance.acts)?;
        for (literals, result) in answer.programs {
            evidence.push(literals, result);
        }
        let asked = tracker.asked(&answer.text);
        let verdict = tracker.check(&answer.text, Some(&evidence));
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
        let cut = (exchanges.len() >= MOST).then_some(Outcome::Cut);
        if let Some(outcome) = outcome.or(cut) {
            return Ok(Run { exchanges, outcome });
        }
    }
}

/// The day and time that the goal's first booking asks for in vain.
fn refused(dialogue: &Dialogue) -> Option<(String, String)> {
    let (book, fail) = (dialogue.goal.book(), dialogue.goal.fail_book());
    if fail.is_empty() {
        return None;
    }
    let value = |slot: &str| fail.get(slot).or_else(|| book.get(slot)).cloned();
    Some((value("day")?, value("time")?))
}
