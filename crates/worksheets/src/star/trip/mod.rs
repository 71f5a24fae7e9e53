mod hear;

use indexmap::IndexMap;
use serde_json::{Value as Json, json};

use super::words::Words;
use super::{
    Label, Protocol, Side, StarDialogue, StarEvent, end, failed, latest, new, ops, set, value,
};
use crate::act::Act;
use crate::agenda::{Effect, Ended, Next, Place, Turned};
use crate::desk::Refused;
use crate::program::Carried;
use crate::state::{State, Status};

/// The user of the dialogues about directions and their backend.
#[derive(Default)]
pub(super) struct Trip {
    known: IndexMap<&'static str, String>,
    now: IndexMap<&'static str, String>,
    /// What the user wants of directions that are under way.
    wish: Option<Wish>,
    steps: Vec<String>,
    details: Vec<String>,
    /// The step that the wizard told last, and the agent.
    told: usize,
    own: usize,
    /// What the action of this turn said.
    said: Option<Said>,
    greets: bool,
    leaves: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Next,
    Detail,
}

#[derive(Clone, Copy)]
struct Said {
    detailed: bool,
    place: Where,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Before,
    Last,
    Behind,
}

/// Names in the data, fields, and the labels of their questions.
const FIELDS: [(&str, &str, &str); 4] = [
    ("TravelMode", "travel_mode", "trip_ask_travel_mode"),
    (
        "DepartureLocation",
        "departure_location",
        "ask_departure_location",
    ),
    (
        "ArrivalLocation",
        "arrival_location",
        "trip_ask_arrival_location",
    ),
    ("DepartureTime", "departure_time", "trip_ask_departure_time"),
];

const LAST: &[&str] = &[
    "trip_inform_last_step_and_done",
    "trip_inform_simple_step_ask_proceed",
    "trip_instructions_done",
];

impl Trip {
    /// Follows the steps that the wizard tells, by the words of the instructions.
    fn follow(&mut self, events: &[StarEvent], prev: Option<&str>) {
        for event in events
            .iter()
            .filter(|event| event.kind.starts_with("wizard"))
        {
            if event.kind == "wizard_draft" {
                continue;
            }
            let words = Words::of(&event.text);
            for told in [&self.steps, &self.details] {
                let found = told.iter().rposition(|step| words.say(step));
                self.told = self.told.max(found.map_or(0, |at| at + 1));
            }
        }
        let of_step = prev.is_some_and(|label| label.contains("_step") || label == LAST[2]);
        if of_step {
            self.told = self.told.max(1);
        }
    }

    /// The instructions that the backend gave up to now, else those that it will give.
    fn look_up(&mut self, dialogue: &StarDialogue, turn: usize) {
        let next = dialogue
            .turns
            .get(turn + 1)
            .map_or(dialogue.events.len(), |next| next.event);
        let (now, later) = dialogue.events.split_at(next.min(dialogue.events.len()));
        let items = now
            .iter()
            .rev()
            .chain(later)
            .filter_map(|event| event.item.as_ref());
        let lists = |detailed: bool| {
            let of = items.clone().flatten();
            let mut of = of.filter(|(key, value)| {
                let matches = key.ends_with("Instructions") && value.is_array();
                matches && key.starts_with("Detailed") == detailed
            });
            let list = of.next().and_then(|(_, value)| value.as_array());
            let texts = list.into_iter().flatten().filter_map(Json::as_str);
            texts.map(str::to_owned).collect::<Vec<_>>()
        };
        self.steps = lists(false);
        self.details = lists(true);
    }

    fn step(&mut self, number: usize, detailed: bool) -> Effect {
        if self.steps.is_empty() {
            return failed("NothingFound", "there is no route");
        }
        self.own = number;
        let text = match detailed {
            true => self
                .details
                .get(number - 1)
                .or_else(|| self.steps.get(number - 1)),
            false => self.steps.get(number - 1),
        };
        let place = match number.cmp(&self.steps.len()) {
            std::cmp::Ordering::Less => Where::Before,
            std::cmp::Ordering::Equal => Where::Last,
            std::cmp::Ordering::Greater => Where::Behind,
        };
        self.said = Some(Said { detailed, place });
        match text {
            Some(text) => ops(&[
                json!({"op": "say", "text": text}),
                json!({"op": "propose", "sheet": "ContinueDetails", "fields": {"current_step": number}}),
            ]),
            None => ops(&[json!({"op": "say", "text": "There are no more directions."})]),
        }
    }
}

impl Side for Trip {
    fn hear(&mut self, dialogue: &StarDialogue, turn: usize) {
        let Some(heard) = dialogue.turns.get(turn) else {
            return;
        };
        self.known.extend(std::mem::take(&mut self.now));
        self.said = None;
        if let Some(last) = turn.checked_sub(1) {
            self.look_up(dialogue, last);
            self.follow(dialogue.after(last), heard.prev_system.as_deref());
        }
        self.look_up(dialogue, turn);
        self.greets = turn == 0 && Words::of(&heard.user).is_greeting();
        self.understand(dialogue, turn);
    }

