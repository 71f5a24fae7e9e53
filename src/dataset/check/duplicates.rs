//! Texts that are too much alike, by n-grams in common.
//!
//! The measure is the Jaccard index: the size of the intersection of two sets of n-grams
//! over the size of their union. It needs no model; 1 means the same text up to case and
//! punctuation. Utterances are compared by 4-grams of characters, which tolerate typing
//! errors, and by 3-grams of words; the higher figure counts. Dialogues are compared by the
//! 3-grams of words of all their users' utterances.

use super::{Check, Checked, Found, Looked};
use crate::dataset::stats::Statistics;
use crate::dataset::{Dialogue, Set, Split};
use crate::error::Result;
use async_trait::async_trait;
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// No test utterance is like one that a model may be shown, and no two dialogues paraphrase
/// each other.
pub struct NearDuplicates;

/// Utterances with at least this similarity are near-duplicates. Different requests about the
/// same bucket stay well below it.
pub const UTTERANCES: f64 = 0.5;
/// Dialogues with at least this similarity paraphrase each other.
pub const DIALOGUES: f64 = 0.2;
/// Utterances of fewer words ("yes", "the second one") are not compared: everybody says them.
pub const SHORT: usize = 4;

/// The similarities within a dataset.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Duplicates {
    /// Utterances of users that are long enough to be compared.
    pub compared: usize,
    /// Pairs of utterances that were compared: one of the test part, one of the training
    /// part or of the examples.
    pub utterance_pairs: usize,
    /// Pairs of dialogues that were compared.
    pub dialogue_pairs: usize,
    /// Utterances that are too short to be compared.
    pub short: usize,
    /// Short ones of the test part that are also said in the training part or in the
    /// examples.
    pub short_in_both: usize,
    /// The most similar utterances of two parts, and all near-duplicates: most alike first.
    pub utterances: Vec<Alike>,
    /// The most similar dialogues, and all paraphrases: most alike first.
    pub dialogues: Vec<Alike>,
}

/// Two texts that are alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alike {
    /// The Jaccard index, 0 to 1.
    pub similarity: f64,
    /// Where the two are: the file, and for an utterance the turn, from 1.
    pub places: [(PathBuf, Option<usize>); 2],
    /// The two utterances; nothing for dialogues.
    pub texts: Option<[String; 2]>,
}

/// The n-grams of an utterance, as sorted hashes.
pub(in crate::dataset) struct Grams {
    /// The number of words as people count them: a name with hyphens is one.
    pub(in crate::dataset) count: usize,
    words: Vec<u64>,
    characters: Vec<u64>,
}

/// One utterance of a user.
struct Said<'a> {
    dialogue: &'a Dialogue,
    turn: usize,
    text: &'a str,
    grams: Grams,
}

