use std::collections::{BTreeMap, HashMap, VecDeque};
use std::convert::Infallible;

use serde_json::{Value as Json, json};

use super::Dialogue;
use crate::agenda::{Agenda, Effect, Ended, Host, Next, Settings, Turned, follow};
use crate::desk::{Desk, Op, Refused};
use crate::knowledge::{Knowledge, Words};
use crate::program::{self, Called};
use crate::sheets::Sheets;
use crate::state::State;

/// The owner's functions.
pub trait Backend {
    /// Makes a call. `loose` is the call with free texts by their presence alone, for backends
    /// that answer from a record.
    fn call(&mut self, called: &Called, loose: &Called) -> Effect;

    /// The state that the calls have led to.
    fn state(&mut self) -> Json;
}

/// A backend call that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// The call.
    pub called: Called,
    /// The call with free texts by their presence alone.
    pub loose: Called,
    /// What came of it.
    pub effect: Effect,
}

/// A turn that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The state before the turn.
    pub before: State,
    /// The state that the program left, with every new record in its place.
    pub programmed: State,
    /// The operations of the program.
    pub ops: Vec<Op>,
    /// The exception that ended the program.
    pub raised: Option<Refused>,
    /// What left the agenda.
    pub needed: Vec<Next>,
    /// The backend calls.
    pub calls: Vec<Made>,
    /// What came of the turn.
    pub turned: Turned,
}

/// A dialogue under way.
pub struct Play<'s, 'k> {
    sheets: &'s Sheets,
    settings: Settings,
    knowledge: &'k mut Knowledge<'s>,
    state: State,
    sql: BTreeMap<String, String>,
}

impl<'s, 'k> Play<'s, 'k> {
    /// Begins a dialogue.
    pub fn new(sheets: &'s Sheets, settings: Settings, knowledge: &'k mut Knowledge<'s>) -> Self {
        Self {
            sheets,
            settings,
            knowledge,
            state: State::default(),
            sql: BTreeMap::new(),
        }
    }

    /// The state after the last turn.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The formal queries that the programs so far had beside their questions.
    pub(crate) fn sql(&self) -> &BTreeMap<String, String> {
        &self.sql
    }

    /// Takes the formal queries of a result: those that a model wrote for a program's questions.
    pub(crate) fn take_sql(&mut self, result: Option<&Json>) {
        let queries = result.and_then(|result| result["queries"].as_array());
        let written = queries.into_iter().flatten().filter_map(|query| {
            let text = |name: &str| query[name].as_str().map(str::to_owned);
            text("var").zip(text("sql"))
        });
        self.sql.extend(written);
    }

    /// Goes on from another state.
    pub(crate) fn go_on_from(&mut self, state: &State, sql: &BTreeMap<String, String>) {
        self.state = state.clone();
        self.sql.clone_from(sql);
    }

    /// Plays the next turn.
    pub fn turn(&mut self, program: &str, backend: &mut dyn Backend) -> Played {
        let opened = Desk::open(self.sheets, &self.state);
        let carried = program::turn(opened.clone(), program);
        let ended = carried.ended();
        let (ops, raised) = (carried.ops, carried.raised);
        self.sql.extend(carried.sql);
        let mut placed = match ended {
            Ended::Failed => opened,
            _ => carried.desk.clone(),
        };
        if self.settings.adopts {
            placed.adopt();
        }
        let agenda = Agenda::begin(carried.desk, &self.state, ended, self.settings);
        let mut stage = Stage {
            sheets: self.sheets,
            knowledge: self.knowledge,
            sql: &self.sql,
            backend,
            needed: Vec::new(),
            calls: Vec::new(),
        };
        let turned = match follow(agenda, &mut stage) {
            Ok(turned) => turned,
            Err(never) => match never {},
        };
        let (needed, calls) = (stage.needed, stage.calls);
        let before = std::mem::replace(&mut self.state, turned.state.clone());
        Played {
            before,
            programmed: placed.state().clone(),
            ops,
            raised,
            needed,
            calls,
            turned,
        }
    }
}

type Reads = fn(&Sheets, &State, &str, &str) -> Result<Called, String>;

