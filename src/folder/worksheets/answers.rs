//! Answers to what code in the sandbox asks of the dialogue state.

use super::stage::refusal;
use crate::domain::{Answer, Refusal, Value as Passed};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use worksheets::{Body, Desk, Op, SheetKind, Sheets, State, Value, variable};

/// The most operations of one run. A person's turn has a few.
const OPERATIONS: usize = 200;

/// What a run is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Mode {
    /// The program of a turn.
    Turn,
    /// The owner's action, with what `self` is.
    Action(Value),
    /// A backend call of a record. It only reads the dialogue state.
    Call(String),
}

/// What a run did to the dialogue state.
#[derive(Debug, Default)]
pub struct Done {
    /// The operations, in the order in which they were carried out.
    pub ops: Vec<Json>,
    /// The calls of the owner's functions, as text.
    pub calls: Vec<String>,
    /// The formal queries that came with questions, by the variables of these.
    pub sql: BTreeMap<String, String>,
}

/// Answers the calls of one run.
pub struct Answers<'a, 's> {
    pub sheets: &'s Sheets,
    pub desk: &'a mut Desk<'s>,
    pub mode: Mode,
    pub done: Done,
}

impl Answers<'_, '_> {
    /// Answers a call.
    pub fn answer(&mut self, operation: &str, params: &Passed) -> Answer {
        let Some(Json::Object(params)) = json_of(params) else {
            let why = "a form takes texts, numbers, yes and no, and lists of them";
            return Err(refusal("TypeError", why));
        };
        match self.answered(operation, &params) {
            Ok(json) => Ok(Passed::from_json(json)),
            Err(refused) => Err(refused),
        }
    }

    fn answered(&mut self, operation: &str, params: &Map<String, Json>) -> Result<Json, Refusal> {
        let text = |key: &str| params.get(key).and_then(Json::as_str).unwrap_or_default();
        match operation {
            "open" => Ok(self.open()),
            "read" => self.read(text("record"), text("field"), is_true(params, "up")),
            "rows" => Ok(self.rows(text("query"))),
            "plain" => Ok(worksheets::plain::record(
                self.sheets,
                self.desk.state(),
                text("record"),
            )),
            "calling" if self.mode != Mode::Turn => {
                self.done.calls.push(text("text").to_owned());
                Ok(Json::Null)
            }
            _ => self.apply(operation, params),
        }
    }

    /// What a program begins with.
    fn open(&self) -> Json {
        let tasks = || {
            let sheets = self.sheets.all().iter();
            sheets.filter(|sheet| sheet.kind == SheetKind::Task)
        };
        let (mut records, mut queries) = (Vec::new(), Vec::new());
        for record in &self.desk.state().records {
            match record.body {
                Body::Task(_) => records.push(&record.var),
                Body::Query(_) => queries.push(&record.var),
            }
        }
        let names: Vec<&str> = tasks().map(|sheet| sheet.name.as_str()).collect();
        let absent: Vec<String> = tasks().map(|sheet| variable(&sheet.name)).collect();
        let (mode, me) = match &self.mode {
            Mode::Turn => ("turn", Json::Null),
            Mode::Action(me) => ("action", self.got(me)),
            Mode::Call(record) => ("call", json!({"is": "record", "value": record})),
        };
        json!({
            "sheets": names, "absent": absent, "records": records, "queries": queries,
            "mode": mode, "self": me,
        })
    }

    fn state(&self) -> &State {
        self.desk.state()
    }

    /// A field of a record, or with `up` of the nearest record above that has such a field.
    fn read(&self, record: &str, field: &str, up: bool) -> Result<Json, Refusal> {
        let Some(var) = self.holder(record, field, up) else {
            if let Some((_, task)) = self.state().task(record).filter(|_| field == "result") {
                return Ok(plain(task.result.clone().unwrap_or_default()));
            }
            return Err(refusal(
                "AttributeError",
                format!(
                    "{record} has no field {field:?}, but {}",
                    self.fields(record)
                ),
            ));
        };
        let seen = worksheets::plain::field(self.sheets, self.state(), &var, field);
        let slot = self
            .state()
            .task(&var)
            .and_then(|(_, it)| it.fields.get(field));
        Ok(match slot.and_then(|slot| slot.value.as_ref()) {
            Some(value) if !seen.is_null() => self.got(value),
            _ => plain(seen),
        })
    }

