//! The user: an agenda made from a goal, and what follows from each reply of the desk.

use std::collections::BTreeMap;

use super::{Outcome, WISHES, Words};
use crate::chance::Chance;
use crate::claim::Subject;
use crate::dialogues::Dialogue;
use crate::{Kind, Row, Verdict};

/// What the user means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The slot is to have the value; `name` is a restaurant.
    Inform(String, String),
    /// Any value of the slot will do.
    Careless(String),
    /// One of those is enough.
    Suggest,
    /// The slots of a restaurant.
    Request(String, Vec<String>),
    /// A table.
    Book {
        /// At which restaurant.
        name: String,
        /// On which day.
        day: String,
        /// At what time.
        time: String,
        /// For how many.
        people: String,
    },
    /// The reference of the booking.
    Reference,
    /// The end.
    Bye,
}

/// What the user says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utterance {
    /// In words.
    pub text: String,
    /// What it means.
    pub acts: Vec<Act>,
}

/// The user of one dialogue.
#[derive(Debug, Clone)]
pub struct User<'a> {
    pub(super) words: &'a Words,
    pub(super) chance: Chance,
    /// The constraints that are wished for now; those of the goal while the first fail.
    active: BTreeMap<String, String>,
    then: Option<BTreeMap<String, String>>,
    /// The constraints that are not said yet, the next one last.
    unsaid: Vec<String>,
    /// The constraints that were said and not taken back.
    pub(super) wishes: BTreeMap<String, String>,
    dropped: bool,
    again: bool,
    name: Option<String>,
    /// The slots that the goal asks for.
    requested: Vec<String>,
    /// Those of them that are not asked for yet.
    requests: Vec<String>,
    book: BTreeMap<String, String>,
    booking: Option<BTreeMap<String, String>>,
    refused: usize,
    booked: bool,
    reference: Wanted,
    pub(super) last: Vec<Act>,
    pub(super) repeats: usize,
    pub(super) outcome: Option<Outcome>,
}

/// The reference of the booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    No,
    Yes,
    Asked,
    Given,
}

impl<'a> User<'a> {
    /// A user with the goal of a dialogue.
    pub fn new(dialogue: &Dialogue, words: &'a Words, seed: u64) -> Self {
        let goal = &dialogue.goal;
        let wanted = |(slot, value): (&String, &String)| {
            let any = matches!(value.as_str(), "dontcare" | "don't care" | "any");
            (!any).then(|| (slot.clone(), value.clone()))
        };
        let info = goal
            .info
            .iter()
            .filter_map(wanted)
            .collect::<BTreeMap<_, _>>();
        let fail = goal
            .fail_info
            .iter()
            .filter_map(wanted)
            .collect::<BTreeMap<_, _>>();
        let (active, then) = if fail.is_empty() {
            (info, None)
        } else {
            (fail, Some(info))
        };
        let book = goal.book().into_iter().collect::<BTreeMap<_, _>>();
        let first = book.clone().into_iter().chain(goal.fail_book());
        let reference = dialogue
            .message
            .iter()
            .any(|text| text.contains("reference number"));
        let mut user = User {
            words,
            chance: Chance::new("trust-sim/1", seed, &dialogue.id),
            active,
            then,
            unsaid: Vec::new(),
            wishes: BTreeMap::new(),
            dropped: false,
            again: false,
            name: None,
            requested: goal.reqt.clone(),
            requests: goal.reqt.clone(),
            booking: ["day", "time", "people"]
                .iter()
                .all(|slot| book.contains_key(*slot))
                .then(|| first.collect()),
            book,
            refused: 0,
            booked: false,
            reference: if reference { Wanted::Yes } else { Wanted::No },
            last: Vec::new(),
            repeats: 0,
            outcome: None,
        };
        user.plan();
        user
    }

    /// The wishes that the user has said, slot to value.
    pub fn wishes(&self) -> &BTreeMap<String, String> {
        &self.wishes
    }

