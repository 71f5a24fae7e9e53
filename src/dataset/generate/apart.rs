//! Compares generated dialogues with the test part, so that no dialogue is near to it.

use crate::dataset::check::duplicates::{Grams, SHORT, UTTERANCES};
use crate::dataset::{Dialogue, Split};
use std::path::PathBuf;

/// The utterances of a test part.
pub struct TestPart {
    said: Vec<(PathBuf, usize, String, Grams)>,
}

/// The utterance of a test part that is most like one of a generated dialogue.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// How alike the two are, 0 to 1.
    pub similarity: f64,
    /// The test dialogue, and the turn from 1.
    pub place: (PathBuf, usize),
    /// The utterance.
    pub text: String,
}

impl TestPart {
    /// The test part of a dataset.
    pub fn of(dialogues: &[Dialogue]) -> Self {
        let test = dialogues.iter().filter(|it| it.split == Some(Split::Test));
        let said = test.flat_map(|dialogue| {
            let turns = dialogue.transcript.turns.iter().enumerate();
            turns.map(|(index, turn)| {
                let grams = Grams::of(&turn.user);
                (dialogue.path.clone(), index + 1, turn.user.clone(), grams)
            })
        });
        TestPart {
            said: said.filter(|(.., grams)| grams.count >= SHORT).collect(),
        }
    }

    /// The test utterance that is most like one of these; short ones are not compared.
    pub fn nearest<'a>(&self, said: impl Iterator<Item = &'a str>) -> Option<Nearest> {
        let grams = said.map(Grams::of).filter(|grams| grams.count >= SHORT);
        let mut nearest: Option<Nearest> = None;
        for one in grams {
            for (path, turn, text, other) in &self.said {
                let similarity = one.similarity(other);
                if nearest.as_ref().is_none_or(|it| it.similarity < similarity) {
                    nearest = Some(Nearest {
                        similarity,
                        place: (path.clone(), *turn),
                        text: text.clone(),
                    });
                }
            }
        }
        nearest
    }
}

impl Nearest {
    /// Whether the check of a dataset would call the two near-duplicates.
    pub fn is_too_near(&self) -> bool {
        self.similarity >= UTTERANCES
    }
}
