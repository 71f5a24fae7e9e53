//! What the user means, in words.

use std::collections::BTreeMap;

use super::words::{Number, say};
use super::{Act, Outcome, User, Utterance};
use crate::plant::title;

impl User<'_> {
    pub(super) fn end(&mut self, outcome: Outcome) -> Utterance {
        self.outcome = Some(outcome);
        let act = if outcome == Outcome::Done {
            "thanks"
        } else {
            "pity"
        };
        let text = say(&self.words.user, act, &[], &mut self.chance);
        let acts = vec![Act::Bye];
        Utterance { text, acts }
    }

    /// Acts in words; said a third time in a row they are the end.
    pub(super) fn said(&mut self, acts: Vec<Act>, how: &str) -> Utterance {
        self.repeats = if acts == self.last {
            self.repeats + 1
        } else {
            0
        };
        if self.repeats >= 2 {
            return self.end(Outcome::Stuck);
        }
        self.last.clone_from(&acts);
        let mut texts = Vec::new();
        let mut informed = BTreeMap::new();
        for act in &acts {
            match act {
                Act::Inform(slot, value) => {
                    self.wishes.insert(slot.clone(), value.clone());
                    informed.insert(slot.clone(), value.clone());
                }
                Act::Careless(slot) => {
                    self.wishes.remove(slot);
                    let slot = self.words.slot(slot);
                    texts.push(say(
                        &self.words.user,
                        "careless",
                        &[("slot", slot)],
                        &mut self.chance,
                    ));
                }
                Act::Request(_, slots) => {
                    let slots = slots.iter().map(|slot| self.words.slot(slot));
                    let slots = slots.collect::<Vec<_>>().join(&self.words.joint);
                    texts.push(say(
                        &self.words.user,
                        how,
                        &[("slots", &slots)],
                        &mut self.chance,
                    ));
                }
                Act::Book {
                    day, time, people, ..
                } => {
                    let day = self.words.day(day);
                    let values = [("day", day.as_str()), ("time", time), ("people", people)];
                    texts.push(say(&self.words.user, how, &values, &mut self.chance));
                }
                Act::Suggest | Act::Reference | Act::Bye => {
                    texts.push(say(&self.words.user, how, &[], &mut self.chance));
                }
            }
        }
        if let Some(name) = informed.remove("name") {
            let name = title(&name);
            texts.push(say(
                &self.words.user,
                "named",
                &[("name", &name)],
                &mut self.chance,
            ));
        }
        if !informed.is_empty() {
            let what = self.words.describe(&informed, Number::What);
            let how = if how == "careless" { "more" } else { how };
            texts.push(say(
                &self.words.user,
                how,
                &[("what", &what)],
                &mut self.chance,
            ));
        }
        let text = texts.join(" ");
        Utterance { text, acts }
    }
}
