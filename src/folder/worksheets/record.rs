//! What is kept of a turn: the state after it with the reasons of its acts, and the record from
//! which the turn can be played again without model, sandbox or database.

use super::wording::field;
use crate::domain::Slate;
use crate::error::{Error, Result};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use worksheets::{
    Act, Agenda, Desk, Effect, Ended, Next, Op, Performed, Reason, Settings, Sheets, State, Turned,
    Type, consent_digest,
};

/// By variable of a record, a digest of the call and the values that the user was asked to agree
/// to. A session that goes on knows by it whether the yes still holds.
pub type Consents = BTreeMap<String, String>;

/// The state after a turn, with its acts.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    pub state: State,
    pub acts: Vec<Performed>,
    /// What is for the owner of the sheets, and what of it no act says.
    pub notes: Vec<String>,
    pub problems: Vec<String>,
    /// Whether the user has ended the dialogue.
    pub is_over: bool,
    /// The digest of the sheets that it is of; empty where that was not kept.
    pub sheets: String,
    pub consents: Consents,
}

impl Kept {
    /// What a turn came to, whose program ended like this.
    pub fn after(sheets: &str, turned: Turned, ended: &Ended) -> Kept {
        Kept {
            sheets: sheets.to_owned(),
            is_over: *ended == Ended::EndDialog,
            state: turned.state,
            acts: turned.acts,
            notes: turned.notes,
            problems: turned.problems.iter().map(ToString::to_string).collect(),
            consents: Consents::new(),
        }
    }

    /// Adds what the user is asked to agree to in this turn to what was asked `before`.
    #[must_use]
    pub fn asking(mut self, sheets: &Sheets, before: &Consents) -> Kept {
        let asked = self.acts.iter().filter_map(|performed| {
            let Act::Ask(var, name) = &performed.act else {
                return None;
            };
            let asked = field(sheets, &self.state, var, name)?;
            let is_whole = asked.ty == Type::Confirm;
            is_whole.then(|| (var.clone(), consent_digest(sheets, &self.state, var)))
        });
        let mut consents = before.clone();
        for (var, digest) in asked {
            // A yes to what cannot be told is for no call, whatever was shown before.
            match digest {
                Some(digest) => consents.insert(var, digest),
                None => consents.remove(&var),
            };
        }
        consents.retain(|var, _| {
            self.state
                .get(var)
                .is_some_and(|record| !record.is_closed())
        });
        self.consents = consents;
        self
    }
}

impl Kept {
    /// What a slate keeps.
    ///
    /// # Errors
    /// It is of another program.
    pub fn of(slate: &Slate) -> Result<Kept> {
        Kept::read(&slate.kept())
    }

    fn read(json: &Json) -> Result<Kept> {
        if json.is_null() {
            return Ok(Kept::default());
        }
        let state = State::of(&json["state"]).map_err(unreadable)?;
        let none = Vec::new();
        let reasons = json["reasons"].as_array().unwrap_or(&none);
        let acts = state.acts.iter().enumerate();
        let acts = acts.map(|(at, act)| Performed {
            act: act.clone(),
            reason: reasons.get(at).and_then(Json::as_str).and_then(reason),
        });
        let texts = |key: &str| {
            let texts = json[key].as_array().unwrap_or(&none).iter();
            texts
                .filter_map(|it| Some(it.as_str()?.to_owned()))
                .collect()
        };
        Ok(Kept {
            acts: acts.collect(),
            notes: texts("notes"),
            problems: texts("problems"),
            is_over: json["over"] == true,
            sheets: json["sheets"].as_str().unwrap_or_default().to_owned(),
            consents: consents(&json["consents"]),
            state,
        })
    }

    /// Whether all that the agent does is to ask its last question again, of what was before.
    pub fn is_repeated(&self) -> bool {
        matches!(self.acts.as_slice(), [only] if only.reason == Some(Reason::Repeat))
    }

    /// The same as JSON.
    pub fn json(&self) -> Json {
        let reasons = self.acts.iter();
        let reasons: Vec<Option<&str>> = reasons.map(|it| it.reason.map(Reason::name)).collect();
        json!({
            "state": self.state.json(), "reasons": reasons, "notes": self.notes,
            "problems": self.problems, "over": self.is_over, "sheets": self.sheets, "consents": self.consents,
        })
    }

    /// The outcome of the turn's program, as recorded dialogues have it: acts with their reasons,
    /// queries, calls, what is wrong with the sheets, and the exception of a program of which nothing counts.
    pub fn outcome(&self, effects: &[Json], raised: Option<&Json>) -> Json {
        let acts: Vec<String> = self.acts.iter().map(ToString::to_string).collect();
        let mut outcome = Map::new();
        outcome.insert("acts".to_owned(), json!(acts));
        let mut put = |key: &str, found: Vec<Json>| {
            if !found.is_empty() {
                outcome.insert(key.to_owned(), found.into());
            }
        };
        let queries = effects.iter().filter_map(|effect| {
            let mut query = json!({"var": effect.get("query")?, "sql": effect["sql"]});
            if let (Json::Object(query), Json::Object(got)) = (&mut query, &effect["got"]) {
                query.extend(got.clone());
            }
            Some(query)
        });
        put("queries", queries.collect());
        let calls = effects.iter().filter_map(|effect| {
            let made = effect["made"].as_array()?.iter();
            let made: Vec<&str> = made.filter_map(Json::as_str).collect();
            let mut call = json!({"call": made.join("; ")});
            for key in ["result", "field", "error", "message"] {
                if let Some(it) = effect.get(key) {
                    call[key] = it.clone();
                }
            }
            Some(call)
        });
        put("calls", calls.collect());
        put(
            "problems",
            self.problems.iter().map(|it| json!(it)).collect(),
        );
        let class = raised.and_then(|raised| raised["error"].as_str());
        if let Some(raised) = raised
            && class.is_some_and(|class| Ended::by(class) == Ended::Failed)
        {
            outcome.insert("raised".to_owned(), raised.clone());
        }
        Json::Object(outcome)
    }
}

