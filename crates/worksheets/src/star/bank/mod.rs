mod hear;

use hear::asked_in;
use indexmap::IndexMap;
use serde_json::{Value as Json, json};

use super::words::Words;
use super::{Label, Protocol, Side, StarDialogue, end, failed, latest, new, set, value};
use crate::act::Act;
use crate::agenda::{Effect, Ended, Next, Turned};
use crate::desk::Refused;
use crate::program::Carried;
use crate::state::{State, Status};

/// The user of the bank's dialogues and its backend.
#[derive(Default)]
pub(super) struct Bank {
    person: String,
    /// What was given before this turn; nothing where it was refused.
    known: Facts,
    now: Facts,
    prev: Option<String>,
    /// What the wizard asked for last in words of its own.
    own_words: Option<&'static str>,
    submitted: bool,
    greets: bool,
    leaves: bool,
}

type Facts = IndexMap<&'static str, Option<String>>;

/// Names in the data, fields, and the labels of their questions.
const FIELDS: [(&str, &str, &str); 7] = [
    ("FullName", "full_name", "ask_name"),
    ("AccountNumber", "account_number", "bank_ask_account_number"),
    ("PIN", "pin", "bank_ask_pin"),
    ("DateOfBirth", "date_of_birth", "bank_ask_dob"),
    (
        "SecurityAnswer1",
        "security_answer_1",
        "bank_ask_mothers_maiden_name",
    ),
    (
        "SecurityAnswer2",
        "security_answer_2",
        "bank_ask_childhood_pets_name",
    ),
    ("FraudReport", "fraud_report", "bank_ask_fraud_details"),
];

const SUBMITTED: &str = "bank_inform_fraud_report_submitted";
const UNKNOWN: &str = "bank_inform_cannot_authenticate";

/// The sheet and the field of the main sheet that a field stands below.
fn below(field: &str) -> Option<(&'static str, &'static str)> {
    match field {
        "account_number" | "pin" => Some(("FirstAuthentication", "first_authentication_details")),
        "date_of_birth" | "security_answer_1" | "security_answer_2" => {
            Some(("SecondAuthentication", "second_authentication_details"))
        }
        _ => None,
    }
}

impl Side for Bank {
    fn hear(&mut self, dialogue: &StarDialogue, turn: usize) {
        let Some(heard) = dialogue.turns.get(turn) else {
            return;
        };
        self.known.extend(std::mem::take(&mut self.now));
        let told = dialogue
            .events
            .iter()
            .filter(|event| event.kind == "instruct");
        let person = told
            .filter_map(|event| event.text.split_once("You are "))
            .next();
        let person = person.and_then(|(_, rest)| rest.split('.').next());
        self.person = person.unwrap_or_default().to_owned();
        let last = turn
            .checked_sub(1)
            .map_or(&[][..], |last| dialogue.after(last));
        let own = last
            .iter()
            .rev()
            .find(|event| event.kind == "wizard_custom");
        self.own_words = own.and_then(|event| asked_in(&Words::of(&event.text)));
        self.prev.clone_from(&heard.prev_system);
        self.submitted |= self.prev.as_deref() == Some(SUBMITTED);
        let words = Words::of(&heard.user);
        self.greets = turn == 0 && words.is_greeting();
        let prev = self.prev.as_deref();
        self.leaves = words.has(&["bye", "goodbye"])
            || self.submitted && (words.is_farewell() || prev == Some("anything_else"));
        self.understand(&heard.user, &heard.derived_belief);
    }

    fn state(&self) -> Json {
        let slots = |sheet: Option<&str>| {
            let of = self.known.iter();
            let of = of.filter(|(field, _)| below(field).map(|(sheet, _)| sheet) == sheet);
            let slots = of.map(|(field, value)| {
                let slot = match value {
                    Some(value) => json!({ "value": value }),
                    None => json!({ "declined": true }),
                };
                ((*field).to_owned(), slot)
            });
            slots.collect::<serde_json::Map<_, _>>()
        };
        let mut main = slots(None);
        let mut records = Vec::new();
        for (sheet, var, field) in [
            (
                "FirstAuthentication",
                "first_authentication",
                "first_authentication_details",
            ),
            (
                "SecondAuthentication",
                "second_authentication",
                "second_authentication_details",
            ),
        ] {
            let fields = slots(Some(sheet));
            if !fields.is_empty() {
                main.insert(field.to_owned(), json!({"value": {"ref": var}}));
                records.push(json!({"var": var, "sheet": sheet, "fields": fields}));
            }
        }
        let mut record = json!({"var": "main", "sheet": "Main", "fields": main});
        if self.submitted {
            record["status"] = json!("done");
        } else if self.prev.as_deref() == Some(UNKNOWN) {
            record["failed"] = json!({"error": "AuthenticationError", "message": "unknown"});
        }
        records.push(record);
        let focus: &[&str] = if self.submitted { &[] } else { &["main"] };
        json!({"turn": 1, "records": records, "focus": focus, "acts": []})
    }

