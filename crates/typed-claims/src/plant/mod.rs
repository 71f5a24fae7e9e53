//! Plants errors into true replies, to measure whether a checker finds them.
//!
//! The recorded acts decide which turn is edited, and what in it; the checker has no part in that.
//! Each edit makes one copy of the reply, and says what is wrong with the copy.

mod added;
mod booking;
mod counts;
mod edit;
mod lists;
mod measure;
mod names;
mod values;

pub(crate) use edit::title;
use serde_json::Value as Json;

pub use lists::lists;
pub use measure::{Measured, Operator, measure};

use crate::chance::Chance;
use crate::dialogues::{Dialogue, Speaker, Turn};
use crate::{Flags, Row};

/// A copy of a reply with one error.
#[derive(Debug, Clone, PartialEq)]
pub struct Planted {
    /// The kind of error, as `area_swap`.
    pub operator: &'static str,
    /// The reply with the error.
    pub reply: String,
    /// What the reply is now.
    pub label: Label,
    /// The results of programs before the reply, if they matter: first as they were for the
    /// untouched reply, then for the copy.
    pub results: Option<(Json, Json)>,
}

/// What is wrong with an edited reply. Grounding is read by vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// It contradicts nothing.
    pub aligned: bool,
    /// It adds nothing; `None` where the edit does not say.
    pub grounded: Option<bool>,
    /// It says what earlier turns said.
    pub consistent: bool,
    /// Its bookings are those of the programs.
    pub booking: bool,
    /// Its whole lists are whole.
    pub complete: bool,
}

impl Label {
    /// An error of alignment, of grounding, or of both.
    const fn of(aligned: bool, grounded: Option<bool>) -> Self {
        Label {
            aligned,
            grounded,
            consistent: true,
            booking: true,
            complete: true,
        }
    }

    /// Whether a checker finds something wrong of the kind that is wrong.
    pub fn found(&self, flags: &Flags) -> bool {
        ((!self.aligned || self.grounded == Some(false)) && !flags.correct())
            || (!self.consistent && !flags.consistent)
            || (!self.booking && flags.booking == Some(false))
            || (!self.complete && !flags.complete)
    }

    /// Whether a checker's verdicts on alignment and grounding are these.
    pub fn agrees(&self, flags: &Flags) -> bool {
        self.aligned == flags.aligned
            && self
                .grounded
                .is_none_or(|grounded| grounded == flags.grounded)
    }
}

/// A turn of a dialogue, and what its acts say.
struct Site<'a> {
    turn: &'a Turn,
    /// The turns before it.
    before: &'a [Turn],
    rows: &'a [Row],
    /// The one row that the acts name.
    row: Option<&'a Row>,
}

/// The acts that state something of a row.
const STATE: [&str; 2] = ["Inform", "Recommend"];

/// The names that acts and rows give slots.
const SLOTS: [(&str, &str); 6] = [
    ("area", "area"),
    ("price", "pricerange"),
    ("food", "food"),
    ("phone", "phone"),
    ("addr", "address"),
    ("post", "postcode"),
];

/// Plants every error that fits a turn of the desk, the `at`-th of the dialogue.
pub fn plant(dialogue: &Dialogue, at: usize, rows: &[Row], seed: u64) -> Vec<Planted> {
    let Some(turn) = dialogue
        .turns
        .get(at)
        .filter(|turn| turn.speaker == Speaker::System)
    else {
        return Vec::new();
    };
    let mut chance = Chance::new("trust-plant/1", seed, &format!("{}/{at}", dialogue.id));
    let site = Site {
        turn,
        before: dialogue.turns.get(..at).unwrap_or_default(),
        rows,
        row: subject(turn, rows).or_else(|| earlier(dialogue, at, rows)),
    };
    let mut planted = Vec::new();
    if site.is_true() {
        planted.extend(values::plant(&site, &mut chance));
        planted.extend(names::plant(&site, &mut chance));
        planted.extend(counts::plant(&site, &mut chance));
        planted.extend(added::plant(&site, &mut chance));
    }
    planted.extend(booking::plant(&site, &mut chance));
    planted
}