/// The key of an effect that says whether its code wrote to the world.
pub const WROTE: &str = "wrote";

/// The record of a turn.
#[derive(Debug, Clone)]
pub struct Record {
    /// The state before it.
    pub before: State,
    /// What its program did.
    pub ops: Vec<Json>,
    /// The exception with which the program ended: its class and its message.
    pub raised: Option<Json>,
    /// What came of each step, in the form of the conformance cases.
    pub effects: Vec<Json>,
    /// Whether the user has just said yes to every call that wrote.
    pub is_agreed: bool,
    /// What the user had been asked to agree to before it.
    pub consents: Consents,
}

impl Record {
    /// The record as JSON.
    pub fn json(&self) -> Json {
        json!({
            "before": self.before.json(), "ops": self.ops, "raised": self.raised,
            "effects": self.effects, "agreed": self.is_agreed, "consents": self.consents,
        })
    }

    /// Reads the JSON of a record.
    ///
    /// # Errors
    /// It is of another program.
    pub fn read(json: &Json) -> Result<Record> {
        let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
        Ok(Record {
            before: State::of(&json["before"]).map_err(unreadable)?,
            ops: list("ops"),
            raised: json
                .get("raised")
                .filter(|raised| raised.is_object())
                .cloned(),
            effects: list("effects"),
            is_agreed: json["agreed"] == true,
            consents: consents(&json["consents"]),
        })
    }

    /// The records whose calls and actions wrote to the world.
    pub fn wrote(&self) -> Vec<String> {
        let wrote = self.effects.iter().filter(|effect| effect[WROTE] == true);
        let records = wrote.filter_map(|effect| {
            let place = effect["call"].as_str().or(effect["action"].as_str())?;
            Some(place.split('.').next().unwrap_or(place).to_owned())
        });
        records.collect()
    }

    /// Plays the turn again, with another end of its calls and of the actions that wrote: why they
    /// were not made.
    ///
    /// # Errors
    /// The record is of another program.
    pub fn without_calls(
        &self,
        (sheets, digest): (&Sheets, &str),
        settings: Settings,
        (error, message): (&str, &str),
    ) -> Result<(Kept, Vec<Json>)> {
        let mut desk = Desk::open(sheets, &self.before);
        for op in &self.ops {
            // What was carried out once is carried out again.
            let _ = desk.apply(&Op::of(op).map_err(unreadable)?);
        }
        let ended = ended(self.raised.as_ref());
        let mut agenda = Agenda::begin(desk, &self.before, ended.clone(), settings);
        let mut effects = Vec::new();
        loop {
            let step = match agenda.next() {
                Next::Acts(turned) => {
                    let kept = Kept::after(digest, turned, &ended);
                    return Ok((kept.asking(sheets, &self.consents), effects));
                }
                step => step,
            };
            let effect = match &step {
                Next::Call { record, .. } => {
                    let made = self.recorded(&step)["made"].take();
                    json!({"call": record, "error": error, "message": message, "made": made})
                }
                step => {
                    let recorded = self.recorded(step);
                    // What an action wrote is declined with the rest of the plan.
                    match (step, recorded[WROTE] == true) {
                        (Next::Action { place, .. }, true) => {
                            let place = place.to_string();
                            json!({"action": place, "error": error, "message": message})
                        }
                        _ => recorded,
                    }
                }
            };
            agenda.done(Effect::of(&effect).map_err(unreadable)?);
            effects.push(effect);
        }
    }

    /// What came of a step; nothing for one that was not made.
    fn recorded(&self, step: &Next) -> Json {
        let place = place(step);
        let found = self.effects.iter().find(|effect| {
            let mut place = place.as_object().into_iter().flatten();
            place.all(|(key, value)| effect.get(key) == Some(value))
        });
        found.cloned().unwrap_or_else(|| {
            let mut nothing = place;
            match step {
                Next::Query { .. } => nothing["got"] = json!({"error": "it was not asked"}),
                _ => nothing["ops"] = json!([]),
            }
            nothing
        })
    }
}

fn consents(json: &Json) -> Consents {
    let kept = json.as_object().into_iter().flatten();
    let kept = kept.filter_map(|(var, digest)| Some((var.clone(), digest.as_str()?.to_owned())));
    kept.collect()
}

/// How a program ended.
pub fn ended(raised: Option<&Json>) -> Ended {
    let class = raised.and_then(|raised| raised["error"].as_str());
    class.map_or(Ended::Kept, Ended::by)
}

/// A step, as effects name it.
pub fn place(step: &Next) -> Json {
    match step {
        Next::Query { query, text } => json!({"query": query, "text": text}),
        Next::Action { place, .. } => json!({"action": place.to_string()}),
        Next::Call { record, .. } => json!({"call": record}),
        Next::Acts(_) => Json::Null,
    }
}

fn reason(name: &str) -> Option<Reason> {
    use Reason::*;
    let all = [
        Invalid, Stale, Choose, Declined, Failed, Stuck, Refused, Again, Resume, Repeat,
    ];
    all.into_iter().find(|reason| reason.name() == name)
}

fn unreadable(problem: String) -> Error {
    Error::usage(format!(
        "what the session keeps of its forms cannot be read: {problem}"
    ))
}
