//! A dialogue whose replies are checked as they come.

use std::collections::BTreeMap;

use super::Answer;
use crate::{Catalogue, Evidence, Lexicon, Row, Schema, SlotKind, Tracker, Verdict};

/// One dialogue with any assistant that has some rows of a catalogue.
pub struct CheckedDialogue<'a> {
    schema: &'a Schema,
    tracker: Tracker<'a>,
    evidence: Option<Evidence>,
}

impl<'a> CheckedDialogue<'a> {
    /// The start of a dialogue with an assistant that has these rows and no others.
    pub fn new(
        schema: &'a Schema,
        lexicon: &'a Lexicon,
        catalogue: &'a Catalogue,
        rows: &[Row],
    ) -> Self {
        let names = rows.iter().filter_map(|row| row.get(&schema.key));
        let names = names.map(String::as_str).collect::<Vec<_>>();
        CheckedDialogue {
            schema,
            tracker: Tracker::new(schema, lexicon, catalogue, catalogue.base(&names, None)),
            evidence: Some(Evidence::default()),
        }
    }

    /// The assistant has no programs, so nothing is asked about what supports its replies.
    pub fn without_evidence(&mut self) {
        self.evidence = None;
    }

    /// Takes in what the user says. Wishes that are known are not read from the words.
    pub fn hear(&mut self, text: &str, wishes: Option<&BTreeMap<String, String>>) {
        self.tracker.hear(text);
        let Some(wishes) = wishes else { return };
        for (slot, _) in self.schema.of(SlotKind::Value) {
            let wish = wishes.get(slot).map(String::as_str);
            self.tracker.wish(slot, wish.as_slice());
        }
    }

    /// The wishes of the user so far, slot to values.
    pub fn wishes(&self) -> &BTreeMap<String, Vec<String>> {
        self.tracker.wishes()
    }

    /// Checks a reply. The answer has its claims, and the slots that its questions name.
    pub fn check(&mut self, answer: &Answer) -> (Verdict, Vec<String>) {
        if let Some(evidence) = &mut self.evidence {
            for (literals, result) in &answer.programs {
                evidence.push(literals.clone(), result.clone());
            }
        }
        let asked = self.tracker.asked(&answer.text);
        let verdict = self.tracker.check(&answer.text, self.evidence.as_ref());
        (verdict, asked)
    }
}