    fn program(&self, on: &mut Carried<'_>) -> Result<(), Refused> {
        let open = latest(on.desk.state(), "Main", Status::Open).map(str::to_owned);
        let main = match open {
            None if self.now.is_empty() || !on.desk.state().records.is_empty() => None,
            None => Some(new(on, "Main", &json!({}))?),
            open => open,
        };
        if let Some(main) = main {
            for (field, value) in &self.now {
                let value = value.as_deref().map_or(json!("NA"), |value| json!(value));
                let Some((sheet, slot)) = below(field) else {
                    set(on, &main, field, &value)?;
                    continue;
                };
                match latest(on.desk.state(), sheet, Status::Open).map(str::to_owned) {
                    Some(record) => set(on, &record, field, &value)?,
                    None => {
                        let record = new(on, sheet, &json!({ *field: value }))?;
                        set(on, &main, slot, &json!({ "ref": record }))?;
                    }
                }
            }
        }
        end(self.leaves)
    }

    fn effect(&mut self, next: &Next, state: &State, _: Protocol) -> Effect {
        let Next::Call { record, .. } = next else {
            return Effect::Ops(Vec::new());
        };
        let held = |slot: &str| {
            let held = value(state, record, slot)?;
            held.get("ref")?.as_str().map(str::to_owned)
        };
        let given = |slot: &str, fields: &[&str]| {
            held(slot).is_some_and(|held| {
                fields
                    .iter()
                    .all(|field| value(state, &held, field).is_some())
            })
        };
        let second = ["date_of_birth", "security_answer_1", "security_answer_2"];
        match given("first_authentication_details", &["account_number", "pin"])
            || given("second_authentication_details", &second)
        {
            true => Effect::Result(json!({"status": "submitted"})),
            false => failed(
                "AuthenticationError",
                "the customer cannot be authenticated",
            ),
        }
    }

    fn label(&self, turned: &Turned, ended: &Ended) -> Label {
        let acts = || turned.acts.iter().map(|performed| &performed.act);
        let act = acts()
            .find(|act| act.is_question())
            .or_else(|| acts().next());
        match act {
            Some(Act::Ask(_, field)) => asked(field, self.greets),
            Some(Act::Report(record)) => {
                let task = turned.state.task(record);
                let wrong = task.is_some_and(|(_, task)| task.failed.is_some());
                let strict = if wrong { UNKNOWN } else { SUBMITTED };
                Label::one(strict, &[SUBMITTED, UNKNOWN])
            }
            _ if *ended == Ended::EndDialog => Label::none("goodbye_1"),
            _ => Label::none("anything_else"),
        }
    }

    fn act(&self, label: &str) -> Option<&'static str> {
        Some(match label {
            "ask_name" | "hello" => "Ask(main, full_name)",
            "bank_ask_account_number" => "Ask(main, first_authentication_details)",
            "bank_ask_pin" => "Ask(first_authentication, pin)",
            "bank_ask_dob" => "Ask(main, second_authentication_details)",
            "bank_ask_mothers_maiden_name" => "Ask(second_authentication, security_answer_1)",
            "bank_ask_childhood_pets_name" => "Ask(second_authentication, security_answer_2)",
            "bank_ask_fraud_details" => "Ask(main, fraud_report)",
            SUBMITTED | UNKNOWN => "Report(main)",
            _ => return None,
        })
    }
}

fn asked(field: &str, greets: bool) -> Label {
    match field {
        "full_name" if greets => Label::one("hello", &["ask_name", "hello"]),
        "full_name" => Label::one("ask_name", &["ask_name", "hello"]),
        "first_authentication_details" | "account_number" => {
            Label::one("bank_ask_account_number", &["bank_ask_account_number"])
        }
        "pin" => Label::one("bank_ask_pin", &["bank_ask_pin"]),
        "second_authentication_details" | "date_of_birth" => {
            Label::one("bank_ask_dob", &["bank_ask_dob", UNKNOWN])
        }
        "security_answer_1" => Label::one(
            "bank_ask_mothers_maiden_name",
            &["bank_ask_mothers_maiden_name", UNKNOWN],
        ),
        "security_answer_2" => Label::one(
            "bank_ask_childhood_pets_name",
            &["bank_ask_childhood_pets_name", UNKNOWN],
        ),
        _ => Label::one("bank_ask_fraud_details", &["bank_ask_fraud_details"]),
    }
}