/// A true reply and a copy of it with one error, and what was said before.
#[derive(Debug, Clone)]
pub struct Pair<'d> {
    /// The dialogue, and which of its turns: none for a list that is of no dialogue.
    pub place: Option<(&'d Dialogue, usize)>,
    /// The reply as it was said.
    pub untouched: String,
    /// The copy.
    pub planted: Planted,
}

impl<'d> Pair<'d> {
    /// The turns before the reply.
    pub fn before(&self) -> &'d [Turn] {
        let turns = self
            .place
            .and_then(|(dialogue, at)| dialogue.turns.get(..at));
        turns.unwrap_or_default()
    }
}

/// Every error that fits a turn of these dialogues, and every list that leaves a row out: the
/// corpus by which checkers are compared.
pub fn pairs<'d>(dialogues: &'d [Dialogue], rows: &[Row], seed: u64) -> Vec<Pair<'d>> {
    let mut pairs = Vec::new();
    for dialogue in dialogues {
        for (at, turn) in dialogue.turns.iter().enumerate() {
            let planted = plant(dialogue, at, rows, seed).into_iter();
            pairs.extend(planted.map(|planted| Pair {
                place: Some((dialogue, at)),
                untouched: turn.text.clone(),
                planted,
            }));
        }
    }
    for (first, second) in LISTS {
        let listed = lists(rows, first, second).into_iter();
        pairs.extend(listed.map(|(untouched, planted)| Pair {
            place: None,
            untouched,
            planted,
        }));
    }
    pairs
}

/// The slots by which lists are made.
const LISTS: [(&str, &str); 2] = [("food", "area"), ("pricerange", "area")];

/// The row that the desk named last, for a turn that names none.
fn earlier<'r>(dialogue: &Dialogue, at: usize, rows: &'r [Row]) -> Option<&'r Row> {
    let names = |turn: &Turn| {
        let acts = turn.acts.values().flatten();
        acts.into_iter()
            .any(|(slot, _)| slot.eq_ignore_ascii_case("name"))
    };
    let mut turns = dialogue.turns.get(..=at)?.iter().rev();
    let last = turns.find(|turn| names(turn))?;
    let here = dialogue.turns.get(at)?;
    (!names(here) && last.speaker == Speaker::System).then(|| subject(last, rows))?
}

/// The one row that the acts of a turn name and its text, too, unless its name begins another's.
fn subject<'r>(turn: &Turn, rows: &'r [Row]) -> Option<&'r Row> {
    let mut named = turn.values(&STATE, "name");
    named.dedup();
    let [name] = named.as_slice() else {
        return None;
    };
    let row = rows.iter().find(|row| row.get("name") == Some(name))?;
    let longer = format!("{name} ");
    let begins = |other: &Row| {
        other
            .get("name")
            .is_some_and(|other| other.starts_with(&longer))
    };
    let stands = edit::replace(&turn.text, name, name).is_some();
    (stands && !rows.iter().any(begins)).then_some(row)
}

impl Site<'_> {
    /// The value that the acts give a slot of the row.
    fn said(&self, slot: &str) -> Vec<String> {
        let acts = SLOTS.iter().find(|(_, of)| *of == slot);
        acts.map(|(act, _)| self.turn.values(&STATE, act))
            .unwrap_or_default()
    }

    /// Whether the row has every value that the acts give it. The values of a turn that counts or
    /// denies rows are about those rows.
    fn is_true(&self) -> bool {
        let Some(row) = self.row else {
            return true;
        };
        let plain = |text: &String| text.chars().filter(|c| c.is_alphanumeric()).collect();
        SLOTS.iter().take(3).all(|(_, slot)| {
            let has: Option<String> = row.get(*slot).map(plain);
            let said = self.said(slot);
            said.iter().map(plain).all(|said: String| Some(said) == has)
        })
    }

    /// Whether the turn says of other rows than its subject, too.
    fn counts(&self) -> bool {
        let acts = ["Inform", "Recommend", "Select", "NoOffer"];
        !self.turn.values(&acts, "choice").is_empty()
            || self.turn.acts.keys().any(|act| act.ends_with("NoOffer"))
    }
}
