use serde_json::{Map, Value as Json, json};

/// A value of a slot (section 2.2).
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A scalar.
    Plain(Json),
    /// A list.
    List(Vec<Value>),
    /// A record, by its variable.
    Record(String),
    /// A row of an answer: the query's variable, and which row.
    Row(String, usize),
    /// An answer that is not run yet, or that gave several rows to choose from.
    Result(String),
}

impl Value {
    /// Reads the JSON of section 2.2.
    pub fn of(json: &Json) -> Self {
        match json {
            Json::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Json::Object(map) if map.len() == 1 => {
                Self::reference(map).unwrap_or_else(|| Self::Plain(json.clone()))
            }
            other => Self::Plain(other.clone()),
        }
    }

    fn reference(map: &Map<String, Json>) -> Option<Self> {
        let (key, value) = map.iter().next()?;
        match (key.as_str(), value) {
            ("ref", Json::String(var)) => Some(Self::Record(var.clone())),
            ("result", Json::String(var)) => Some(Self::Result(var.clone())),
            ("row", Json::Array(pair)) => match pair.as_slice() {
                [Json::String(var), at] => {
                    let at = usize::try_from(at.as_u64()?).ok()?;
                    Some(Self::Row(var.clone(), at))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The JSON of section 2.2.
    pub fn json(&self) -> Json {
        match self {
            Self::Plain(json) => json.clone(),
            Self::List(items) => Json::Array(items.iter().map(Self::json).collect()),
            Self::Record(var) => json!({ "ref": var }),
            Self::Row(var, at) => json!({ "row": [var, at] }),
            Self::Result(var) => json!({ "result": var }),
        }
    }
}

/// A value as a program gives it: with `confirm(…)` around it, or without.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// What is given.
    pub value: Value,
    /// Whether `confirm(…)` stood around it.
    pub confirmed: bool,
}

impl Given {
    /// Reads the JSON of an operation: `{"confirm": value}`, or a value.
    pub fn of(json: &Json) -> Self {
        if let Json::Object(map) = json
            && map.len() == 1
            && let Some(inner) = map.get("confirm")
        {
            return Self {
                value: Value::of(inner),
                confirmed: true,
            };
        }
        Self {
            value: Value::of(json),
            confirmed: false,
        }
    }

    /// The JSON of an operation.
    pub fn json(&self) -> Json {
        if self.confirmed {
            json!({ "confirm": self.value.json() })
        } else {
            self.value.json()
        }
    }
}