impl Grams {
    pub(in crate::dataset) fn of(text: &str) -> Self {
        let count = text.split_whitespace().count();
        let text = plain(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let characters: Vec<char> = text.chars().collect();
        Grams {
            count,
            words: hashes(words.windows(3)),
            characters: hashes(characters.windows(4)),
        }
    }

    pub(in crate::dataset) fn similarity(&self, other: &Grams) -> f64 {
        let words = jaccard(&self.words, &other.words);
        words.max(jaccard(&self.characters, &other.characters))
    }
}

/// The hashes of n-grams, sorted, without duplicates.
fn hashes<T: Hash>(runs: impl Iterator<Item = T>) -> Vec<u64> {
    let hash = |run: T| {
        let mut hasher = DefaultHasher::new();
        run.hash(&mut hasher);
        hasher.finish()
    };
    set_of(runs.map(hash).collect())
}

fn set_of(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The Jaccard index of two sorted sets.
fn jaccard(one: &[u64], other: &[u64]) -> f64 {
    let (mut one_left, mut other_left) = (one, other);
    let mut common = 0usize;
    while let ([a, rest @ ..], [b, others @ ..]) = (one_left, other_left) {
        common += usize::from(a == b);
        if a <= b {
            one_left = rest;
        }
        if b <= a {
            other_left = others;
        }
    }
    match one.len() + other.len() - common {
        0 => 0.0,
        either => common as f64 / either as f64,
    }
}

impl Duplicates {
    /// Compares the texts of a dataset, and its test part with the dialogues of examples.
    /// Examples that are dialogues of the dataset count once.
    pub fn of(set: &Set, examples: &[Dialogue]) -> Self {
        let is_new = |example: &&Dialogue| {
            let uid = &example.transcript.uid;
            !set.dialogues
                .iter()
                .any(|d| d.transcript.uid == *uid && d.text == example.text)
        };
        let examples: Vec<&Dialogue> = examples.iter().filter(is_new).collect();
        let in_part = |split| set.dialogues.iter().filter(move |d| d.split == Some(split));
        let shown = in_part(Split::Train).chain(examples.iter().copied());
        let shown: Vec<Said<'_>> = shown.flat_map(utterances).collect();
        let asked: Vec<Said<'_>> = in_part(Split::Test).flat_map(utterances).collect();
        let said = || set.dialogues.iter().flat_map(utterances);
        let known: HashSet<String> = shown
            .iter()
            .filter(|said| said.is_short())
            .map(Said::plain)
            .collect();
        let short_asked = asked.iter().filter(|said| said.is_short());
        let (utterance_pairs, utterances) = alike_utterances(set, &shown, &asked);
        let (dialogue_pairs, dialogues) = alike_dialogues(set, &examples);
        Duplicates {
            compared: said().filter(|said| !said.is_short()).count(),
            short: said().filter(Said::is_short).count(),
            short_in_both: short_asked
                .filter(|said| known.contains(&said.plain()))
                .count(),
            utterance_pairs,
            dialogue_pairs,
            utterances,
            dialogues,
        }
    }
}

impl Duplicates {
    /// The part that was not compared, and why; `None` where all was.
    fn not_compared(&self, statistics: &Statistics) -> Option<String> {
        let missing = match (statistics.train.dialogues, statistics.test.dialogues) {
            _ if self.utterance_pairs > 0 => None,
            (_, 0) => Some("no utterances were compared: there is no test part".to_owned()),
            (0, _) => Some(
                "no utterances were compared: there is no training part; `--examples builtin` \
                 (or DIR) compares the test part with the examples of a prompt"
                    .to_owned(),
            ),
            _ => Some(format!(
                "no utterances were compared: those of one part all have fewer than {SHORT} words"
            )),
        };
        let dialogues = match statistics.train.dialogues + statistics.test.dialogues {
            _ if self.dialogue_pairs > 0 => None,
            0 | 1 => Some("there is only one dialogue".to_owned()),
            // Pairs of one part alone are left out, and only if the list allows it.
            _ => Some(
                "no dialogues were compared: goals.toml allows paraphrases in one part".to_owned(),
            ),
        };
        let reasons: Vec<String> = missing.into_iter().chain(dialogues).collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

impl Said<'_> {
    /// Whether it has too few words to be compared.
    fn is_short(&self) -> bool {
        self.grams.count < SHORT
    }

    fn plain(&self) -> String {
        plain(self.text)
    }
}

fn utterances(dialogue: &Dialogue) -> impl Iterator<Item = Said<'_>> {
    let turns = dialogue.transcript.turns.iter().enumerate();
    turns.map(move |(index, turn)| Said {
        dialogue,
        turn: index + 1,
        text: &turn.user,
        grams: Grams::of(&turn.user),
    })
}

/// Lower-case words separated by single spaces.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// How many pairs were compared, and those that are alike.
fn alike_utterances(set: &Set, shown: &[Said<'_>], asked: &[Said<'_>]) -> (usize, Vec<Alike>) {
    let mut alike = MostAlike::above(UTTERANCES);
    let place = |said: &Said<'_>| (set.shown(&said.dialogue.path).to_owned(), Some(said.turn));
    for one in shown.iter().filter(|said| !said.is_short()) {
        for other in asked.iter().filter(|said| !said.is_short()) {
            let similarity = one.grams.similarity(&other.grams);
            alike.offer(similarity, || Alike {
                similarity,
                places: [place(one), place(other)],
                texts: Some([one.text.to_owned(), other.text.to_owned()]),
            });
        }
    }
    alike.end()
}

/// How many pairs were compared, and those that are alike: two dialogues of the dataset, or
/// an example and a test dialogue.
fn alike_dialogues(set: &Set, examples: &[&Dialogue]) -> (usize, Vec<Alike>) {
    let words = |dialogue| {
        set_of(
            utterances(dialogue)
                .flat_map(|said| said.grams.words)
                .collect(),
        )
    };
    let users: Vec<Vec<u64>> = set.dialogues.iter().map(words).collect();
    let may_paraphrase = set.listed().is_some_and(|listed| listed.paraphrases);
    let mut alike = MostAlike::above(DIALOGUES);
    let mut compare = |one: &Dialogue, words: &[u64], other: &Dialogue, others: &[u64]| {
        let place = |dialogue: &Dialogue| (set.shown(&dialogue.path).to_owned(), None);
        let similarity = jaccard(words, others);
        alike.offer(similarity, || Alike {
            similarity,
            places: [place(one), place(other)],
            texts: None,
        });
    };
    let mut rest = set.dialogues.iter().zip(&users);
    while let Some((one, words)) = rest.next() {
        for (other, others) in rest.clone() {
            if may_paraphrase && one.split == other.split {
                continue;
            }
            compare(one, words, other, others);
        }
    }
    for example in examples {
        let words = words(example);
        for (test, others) in set.dialogues.iter().zip(&users) {
            if test.split == Some(Split::Test) {
                compare(example, &words, test, others);
            }
        }
    }
    alike.end()
}

/// The most alike of the pairs that were compared: every pair at or above the threshold, or
/// while there is none, the most similar pair.
struct MostAlike {
    pairs: usize,
    threshold: f64,
    best: f64,
    kept: Vec<Alike>,
}

impl MostAlike {
    fn above(threshold: f64) -> Self {
        MostAlike {
            pairs: 0,
            threshold,
            best: 0.0,
            kept: Vec::new(),
        }
    }

    fn offer(&mut self, similarity: f64, make: impl FnOnce() -> Alike) {
        self.pairs += 1;
        if similarity < self.threshold && similarity <= self.best {
            return;
        }
        if self.best < self.threshold {
            self.kept.clear();
        }
        self.best = self.best.max(similarity);
        self.kept.push(make());
    }

    /// How many pairs were compared, and those that were kept, the most alike first.
    fn end(mut self) -> (usize, Vec<Alike>) {
        self.kept
            .sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
        (self.pairs, self.kept)
    }
}

#[async_trait]
impl Check for NearDuplicates {
    fn name(&self) -> &'static str {
        "duplicates"
    }

    fn rule(&self) -> &'static str {
        "no utterance of the test part is like one of the training part, and no two dialogues \
         paraphrase each other"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let Duplicates {
            utterances,
            dialogues,
            ..
        } = &checked.duplicates;
        found.skip(checked.duplicates.not_compared(&checked.statistics));
        for alike in utterances
            .iter()
            .filter(|alike| alike.similarity >= UTTERANCES)
        {
            let Alike {
                similarity,
                places: [(train, at), (test, turn)],
                texts,
            } = alike;
            let Some([taught, asked]) = texts else {
                continue;
            };
            found.push(
                Some(test.clone()),
                *turn,
                None,
                format!(
                    "{asked:?} is like {taught:?} in {}, turn {}: {similarity:.2}; it must be \
                     below {UTTERANCES}; reword it",
                    train.display(),
                    at.unwrap_or(0)
                ),
            );
        }
        for alike in dialogues
            .iter()
            .filter(|alike| alike.similarity >= DIALOGUES)
        {
            let Alike {
                similarity,
                places: [(one, _), (other, _)],
                ..
            } = alike;
            let problem = format!(
                "paraphrases {}: {similarity:.2}, and less than {DIALOGUES} is wanted; give it \
                 words and a flow of its own",
                one.display()
            );
            found.push(Some(other.clone()), None, None, problem);
        }
        found.end()
    }
}
