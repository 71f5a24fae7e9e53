//! Counts the planted errors that the checker finds, and its flags on replies without one.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{LISTS, Label, Planted, lists, plant};
use crate::dialogues::{Dialogue, Speaker};
use crate::{Agreement, Catalogue, Error, Evidence, Flags, Lexicon, Schema, Tracker};

/// What is found of the errors of one operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operator {
    /// Copies with an error.
    pub planted: usize,
    /// Those in which it is found.
    pub found: usize,
    /// Those whose verdicts on alignment and grounding are those of the edit.
    pub agreed: usize,
    /// The untouched replies of the same copies in which an error of that kind is found, too.
    pub alarms: usize,
}

impl Operator {
    /// The share of the errors that is found; none of none.
    pub fn recall(&self) -> Option<f64> {
        crate::agreement::share(self.found, self.planted)
    }

    /// The share of errors among what is flagged, of as many copies as untouched replies.
    pub fn precision(&self) -> Option<f64> {
        crate::agreement::share(self.found, self.found + self.alarms)
    }

    fn count(&mut self, label: &Label, copy: &Flags, untouched: &Flags) {
        self.planted += 1;
        self.found += usize::from(label.found(copy));
        self.agreed += usize::from(label.agrees(copy));
        self.alarms += usize::from(label.found(untouched));
    }
}

/// The figures of planted errors, and the flags of the untouched dialogues.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// By operator.
    pub operators: BTreeMap<&'static str, Operator>,
    /// Per dialogue, the flags of the desk's turns as they were said.
    pub dialogues: Vec<Vec<Flags>>,
    /// The untouched replies that refer and are flagged.
    pub flagged: Vec<String>,
    /// The copies in which nothing is found: operator and reply.
    pub missed: Vec<(&'static str, String)>,
    /// Edit against checker, of alignment and of grounding: copies and their untouched replies.
    pub aligned: Agreement,
    /// As `aligned`.
    pub grounded: Agreement,
}

/// Plants errors into the turns of dialogues whose acts are true, and checks them.
pub fn measure(
    dialogues: &[Dialogue],
    schema: &Schema,
    lexicon: &Lexicon,
    catalogue: &Catalogue,
    seed: u64,
) -> Result<Measured, Error> {
    let mut measured = Measured::default();
    let mut aligned = Vec::new();
    let mut grounded = Vec::new();
    let fresh = || Tracker::new(schema, lexicon, catalogue, catalogue.full());
    for dialogue in dialogues {
        let mut tracker = fresh();
        let mut flags = Vec::new();
        for (at, turn) in dialogue.turns.iter().enumerate() {
            if turn.speaker == Speaker::User {
                tracker.hear(&turn.text);
                continue;
            }
            for planted in plant(dialogue, at, catalogue.rows(), seed) {
                let (first, second) = planted.results.clone().unzip();
                let untouched = flags_of(&tracker, &turn.text, first);
                let copy = flags_of(&tracker, &planted.reply, second);
                measured.count(&planted, &copy, &untouched);
                aligned.push((planted.label.aligned, copy.aligned));
                aligned.push((true, untouched.aligned));
                if let Some(label) = planted.label.grounded {
                    grounded.push((label, copy.grounded));
                    grounded.push((true, untouched.grounded));
                }
            }
            let said = tracker.check(&turn.text, None).flags;
            if said.refers && !(said.correct() && said.complete) {
                measured.flagged.push(turn.text.clone());
            }
            flags.push(said);
        }
        measured.dialogues.push(flags);
    }
    for (first, second) in LISTS {
        for (list, planted) in lists(catalogue.rows(), first, second) {
            let [untouched, copy] =
                [&list, &planted.reply].map(|reply| flags_of(&fresh(), reply, None));
            measured.count(&planted, &copy, &untouched);
        }
    }
    measured.aligned = Agreement::of(aligned);
    measured.grounded = Agreement::of(grounded);
    Ok(measured)
}

impl Measured {
    fn count(&mut self, planted: &Planted, copy: &Flags, untouched: &Flags) {
        let label = &planted.label;
        if !label.found(copy) {
            self.missed.push((planted.operator, planted.reply.clone()));
        }
        let operator = self.operators.entry(planted.operator).or_default();
        operator.count(label, copy, untouched);
    }
}

fn flags_of(tracker: &Tracker<'_>, reply: &str, result: Option<Json>) -> Flags {
    let evidence = result.map(|result| {
        let mut evidence = Evidence::default();
        evidence.push(Vec::new(), result);
        evidence
    });
    tracker.clone().check(reply, evidence.as_ref()).flags
}
