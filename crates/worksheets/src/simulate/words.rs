//! What the simulated user says, in plain words: enough to learn from which words the values of a
//! program come.

use serde_json::Value as Json;

use super::SimulatedTurn;
use super::random::Random;
use crate::act::Act;
use crate::agenda::Ended;
use crate::desk::{Desk, Op, snake};
use crate::fit::python_text;
use crate::sheets::{Sheets, Type};
use crate::state::{Given, State, Value};

/// Moves whose program is not what the user says: a model is to learn nothing from them.
const UNSAID: &[&str] = &[
    "confirms unasked",
    "speaks of what is closed",
    "is misunderstood",
];

impl SimulatedTurn {
    /// The user's words, drawn by a seed; none for a turn in which the program is not what a user
    /// says, or of which nothing counts.
    pub fn words(&self, sheets: &Sheets, seed: u64) -> Option<String> {
        if self.ended == Ended::Failed || UNSAID.contains(&self.did) {
            return None;
        }
        let mut words = Words {
            sheets,
            state: &self.before,
            desk: Desk::open(sheets, &self.before),
            random: Random::new(seed),
        };
        let mut parts: Vec<String> = Vec::new();
        for op in &self.ops {
            parts.extend(words.of(op));
            let _ = words.desk.apply(op);
        }
        if self.ended == Ended::EndDialog {
            parts.push(words.pick(&["Goodbye.", "That is all, bye.", "Thanks, bye!"]));
        }
        if parts.is_empty() {
            parts.push(words.pick(&["Hm.", "Okay.", "One moment.", "I see."]));
        }
        Some(parts.join(" "))
    }
}

struct Words<'a> {
    sheets: &'a Sheets,
    state: &'a State,
    /// The state as the program has come to it so far.
    desk: Desk<'a>,
    random: Random,
}

impl Words<'_> {
    fn pick(&mut self, of: &[&str]) -> String {
        self.random
            .pick(of)
            .map(|text| (*text).to_owned())
            .unwrap_or_default()
    }

    fn of(&mut self, op: &Op) -> Option<String> {
        Some(match op {
            Op::New { sheet, fields } => {
                let about = self.sheets.get(sheet).map_or("", |it| &it.description);
                let about = match about.trim_end_matches('.') {
                    "" => spaced(sheet),
                    about => about.to_owned(),
                };
                let begin = self.pick(&["I want this:", "Please:", "I would like to:"]);
                let mut said = format!("{begin} {about}");
                for (name, given) in fields {
                    if let Some(value) = self.value(&given.value) {
                        said += &format!(", {} {value}", spaced(name));
                    }
                }
                said + "."
            }
            Op::Set {
                record,
                field,
                value,
            } => return self.set(record, field, value),
            Op::Answer { question } => format!("{}?", question.trim_end_matches('?')),
            Op::Param { value, .. } => format!("{}.", python_text(value)),
            Op::Accept(_) => self.pick(&["Yes, please.", "Yes, go on.", "Good, do that."]),
            Op::Reject(_) => self.pick(&["No, thanks.", "No, not that."]),
            Op::Exit(record) => {
                let end = self.pick(&["Never mind", "Forget about", "I do not want it any more:"]);
                format!("{end} the {}.", spaced(record))
            }
            Op::Show(_) => self.pick(&["What do you have so far?", "What have I told you?"]),
            Op::Handoff(_) => self.pick(&["I want to talk to a person.", "A human, please."]),
            Op::Repeat => self.pick(&["Sorry, what did you say?", "Can you say that again?"]),
            Op::Say { .. } | Op::Propose { .. } => return None,
        })
    }

    fn set(&mut self, record: &str, name: &str, given: &Given) -> Option<String> {
        let is_about = |act: &Act| match act {
            Act::Ask(of, field) | Act::Confirm(of, field) => of == record && field == name,
            _ => false,
        };
        let is_asked = self.state.acts.iter().any(is_about);
        let called = spaced(name);
        let is_confirm = self
            .desk
            .field(record, name)
            .is_some_and(|field| field.ty == Type::Confirm);
        Some(match &given.value {
            Value::Plain(Json::Bool(true)) if is_confirm => {
                self.pick(&["Yes.", "Yes, please.", "That is right.", "Yes, do it."])
            }
            Value::Plain(_) if is_confirm => self.pick(&["No.", "No, that is wrong."]),
            Value::Plain(Json::Null) => format!("Forget the {called}."),
            Value::Plain(Json::String(text)) if text == "NA" && is_asked => {
                self.pick(&["I would rather not say.", "I won't say.", "I have none."])
            }
            Value::Plain(Json::String(text)) if text == "NA" => {
                format!("I do not want to say the {called}.")
            }
            value => {
                let value = self.value(value)?;
                if given.confirmed {
                    format!("Yes, {value}.")
                } else if is_asked {
                    let end = self.pick(&[".", ", please.", ", thanks."]);
                    format!("{value}{end}")
                } else {
                    let is = self.pick(&["is", "should be", "will be"]);
                    format!("The {called} {is} {value}.")
                }
            }
        })
    }

    /// A value as people say it; none for what other words say already.
    fn value(&self, value: &Value) -> Option<String> {
        match value {
            Value::Plain(Json::Bool(is_so)) => Some(if *is_so { "yes" } else { "no" }.to_owned()),
            Value::Plain(json) => Some(python_text(json)),
            Value::List(items) => {
                let items: Vec<String> = items.iter().filter_map(|it| self.value(it)).collect();
                Some(items.join(" and "))
            }
            Value::Row(var, at) => {
                let row = self.desk.state().row(var, *at)?;
                row.values().next().map(python_text)
            }
            // A form that is made in this turn, and a question that is asked in it, are said.
            Value::Record(var) => self.state.get(var).map(|_| format!("that {}", spaced(var))),
            Value::Result(var) => self.state.get(var).map(|_| "what you found".to_owned()),
        }
    }
}

/// A name as words: `courses_to_take` and `CoursesToTake` are "courses to take".
fn spaced(name: &str) -> String {
    snake(name).replace('_', " ")
}