    /// How the dialogue ended, once the user has said goodbye.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether the user got what the goal wants: a row of the base that fits all wishes, and a true
    /// answer to each request. No denial may be false: it makes the user give up a wish. Whether a
    /// booking was made is a flag of its reply.
    pub fn reached(&self, rows: &[Row], verdicts: &[Verdict]) -> bool {
        let chosen = |row: &&Row| row.get("name") == self.name.as_ref();
        let Some(row) = rows.iter().find(chosen).filter(|_| self.name.is_some()) else {
            return false;
        };
        let told = |slot: &String| {
            let claims = verdicts.iter().flat_map(|verdict| &verdict.claims);
            let mut true_ones = claims.filter(|claim| claim.truth == Some(true));
            true_ones.any(|claim| match &claim.kind {
                Kind::Slot {
                    subject: Subject::Rows(members),
                    slot: about,
                    ..
                } => {
                    about == slot
                        && members
                            .iter()
                            .flatten()
                            .any(|name| Some(name) == self.name.as_ref())
                }
                _ => false,
            })
        };
        let mut requested = self.requested.iter().filter(|slot| row.contains_key(*slot));
        let denies = |kind: &Kind| matches!(kind, Kind::None(_) | Kind::Absent(_));
        let mut claims = verdicts.iter().flat_map(|verdict| &verdict.claims);
        let misled = claims.any(|claim| denies(&claim.kind) && claim.truth == Some(false));
        self.outcome == Some(Outcome::Done)
            && !misled
            && self
                .active
                .iter()
                .all(|(slot, value)| row.get(slot) == Some(value))
            && requested.all(told)
    }

    /// The constraints in a drawn order; a name is said first, and alone.
    fn plan(&mut self) {
        self.unsaid = self.active.keys().cloned().collect();
        self.chance.shuffle(&mut self.unsaid);
        self.unsaid.sort_by_key(|slot| slot == "name");
    }

    /// The first utterance: one or two constraints.
    pub fn open(&mut self) -> Utterance {
        let acts = self.inform(2);
        self.said(acts, "inform")
    }

    /// The answer to a reply of the desk, of which the checker found these claims; `asked` are the
    /// slots that its questions name.
    pub fn hear(&mut self, verdict: &Verdict, asked: &[String]) -> Utterance {
        let kinds = || verdict.claims.iter().map(|claim| &claim.kind);
        let refused = kinds().any(|kind| matches!(kind, Kind::Booked(false)));
        let reference = kinds().any(|kind| matches!(kind, Kind::Ref(_)));
        let denied = kinds().any(|kind| matches!(kind, Kind::None(_) | Kind::Absent(_)));
        if reference && !refused {
            self.reference = Wanted::Given;
        }
        self.booked |=
            !refused && (reference || kinds().any(|kind| matches!(kind, Kind::Booked(true))));
        if refused && !self.booked {
            self.refused += 1;
            if self.refused > 1 {
                return self.end(Outcome::Failed);
            }
            self.booking = Some(self.book.clone());
            return self.next();
        }
        if denied && self.name.is_none() {
            return self.denied();
        }
        if let Some(acts) = self.answer(asked) {
            return acts;
        }
        if self.name.is_none() {
            match self.choose(verdict) {
                // A constraint that is still unsaid may rule this one out.
                Some(Some(name)) if !self.unsaid.is_empty() && !self.wanted(&name) => {}
                Some(Some(name)) => self.name = Some(name),
                Some(None) if !self.again => {
                    self.again = true;
                    self.unsaid = self.wishes.keys().cloned().collect();
                }
                _ => {}
            }
        }
        self.next()
    }

    /// Answers a denial: by the goal's second constraints if it has some, else by dropping a wish,
    /// else by ending the dialogue.
    fn denied(&mut self) -> Utterance {
        if let Some(then) = self.then.take() {
            let gone = self.active.keys().filter(|slot| !then.contains_key(*slot));
            let gone = gone.cloned().collect::<Vec<_>>();
            let mut acts = gone.into_iter().map(Act::Careless).collect::<Vec<_>>();
            let changed = then
                .iter()
                .filter(|(slot, value)| self.wishes.get(*slot) != Some(value));
            acts.extend(changed.map(|(slot, value)| Act::Inform(slot.clone(), value.clone())));
            self.active = then;
            self.unsaid.clear();
            return self.said(acts, "switch");
        }
        let last = WISHES.iter().find(|slot| self.wishes.contains_key(**slot));
        match last.filter(|_| !self.dropped) {
            Some(slot) => {
                self.dropped = true;
                self.active.remove(*slot);
                self.said(vec![Act::Careless((*slot).to_owned())], "careless")
            }
            None => self.end(Outcome::Failed),
        }
    }

