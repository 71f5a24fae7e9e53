//! What a traveller says: fields, and what they want of directions that are under way.

use serde_json::Value as Json;

use super::{FIELDS, Trip, Wish};
use crate::star::StarDialogue;
use crate::star::words::Words;

const MODES: [(&str, &[&str]); 3] = [
    ("Driving", &["driv*", "car"]),
    ("Walking", &["walk*", "foot"]),
    (
        "Transit",
        &["transit*", "bus", "public*", "train", "subway"],
    ),
];
/// A bus that the user is no more in says nothing of what follows.
const WRONG: &[&str] = &[
    "wrong bus",
    "wrong train",
    "missed the bus",
    "missed my bus",
    "on the bus",
    "off the bus",
    "bus stop",
];
const LOST: &[&str] = &["lost", "wrong bus", "wrong train", "middle of"];
const HERE: &[&str] = &[
    "lost",
    "wrong bus",
    "wrong train",
    "middle of",
    "here",
    "my location",
    "current*",
    "from",
];
const TIMES: &[&str] = &[
    "noon",
    "now",
    "morning",
    "afternoon",
    "evening",
    "tonight",
    "midnight",
    "immediately",
    "asap",
    "oclock",
    "am",
    "pm",
];
const TOWARDS: &[&str] = &[
    "directions to",
    "direction to",
    "go to",
    "going to",
    "get to",
];
/// Where the user has to be, which is no place that a map has.
const EVENTS: &[&str] = &[
    "interview",
    "date",
    "wedding",
    "dog",
    "party",
    "there",
    "work",
];
const DETAIL: &[&str] = &[
    "more help",
    "more direction*",
    "more instruct*",
    "more info*",
    "detail*",
    "understand*",
    "confus*",
    "lost",
    "not sure",
    "unclear",
    "explain*",
    "elaborat*",
    "what do you mean",
    "dont get",
    "clarif*",
    "describe*",
    "specific*",
    "more specific*",
    "unsure",
    "dont know",
    "cant find",
    "cant see",
];
const NEXT: &[&str] = &[
    "next",
    "proceed",
    "go on",
    "go ahead",
    "ready",
    "continue",
    "then",
    "keep going",
    "what now",
];

impl Trip {
    fn give(&mut self, field: &'static str, value: &str) {
        if !self.known.contains_key(field) {
            self.now
                .entry(field)
                .or_insert_with(|| value.trim().to_owned());
        }
    }

    pub(super) fn understand(&mut self, dialogue: &StarDialogue, turn: usize) {
        let Some(heard) = dialogue.turns.get(turn) else {
            return;
        };
        let (text, words) = (heard.user.as_str(), Words::of(&heard.user));
        let mode = MODES.iter().find(|(_, said)| words.has(said));
        if let Some((mode, _)) = mode.filter(|(mode, _)| *mode != "Transit" || !words.has(WRONG)) {
            self.give("travel_mode", mode);
        }
        for (key, field, _) in FIELDS {
            if let Some(Json::String(value)) = heard.derived_belief.get(key) {
                self.give(field, value);
            }
        }
        let timed = words.has(TIMES)
            || words.iter().any(|word| {
                word.ends_with(['m']) && word.starts_with(|c: char| c.is_ascii_digit())
            });
        if timed {
            self.give("departure_time", text);
        }
        let quoted: Vec<&str> = dialogue.user_task.split('\'').collect();
        let places = [(1, "departure_location"), (3, "arrival_location")];
        for (at, field) in places {
            if let Some(place) = quoted.get(at).filter(|place| words.say(place)) {
                self.give(field, place);
            }
        }
        if words.has(HERE) {
            self.give("departure_location", text);
        }
        if words.has(LOST) {
            self.give("departure_time", "now");
        }
        if words.has(TOWARDS) && !words.has(EVENTS) {
            self.give("arrival_location", text);
        }
        let prev = heard.prev_system.as_deref();
        let asked = FIELDS.iter().find(|(_, _, label)| prev == Some(label));
        if let Some((_, field, _)) = asked
            && !text.contains('?')
            && !(*field == "travel_mode" && (mode.is_none() || words.has(&["directions"])))
        {
            self.give(field, text);
        }
        let detail = words.has(DETAIL) || text.contains('?');
        let next = words.has(NEXT) && !words.has(&["detail*"]);
        let over = matches!(
            prev,
            Some("anything_else" | "goodbye_1" | "trip_instructions_done")
        );
        self.wish = match detail {
            _ if over && (!detail || words.is_farewell()) => None,
            true if !next => Some(Wish::Detail),
            _ => Some(Wish::Next),
        };
        self.leaves = words.has(&["bye", "goodbye"])
            || over && words.is_farewell() && prev != Some("trip_instructions_done");
    }
}
