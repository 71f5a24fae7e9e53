use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use super::{Body, By, Failed, Invalid, Query, Record, Slot, State, Status, Task, Value};
use crate::act::Act;

type Object = Map<String, Json>;

impl State {
    /// The JSON of section 2.2: what is usual is left out.
    pub fn json(&self) -> Json {
        json!({
            "turn": self.turn,
            "records": self.records.iter().map(Record::json).collect::<Vec<_>>(),
            "focus": self.focus,
            "acts": self.acts.iter().map(Act::to_string).collect::<Vec<_>>(),
        })
    }

    /// Reads the JSON of section 2.2. The error names what is wrong, and where.
    pub fn of(json: &Json) -> Result<Self, String> {
        let map = json.as_object().ok_or("a state is an object")?;
        let mut state = Self {
            turn: map.get("turn").and_then(Json::as_u64).unwrap_or(0),
            focus: texts(map, "focus")?,
            ..Self::default()
        };
        for text in texts(map, "acts")? {
            state.acts.push(Act::parse(&text)?);
        }
        let records = match map.get("records") {
            None => &[],
            Some(Json::Array(records)) => records.as_slice(),
            Some(_) => return Err("records is a list".to_owned()),
        };
        for record in records {
            let record = Record::of(record)?;
            if state.find(&record.var).is_some() {
                return Err(format!("there are two records {}", record.var));
            }
            state.records.push(record);
        }
        Ok(state)
    }
}

impl Record {
    fn json(&self) -> Json {
        let mut out = Object::new();
        out.insert("var".to_owned(), json!(self.var));
        match &self.body {
            Body::Task(task) => task.write(&mut out),
            Body::Query(query) => query.write(&mut out),
        }
        if self.status != Status::Open {
            out.insert("status".to_owned(), json!(self.status.name()));
        }
        Json::Object(out)
    }

    fn of(json: &Json) -> Result<Self, String> {
        let map = json.as_object().ok_or("a record is an object")?;
        let var = text(map, "var").ok_or("a record has a var")?;
        let named = |why: String| format!("{var}: {why}");
        let status = match text(map, "status").as_deref() {
            None | Some("open") => Status::Open,
            Some("proposed") => Status::Proposed,
            Some("done") => Status::Done,
            Some("exited") => Status::Exited,
            Some("failed") => Status::Failed,
            Some(other) => return Err(named(format!("{other} is no status"))),
        };
        let body = if map.contains_key("question") {
            Body::Query(Query::of(map).map_err(named)?)
        } else {
            Body::Task(Task::of(map).map_err(named)?)
        };
        Ok(Self { var, status, body })
    }
}

impl Task {
    fn write(&self, out: &mut Object) {
        out.insert("sheet".to_owned(), json!(self.sheet));
        if self.by == By::Agent {
            out.insert("by".to_owned(), json!("agent"));
        }
        let fields = self.fields.iter().filter(|(_, slot)| !slot.is_empty());
        let fields: Object = fields
            .map(|(name, slot)| (name.clone(), slot.json()))
            .collect();
        out.insert("fields".to_owned(), Json::Object(fields));
        if let Some(since) = self.since {
            out.insert("since".to_owned(), json!(since));
        }
        if let Some(result) = &self.result {
            out.insert("result".to_owned(), result.clone());
        }
        if let Some(Failed { error, message }) = &self.failed {
            let failed = json!({ "error": error, "message": message });
            out.insert("failed".to_owned(), failed);
        }
    }

    fn of(map: &Object) -> Result<Self, String> {
        let mut task = Self {
            sheet: text(map, "sheet").ok_or("a task record has a sheet, a query a question")?,
            by: match text(map, "by").as_deref() {
                Some("agent") => By::Agent,
                _ => By::User,
            },
            since: map.get("since").and_then(Json::as_u64),
            fields: IndexMap::new(),
            result: map.get("result").cloned(),
            failed: None,
        };
        if let Some(Json::Object(failed)) = map.get("failed") {
            task.failed = Some(Failed {
                error: text(failed, "error").unwrap_or_default(),
                message: text(failed, "message").unwrap_or_default(),
            });
        }
        if let Some(Json::Object(fields)) = map.get("fields") {
            for (name, slot) in fields {
                let slot = slot
                    .as_object()
                    .ok_or_else(|| format!("the slot {name} is an object"))?;
                task.fields.insert(name.clone(), Slot::of(slot));
            }
        }
        Ok(task)
    }
}

