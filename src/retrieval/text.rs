//! How alike the utterances of two turns are.

use crate::error::Result;
use std::collections::BTreeMap;

/// R_{t-1} and U_t of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utterances<'a> {
    /// What the agent had said.
    pub said: &'a str,
    /// What the user said.
    pub user: &'a str,
}

/// Compares the utterances of a turn to those of the turns that it was built from.
pub trait TextSimilarity: Send + Sync {
    /// What compares them, for logs and reports: `minilm`, `bm25`, `tfidf`.
    fn name(&self) -> &str;

    /// The similarity to each of them, in their order: 1 is the same, 0 is
    /// nothing in common.
    fn to_all(&self, utterances: Utterances<'_>) -> Result<Vec<f64>>;
}

/// The user's words count this many times: what the agent said is often the
/// same, and often long.
const USER_WEIGHT: f64 = 3.0;

/// What stands for every name of a thing: one file name is like another.
const NAME: &str = "<name>";

/// Words, with how often each occurs or how much it weighs.
pub(super) type Bag = BTreeMap<String, f64>;

/// The words of a turn, the user's counting more.
pub(super) fn bag(turn: &Utterances<'_>) -> Bag {
    let mut bag = Bag::new();
    for (text, weight) in [(turn.said, 1.0), (turn.user, USER_WEIGHT)] {
        for word in words(text) {
            *bag.entry(word).or_default() += weight;
        }
    }
    bag
}

/// The words in lower case. What stands in double quotes, and what is spelt like
/// the name of a thing (`land_animals/bat.txt`, `zoology-bucket`), is one [`NAME`].
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    // A quote that is not closed begins no name.
    let parts: Vec<&str> = text.split('"').collect();
    for (index, part) in parts.iter().enumerate() {
        if index % 2 == 1 && index + 1 < parts.len() {
            words.push(NAME.to_owned());
            continue;
        }
        for token in part.split_whitespace() {
            let token = token.trim_matches(|c: char| !c.is_alphanumeric());
            if token.contains(['/', '_', '.', '-']) {
                words.push(NAME.to_owned());
            } else {
                let parts = token.split(|c: char| !c.is_alphanumeric());
                words.extend(parts.filter(|word| !word.is_empty()).map(str::to_lowercase));
            }
        }
    }
    words
}

/// The text with a plain word for everything that [`words`] takes for a name.
pub(super) fn masked(text: &str) -> String {
    const WORD: &str = "name";
    let parts: Vec<&str> = text.split('"').collect();
    let mut masked = String::with_capacity(text.len());
    for (index, part) in parts.iter().enumerate() {
        if index % 2 == 1 && index + 1 < parts.len() {
            masked.push_str(WORD);
            continue;
        }
        for piece in part.split_inclusive(char::is_whitespace) {
            let token = piece.trim_matches(|c: char| !c.is_alphanumeric());
            if token.contains(['/', '_', '.', '-']) {
                masked.push_str(&piece.replacen(token, WORD, 1));
            } else {
                masked.push_str(piece);
            }
        }
    }
    masked
}