    /// The answer to a question for a wish; none if nothing is asked that is not settled.
    fn answer(&mut self, asked: &[String]) -> Option<Utterance> {
        if self.name.is_some() {
            return None;
        }
        let open = WISHES
            .iter()
            .find(|slot| asked.iter().any(|asked| asked == **slot))?;
        self.unsaid.retain(|slot| slot != open);
        let act = match self.active.get(*open) {
            Some(value) => Act::Inform((*open).to_owned(), value.clone()),
            None => Act::Careless((*open).to_owned()),
        };
        Some(self.said(vec![act], "more"))
    }

    /// The restaurant of the goal, else the first that is said to have nothing else than wished;
    /// `Some(None)` where each has.
    fn choose(&self, verdict: &Verdict) -> Option<Option<String>> {
        let names = verdict.claims.iter().filter_map(|claim| match &claim.kind {
            Kind::Entity(Subject::Rows(members)) => members.first()?.first(),
            _ => None,
        });
        let mut names = names.cloned().collect::<Vec<_>>();
        // The last one named is the one recommended.
        names.reverse();
        if names.is_empty() {
            return None;
        }
        if let Some(wanted) = self.active.get("name").filter(|name| names.contains(name)) {
            return Some(Some(wanted.clone()));
        }
        let contradicts = |name: &String| {
            verdict.claims.iter().any(|claim| match &claim.kind {
                Kind::Slot {
                    subject: Subject::Rows(members),
                    slot,
                    value,
                    negated,
                } => {
                    let about = members.iter().flatten().any(|row| row == name);
                    let wish = self.wishes.get(slot);
                    about && wish.is_some_and(|wish| value.contains(wish) == *negated)
                }
                _ => false,
            })
        };
        let fitting = names.iter().find(|name| !contradicts(name));
        match fitting {
            None if self.again => Some(names.first().cloned()),
            fitting => Some(fitting.cloned()),
        }
    }

    /// Whether it is the restaurant that the goal names.
    fn wanted(&self, name: &String) -> bool {
        self.active.get("name") == Some(name)
    }

    /// The item of the agenda that is next.
    fn next(&mut self) -> Utterance {
        let Some(name) = self.name.clone() else {
            if self.unsaid.is_empty() {
                return self.said(vec![Act::Suggest], "suggest");
            }
            let acts = self.inform(1);
            return self.said(acts, "more");
        };
        if !self.requests.is_empty() {
            let count = (1 + self.chance.below(2)).min(self.requests.len());
            let slots = self.requests.drain(..count).collect();
            return self.said(vec![Act::Request(name, slots)], "request");
        }
        if let Some(booking) = self.booking.clone().filter(|_| !self.booked) {
            let value = |slot: &str| booking.get(slot).cloned().unwrap_or_default();
            let act = Act::Book {
                name,
                day: value("day"),
                time: value("time"),
                people: value("people"),
            };
            return self.said(vec![act], "book");
        }
        if self.booked && self.reference == Wanted::Yes {
            self.reference = Wanted::Asked;
            return self.said(vec![Act::Reference], "reference");
        }
        self.end(Outcome::Done)
    }

    /// One or so many constraints that were not said.
    fn inform(&mut self, most: usize) -> Vec<Act> {
        let count = 1 + self.chance.below(most);
        let named = self.unsaid.last().is_some_and(|slot| slot == "name");
        let count = if named {
            1
        } else {
            count.min(self.unsaid.len())
        };
        let slots = self
            .unsaid
            .split_off(self.unsaid.len().saturating_sub(count));
        let acts = slots.into_iter().filter_map(|slot| {
            let value = self.active.get(&slot)?.clone();
            Some(Act::Inform(slot, value))
        });
        acts.collect()
    }
}