    fn state(&self) -> Json {
        let fields = self.known.iter();
        let fields = fields.map(|(field, value)| ((*field).to_owned(), json!({"value": value})));
        let fields: serde_json::Map<_, _> = fields.collect();
        let travel =
            json!({"var": "travel_information", "sheet": "TravelInformation", "fields": fields});
        if self.told == 0 {
            return json!({"turn": 1, "records": [travel], "focus": ["travel_information"], "acts": []});
        }
        let mut travel = travel;
        travel["status"] = json!("done");
        let going = json!({
            "var": "continue_details", "sheet": "ContinueDetails", "by": "agent",
            "status": "proposed", "since": 1, "fields": {"current_step": {"value": self.told}},
        });
        json!({"turn": 1, "records": [travel, going], "focus": [], "acts": []})
    }

    fn program(&self, on: &mut Carried<'_>) -> Result<(), Refused> {
        let of = |status| latest(on.desk.state(), "TravelInformation", status).map(str::to_owned);
        if let (Some(_), Some(wish)) = (of(Status::Done), self.wish) {
            let going = latest(on.desk.state(), "ContinueDetails", Status::Proposed);
            let going = match going.map(str::to_owned) {
                Some(going) => going,
                None => new(on, "ContinueDetails", &json!({}))?,
            };
            set(on, &going, "show_next_step", &json!(wish == Wish::Next))?;
        } else if of(Status::Done).is_none() && !self.now.is_empty() {
            let travel = match of(Status::Open) {
                Some(travel) => travel,
                None => new(on, "TravelInformation", &json!({}))?,
            };
            for (field, value) in &self.now {
                set(on, &travel, field, &json!(value))?;
            }
        }
        end(self.leaves)
    }

    fn effect(&mut self, next: &Next, state: &State, protocol: Protocol) -> Effect {
        let Next::Action { place, sheet, .. } = next else {
            return Effect::Ops(Vec::new());
        };
        let told = match protocol {
            Protocol::Own => self.own,
            Protocol::Gold => self.told,
        };
        let going = matches!(place, Place::Record(record)
            if value(state, record, "show_next_step") == Some(json!(false)));
        match (sheet.as_str(), going) {
            ("ContinueDetails", true) => self.step(told.max(1), true),
            _ => self.step(told + 1, false),
        }
    }

    fn label(&self, turned: &Turned, ended: &Ended) -> Label {
        let acts = || turned.acts.iter().map(|performed| &performed.act);
        match acts().find(|act| matches!(act, Act::Ask(..))) {
            Some(Act::Ask(_, field)) => return asked(field, self.greets),
            _ if acts().any(|act| matches!(act, Act::Report(_))) => {
                return Label::one("trip_inform_nothing_found", &["trip_inform_nothing_found"]);
            }
            _ => {}
        }
        let simple = &["trip_inform_simple_step_ask_proceed"];
        match self.said {
            Some(Said {
                place: Where::Behind,
                ..
            }) => Label::one(LAST[2], LAST),
            Some(Said {
                place: Where::Last, ..
            }) => Label::one(LAST[0], LAST),
            Some(Said { detailed: true, .. }) => Label::one("trip_inform_detailed_step", simple),
            Some(_) => Label::one(simple[0], simple),
            None if *ended == Ended::EndDialog => Label::none("goodbye_1"),
            None => Label::none("anything_else"),
        }
    }

    fn act(&self, label: &str) -> Option<&'static str> {
        Some(match label {
            "trip_ask_travel_mode" | "hello" => "Ask(travel_information, travel_mode)",
            "ask_departure_location" => "Ask(travel_information, departure_location)",
            "trip_ask_arrival_location" => "Ask(travel_information, arrival_location)",
            "trip_ask_departure_time" => "Ask(travel_information, departure_time)",
            "trip_inform_simple_step_ask_proceed" | "trip_inform_detailed_step" => {
                "Propose(continue_details)"
            }
            _ => return None,
        })
    }
}

fn asked(field: &str, greets: bool) -> Label {
    match field {
        "departure_location" => Label::one("ask_departure_location", &["ask_departure_location"]),
        "arrival_location" => {
            Label::one("trip_ask_arrival_location", &["trip_ask_arrival_location"])
        }
        "departure_time" => Label::one("trip_ask_departure_time", &["trip_ask_departure_time"]),
        _ if greets => Label::one("hello", &["trip_ask_travel_mode", "hello"]),
        _ => Label::one("trip_ask_travel_mode", &["trip_ask_travel_mode", "hello"]),
    }
}
