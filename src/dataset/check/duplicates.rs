//! Texts that are too much alike: n-grams in common.
//!
//! The measure is Jaccard's: what two sets have in common, as a share of what either has.
//! It needs no model, and 1 means the same text but for case and punctuation. Utterances
//! are compared by runs of four characters, which forgive typing errors, and by runs of
//! three words; the higher figure counts. Dialogues are compared by all runs of three
//! words of their users.

use super::{Check, Checked, Finding, Found};
use crate::dataset::{Dialogue, Set, Split};
use crate::error::Result;
use async_trait::async_trait;
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// No utterance of the test part is like one of the training part, and no two dialogues
/// paraphrase each other.
pub struct NearDuplicates;

/// Utterances of two parts that are alike to this degree are near-duplicates. What people
/// say about the same bucket for different goals stays well below it.
pub const UTTERANCES: f64 = 0.5;
/// Dialogues whose users say the same to this degree paraphrase each other.
pub const DIALOGUES: f64 = 0.2;
/// Utterances of fewer words ("yes", "the second one") are what everybody says: they are
/// not compared, and counted.
pub const SHORT: usize = 4;

/// How much alike the texts of a dataset are.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Duplicates {
    /// Utterances of users that were compared.
    pub compared: usize,
    /// Those that are too short to be compared.
    pub short: usize,
    /// Short ones of the test part that are also said in the training part.
    pub short_in_both: usize,
    /// The most similar utterances of two parts, and all near-duplicates: most alike first.
    pub utterances: Vec<Alike>,
    /// The most similar dialogues, and all paraphrases: most alike first.
    pub dialogues: Vec<Alike>,
}

/// Two texts that are alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alike {
    /// How much: 1 is the same.
    pub similarity: f64,
    /// Where the two are: the file, and for an utterance the turn, from 1.
    pub places: [(PathBuf, Option<usize>); 2],
    /// The two utterances; nothing for dialogues.
    pub texts: Option<[String; 2]>,
}

/// What is compared of an utterance: runs of words and of characters, as sorted hashes.
struct Grams {
    /// Words as people count them: a name with hyphens is one.
    count: usize,
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
    fn of(text: &str) -> Self {
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

    fn similarity(&self, other: &Grams) -> f64 {
        let words = jaccard(&self.words, &other.words);
        words.max(jaccard(&self.characters, &other.characters))
    }
}

/// One hash for each of the runs, sorted, each once.
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

/// What two sorted sets have in common.
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
    /// Compares the texts of a dataset.
    pub fn of(set: &Set) -> Self {
        let said: Vec<Said<'_>> = set.dialogues.iter().flat_map(utterances).collect();
        let (long, short): (Vec<_>, Vec<_>) =
            said.into_iter().partition(|said| said.grams.count >= SHORT);
        let in_part = |all: &[Said<'_>], split: Split| {
            let texts = all.iter().filter(|said| said.dialogue.split == Some(split));
            texts.map(|said| plain(said.text)).collect::<Vec<_>>()
        };
        let taught: HashSet<String> = in_part(&short, Split::Train).into_iter().collect();
        let in_both = in_part(&short, Split::Test);
        Duplicates {
            compared: long.len(),
            short: short.len(),
            short_in_both: in_both.iter().filter(|text| taught.contains(*text)).count(),
            utterances: alike_utterances(set, &long),
            dialogues: alike_dialogues(set),
        }
    }
}

fn utterances(dialogue: &Dialogue) -> impl Iterator<Item = Said<'_>> {
    let turns = dialogue.conversation.turns.iter().enumerate();
    turns.map(move |(index, turn)| Said {
        dialogue,
        turn: index + 1,
        text: &turn.user,
        grams: Grams::of(&turn.user),
    })
}

/// The words alone, in small letters, with a blank between.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

fn alike_utterances(set: &Set, said: &[Said<'_>]) -> Vec<Alike> {
    let of = |split| {
        said.iter()
            .filter(move |said| said.dialogue.split == Some(split))
    };
    let mut alike = Vec::new();
    for train in of(Split::Train) {
        for test in of(Split::Test) {
            let place =
                |said: &Said<'_>| (set.shown(&said.dialogue.path).to_owned(), Some(said.turn));
            keep(
                &mut alike,
                train.grams.similarity(&test.grams),
                UTTERANCES,
                || Alike {
                    similarity: 0.0,
                    places: [place(train), place(test)],
                    texts: Some([train.text.to_owned(), test.text.to_owned()]),
                },
            );
        }
    }
    sorted(alike)
}

fn alike_dialogues(set: &Set) -> Vec<Alike> {
    let users: Vec<Vec<u64>> = (set.dialogues.iter())
        .map(|dialogue| {
            set_of(
                utterances(dialogue)
                    .flat_map(|said| said.grams.words)
                    .collect(),
            )
        })
        .collect();
    let mut alike = Vec::new();
    let mut rest = set.dialogues.iter().zip(&users);
    while let Some((one, words)) = rest.next() {
        for (other, others) in rest.clone() {
            let place = |dialogue: &Dialogue| (set.shown(&dialogue.path).to_owned(), None);
            keep(&mut alike, jaccard(words, others), DIALOGUES, || Alike {
                similarity: 0.0,
                places: [place(one), place(other)],
                texts: None,
            });
        }
    }
    sorted(alike)
}

/// Keeps what is alike beyond the threshold, and below it only the most alike.
fn keep(alike: &mut Vec<Alike>, similarity: f64, threshold: f64, make: impl FnOnce() -> Alike) {
    let best = alike
        .iter()
        .map(|alike| alike.similarity)
        .fold(0.0, f64::max);
    if similarity < threshold && similarity <= best {
        return;
    }
    alike.retain(|alike| alike.similarity >= threshold);
    alike.push(Alike {
        similarity,
        ..make()
    });
}

fn sorted(mut alike: Vec<Alike>) -> Vec<Alike> {
    alike.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
    alike
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

    async fn find(&self, checked: &Checked<'_>) -> Result<Vec<Finding>> {
        let mut found = Found::by(self);
        let Duplicates {
            utterances,
            dialogues,
            ..
        } = &checked.duplicates;
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
                    "{asked:?} is like {taught:?} in {}, turn {}: {similarity:.2}, and less than \
                     {UTTERANCES} is wanted; say it otherwise",
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