impl Slot {
    fn json(&self) -> Json {
        let mut out = Object::new();
        if let Some(value) = &self.value {
            out.insert("value".to_owned(), value.json());
        }
        for (name, mark) in [
            ("confirmed", self.confirmed),
            ("acted", self.acted),
            ("declined", self.declined),
        ] {
            if mark {
                out.insert(name.to_owned(), json!(true));
            }
        }
        if self.asked > 0 {
            out.insert("asked".to_owned(), json!(self.asked));
        }
        if let Some(Invalid { value, why }) = &self.invalid {
            let invalid = json!({ "value": value, "why": why });
            out.insert("invalid".to_owned(), invalid);
        }
        if let Some(stale) = &self.stale {
            out.insert("stale".to_owned(), stale.json());
        }
        Json::Object(out)
    }

    fn of(map: &Object) -> Self {
        let mark = |name: &str| map.get(name) == Some(&Json::Bool(true));
        let invalid = map.get("invalid").and_then(Json::as_object);
        Self {
            value: map.get("value").map(Value::of),
            confirmed: mark("confirmed"),
            acted: mark("acted"),
            declined: mark("declined"),
            asked: map.get("asked").and_then(Json::as_u64).unwrap_or(0),
            invalid: invalid.map(|invalid| Invalid {
                value: invalid.get("value").cloned().unwrap_or_default(),
                why: text(invalid, "why").unwrap_or_default(),
            }),
            stale: map.get("stale").map(Value::of),
        }
    }
}

impl Query {
    fn write(&self, out: &mut Object) {
        out.insert("question".to_owned(), json!(self.question));
        if let Some(error) = &self.error {
            out.insert("error".to_owned(), json!(error));
        }
        if !self.missing.is_empty() {
            out.insert("missing".to_owned(), json!(self.missing));
        }
        if !self.params.is_empty() {
            out.insert("params".to_owned(), json!(self.params));
        }
        if !self.tables.is_empty() {
            out.insert("tables".to_owned(), json!(self.tables));
        }
        if let Some(sql) = &self.sql {
            out.insert("sql".to_owned(), json!(sql));
        }
        if let Some(total) = self.total {
            out.insert("rows".to_owned(), json!(self.rows));
            out.insert("total".to_owned(), json!(total));
        }
    }

    fn of(map: &Object) -> Result<Self, String> {
        let params = match map.get("params") {
            Some(Json::Object(params)) => params
                .iter()
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
            _ => IndexMap::new(),
        };
        Ok(Self {
            question: text(map, "question").ok_or("a question is a text")?,
            error: text(map, "error"),
            missing: texts(map, "missing")?,
            params,
            tables: texts(map, "tables")?,
            sql: text(map, "sql"),
            rows: rows(map)?,
            total: map.get("total").and_then(Json::as_u64),
        })
    }
}

/// The rows of an answer: a list of objects.
pub(crate) fn rows(map: &Object) -> Result<Vec<Object>, String> {
    let rows = match map.get("rows") {
        None => return Ok(Vec::new()),
        Some(Json::Array(rows)) => rows,
        Some(_) => return Err("rows is a list".to_owned()),
    };
    rows.iter()
        .map(|row| row.as_object().cloned().ok_or("a row is an object".into()))
        .collect()
}

pub(crate) fn text(map: &Object, key: &str) -> Option<String> {
    map.get(key).and_then(Json::as_str).map(str::to_owned)
}

pub(crate) fn texts(map: &Object, key: &str) -> Result<Vec<String>, String> {
    match map.get(key) {
        None => Ok(Vec::new()),
        Some(Json::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or_else(|| format!("{key} is a list of texts")),
        Some(_) => Err(format!("{key} is a list of texts")),
    }
}