struct Stage<'a, 's> {
    sheets: &'s Sheets,
    knowledge: &'a mut Knowledge<'s>,
    sql: &'a BTreeMap<String, String>,
    backend: &'a mut dyn Backend,
    needed: Vec<Next>,
    calls: Vec<Made>,
}

impl Host for Stage<'_, '_> {
    type Error = Infallible;

    fn perform(&mut self, next: &Next, desk: Desk<'_>) -> Result<Effect, Infallible> {
        self.needed.push(next.clone());
        Ok(match next {
            Next::Query { query, .. } => {
                let params = desk.state().query(query).map(|query| query.params.clone());
                match self.sql.get(query) {
                    Some(sql) => {
                        let params = params.unwrap_or_default();
                        self.knowledge.ask_with(sql, &params, &mut Words)
                    }
                    None => Effect::NoAnswer("the program has no SQL for it".to_owned()),
                }
            }
            Next::Action { place, code, .. } => {
                let carried = program::action(desk, place, code);
                match carried.raised {
                    None => Effect::Ops(carried.ops),
                    Some(refused) => failed(refused.error, &refused.message),
                }
            }
            Next::Call { record, code, .. } => {
                let of = |read: Reads| read(self.sheets, desk.state(), record, code);
                match of(Called::of).and_then(|called| Ok((called, of(Called::loose)?))) {
                    Ok((called, loose)) => {
                        let effect = self.backend.call(&called, &loose);
                        self.calls.push(Made {
                            called,
                            loose,
                            effect: effect.clone(),
                        });
                        effect
                    }
                    Err(why) => failed("NotImplementedError", &why),
                }
            }
            Next::Acts(_) => Effect::Ops(Vec::new()),
        })
    }
}

fn failed(error: &str, message: &str) -> Effect {
    Effect::Failed {
        error: error.to_owned(),
        message: message.to_owned(),
    }
}

/// Answers calls as a dialogue has them. Equal calls are answered in their order, the last of
/// them again and again.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    answers: HashMap<String, VecDeque<Effect>>,
    /// The recorded call that a loose one stands for.
    known: HashMap<String, String>,
    made: Vec<Json>,
}

impl Recorded {
    /// The calls of a dialogue's results.
    pub fn of(dialogue: &Dialogue) -> Result<Self, String> {
        let mut out = Self::default();
        for (number, turn) in (1..).zip(&dialogue.turns) {
            let calls = turn.result.as_ref().and_then(|result| result.get("calls"));
            for call in calls.and_then(Json::as_array).into_iter().flatten() {
                let named = |why: String| format!("{}, turn {number}: {why}", dialogue.uid);
                let text = call.get("call").and_then(Json::as_str);
                let text = text.ok_or_else(|| named("a call has no text".to_owned()))?;
                let effect = Effect::of(call).map_err(named)?;
                let answers = out.answers.entry(text.to_owned()).or_default();
                answers.push_back(effect);
            }
        }
        Ok(out)
    }

    /// From now on a call that differs in free texts only is answered as this one.
    pub(crate) fn learn(&mut self, made: &Made) {
        let (loose, text) = (made.loose.to_string(), made.called.to_string());
        self.known.entry(loose).or_insert(text);
    }
}

impl Backend for Recorded {
    fn call(&mut self, called: &Called, loose: &Called) -> Effect {
        let mut text = called.to_string();
        if !self.answers.contains_key(&text)
            && let Some(known) = self.known.get(&loose.to_string())
        {
            text.clone_from(known);
        }
        let Some(answers) = self.answers.get_mut(&text) else {
            return failed("NotRecorded", "the recorded dialogue has no such call");
        };
        let effect = match answers.len() {
            0 | 1 => answers.front().cloned(),
            _ => answers.pop_front(),
        };
        let effect = effect.unwrap_or_else(|| failed("NotRecorded", "there is no answer"));
        if let Effect::Result(result) = &effect {
            self.made.push(json!({ "call": text, "result": result }));
        }
        effect
    }

    /// The calls that went through: the same calls in the same order lead to the same state.
    fn state(&mut self) -> Json {
        Json::Array(self.made.clone())
    }
}