    /// The record whose field is meant.
    fn holder(&self, record: &str, field: &str, up: bool) -> Option<String> {
        let mut at = record.to_owned();
        for _ in 0..=self.state().records.len() {
            let (_, task) = self.state().task(&at)?;
            if self.sheets.get(&task.sheet)?.field(field).is_some() {
                return Some(at);
            }
            let (above, _) = self.state().holder(&at).filter(|_| up)?;
            at = above.to_owned();
        }
        None
    }

    fn fields(&self, record: &str) -> String {
        let task = self.state().task(record).map(|(_, task)| task);
        let sheet = task.and_then(|task| self.sheets.get(&task.sheet));
        let fields = sheet.map_or(&[][..], |sheet| &sheet.fields).iter();
        let names: Vec<&str> = fields.map(|field| field.name.as_str()).collect();
        names.join(", ")
    }

    /// A value as the client reads it.
    fn got(&self, value: &Value) -> Json {
        match value {
            Value::Plain(json) => plain(json.clone()),
            Value::Record(var) => json!({"is": "record", "value": var}),
            Value::Row(var, at) => {
                let row = self.state().row(var, *at);
                json!({"is": "row", "value": [var, at], "row": row})
            }
            Value::Result(var) => {
                json!({"is": "result", "value": var, "rows": self.rows(var)})
            }
            Value::List(items) => {
                let items: Vec<Json> = items.iter().map(|item| self.got(item)).collect();
                json!({"is": "list", "value": items})
            }
        }
    }

    fn rows(&self, query: &str) -> Json {
        let query = self.state().query(query);
        query.map_or_else(|| json!([]), |query| json!(query.rows))
    }

    /// Carries out an operation on the dialogue state.
    fn apply(&mut self, operation: &str, params: &Map<String, Json>) -> Result<Json, Refusal> {
        if matches!(self.mode, Mode::Call(_)) {
            let why = "a backend call only reads the forms; an action may change them";
            return Err(refusal("TypeError", why));
        }
        if self.done.ops.len() >= OPERATIONS {
            let why = format!("a program can do {OPERATIONS} things to the forms at most");
            return Err(refusal("RuntimeError", why));
        }
        let mut op = params.clone();
        op.insert("op".to_owned(), operation.into());
        let sql = op
            .remove("sql")
            .and_then(|sql| Some(sql.as_str()?.to_owned()));
        let up = op.remove("up").is_some_and(|up| up == true);
        if let (Some(record), Some(field)) = (params.get("record"), params.get("field"))
            && let (Some(record), Some(field)) = (record.as_str(), field.as_str())
            && let Some(above) = self.holder(record, field, up)
        {
            op.insert("record".to_owned(), above.into());
        }
        let op = Json::Object(op);
        let unknown = |_| refusal("NameError", format!("name '{operation}' is not defined"));
        let read = Op::of(&op).map_err(unknown)?;
        let is_action = matches!(self.mode, Mode::Action(_));
        if is_action && matches!(read, Op::Answer { .. } | Op::Param { .. }) {
            return Err(refusal(
                "NameError",
                "an action asks no questions of the knowledge",
            ));
        }
        let made = self.desk.apply(&read);
        let made = made.map_err(|refused| refusal(refused.error, refused.message))?;
        if let (Some(var), Some(sql)) = (&made, sql) {
            self.done.sql.insert(var.clone(), sql);
        }
        self.done.ops.push(op);
        Ok(made.map_or(Json::Null, Json::from))
    }
}

fn is_true(params: &Map<String, Json>, key: &str) -> bool {
    params.get(key) == Some(&Json::Bool(true))
}

fn plain(json: Json) -> Json {
    json!({"is": "plain", "value": json})
}

/// A value of the boundary as JSON; none for one that JSON has not.
pub fn json_of(value: &Passed) -> Option<Json> {
    Some(match value {
        Passed::Null => Json::Null,
        Passed::Bool(truth) => (*truth).into(),
        Passed::Int(int) => (*int).into(),
        Passed::Float(float) => serde_json::Number::from_f64(*float)?.into(),
        Passed::Str(text) => text.as_str().into(),
        Passed::Time(time) => time.to_string().into(),
        Passed::List(items) => Json::Array(items.iter().map(json_of).collect::<Option<_>>()?),
        Passed::Map(pairs) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(key, it)| Some((key.to_string(), json_of(it)?)));
            Json::Object(pairs.collect::<Option<_>>()?)
        }
        Passed::BigInt(_) | Passed::Bytes(_) | Passed::File(_) => return None,
    })
}
