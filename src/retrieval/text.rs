//! Similarity of utterances.

use crate::error::Result;
use std::collections::BTreeMap;

/// The two utterances by which turns are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utterances<'a> {
    /// The agent's reply before the utterance.
    pub said: &'a str,
    /// The user's utterance.
    pub user: &'a str,
}

/// Compares the utterances of a turn to those of the turns that it was built from.
pub trait TextSimilarity: Send + Sync {
    /// The name for logs and reports: `minilm`, `bm25`, `tfidf`.
    fn name(&self) -> &str;

    /// The similarity to each of them, in their order: 1 for the same words or meaning, 0 for
    /// nothing in common.
    ///
    /// # Errors
    /// The model of the similarity failed.
    fn to_all(&self, utterances: Utterances<'_>) -> Result<Vec<f64>>;
}

/// The weight of the user's words relative to the agent's, which are often the same and
/// often long.
const USER_WEIGHT: f64 = 3.0;

/// Stands for every name of a bucket or object, since one name is like another.
const NAME: &str = "<name>";

/// Words with their counts or weights.
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

/// The words in lower case. Text in double quotes, and a word that is spelt like a name
/// (`land_animals/bat.txt`, `zoology-bucket`), becomes one [`NAME`].
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

/// The text with a plain word in the place of every name, as [`words`] finds them.
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
