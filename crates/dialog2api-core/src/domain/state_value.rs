//! States that are JSON: persistent values, whose copies cost nothing.

use super::{Map, Mark, Value, exact_json};
use indexmap::IndexMap;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The state of a world that is one JSON value. A clone shares everything with the original,
/// and a change copies only the containers that lead to it.
///
/// Objects keep the order of their keys. Two objects with the same pairs are equal whatever
/// the order; `1`, `1.0` and `true` are three different values.
///
/// ```
/// use dialog2api_core::domain::{StateChange, StateValue};
///
/// let before = StateValue::from_json(&serde_json::json!({"orders": {"a": {"items": [1]}}}));
/// let mut after = before.clone();
/// let key = |name: &str| name.to_owned().into();
/// after.apply(StateChange::Set {
///     path: vec![key("orders"), key("b")],
///     value: StateValue::Null,
/// })?;
/// assert_eq!(before.to_json(), serde_json::json!({"orders": {"a": {"items": [1]}}}));
/// assert_eq!(after.get(["orders", "b"]), Some(&StateValue::Null));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone)]
pub enum StateValue {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A finite float.
    Float(f64),
    /// Text.
    Text(Arc<str>),
    /// A list.
    List(Arc<Vec<StateValue>>),
    /// An object, with the order of its keys.
    Map(Arc<IndexMap<Arc<str>, StateValue>>),
}

/// A step from a container to something in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// To the value of a key.
    Key(String),
    /// To an item of a list.
    Index(usize),
}

impl From<String> for PathStep {
    fn from(key: String) -> Self {
        PathStep::Key(key)
    }
}

/// One change of a state.
#[derive(Debug, Clone, PartialEq)]
pub enum StateChange {
    /// The value at the path is another one. A new key comes last in its object.
    Set {
        /// Where.
        path: Vec<PathStep>,
        /// The new value.
        value: StateValue,
    },
    /// The key at the end of the path is gone.
    Remove {
        /// Where.
        path: Vec<PathStep>,
    },
    /// Items of the list at the path are replaced.
    Splice {
        /// Where the list is.
        path: Vec<PathStep>,
        /// The index of the first item.
        start: usize,
        /// How many items are taken out.
        removed: usize,
        /// The new values.
        values: Vec<StateValue>,
    },
}

impl StateValue {
    /// An empty object.
    pub fn empty() -> Self {
        StateValue::Map(Arc::default())
    }

    /// The state with this JSON. Integers beyond 64 bits become floats: files with such ones are
    /// refused before.
    pub fn from_json(json: &Json) -> Self {
        match json {
            Json::Null => StateValue::Null,
            Json::Bool(truth) => StateValue::Bool(*truth),
            Json::Number(number) => match number.as_i64() {
                Some(int) => StateValue::Int(int),
                None => StateValue::Float(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => StateValue::Text(text.as_str().into()),
            Json::Array(items) => {
                StateValue::List(Arc::new(items.iter().map(Self::from_json).collect()))
            }
            Json::Object(pairs) => {
                let pairs = pairs.iter();
                let pairs = pairs.map(|(key, value)| (key.as_str().into(), Self::from_json(value)));
                StateValue::Map(Arc::new(pairs.collect()))
            }
        }
    }

    /// The state as JSON.
    pub fn to_json(&self) -> Json {
        serde_json::to_value(self).expect("a state is JSON")
    }

    /// The state as a value that crosses the boundary of the sandbox.
    pub fn to_value(&self) -> Value {
        match self {
            StateValue::Null => Value::Null,
            StateValue::Bool(truth) => Value::Bool(*truth),
            StateValue::Int(int) => Value::Int(*int),
            StateValue::Float(float) => Value::Float(*float),
            StateValue::Text(text) => Value::Str(text.to_string()),
            StateValue::List(items) => Value::List(items.iter().map(Self::to_value).collect()),
            StateValue::Map(pairs) => {
                let pairs = pairs.iter();
                let pair = |(key, value): (&Arc<str>, &StateValue)| {
                    (key.to_string().into(), value.to_value())
                };
                Value::Map(pairs.map(pair).collect::<Map>())
            }
        }
    }

    /// The state that came over the boundary. `None` if it has what JSON does not have.
    pub fn from_value(value: Value) -> Option<Self> {
        Some(match value {
            Value::Null => StateValue::Null,
            Value::Bool(truth) => StateValue::Bool(truth),
            Value::Int(int) => StateValue::Int(int),
            Value::Float(float) if float.is_finite() => StateValue::Float(float),
            Value::Str(text) => StateValue::Text(text.into()),
            Value::List(items) => {
                let items = items.into_iter().map(Self::from_value);
                StateValue::List(Arc::new(items.collect::<Option<_>>()?))
            }
            Value::Map(pairs) => {
                let pairs = pairs.into_iter();
                let pairs =
                    pairs.map(|(key, value)| Some((Arc::from(&*key), Self::from_value(value)?)));
                StateValue::Map(Arc::new(pairs.collect::<Option<_>>()?))
            }
            Value::BigInt(_) | Value::Float(_) => return None,
            Value::Bytes(_) | Value::File(_) | Value::Time(_) => return None,
        })
    }

    /// The pairs of an object.
    pub fn pairs(&self) -> Option<&IndexMap<Arc<str>, StateValue>> {
        match self {
            StateValue::Map(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The value that these keys lead to.
    pub fn get<S: AsRef<str>>(&self, keys: impl IntoIterator<Item = S>) -> Option<&StateValue> {
        let mut keys = keys.into_iter();
        keys.try_fold(self, |value, key| value.pairs()?.get(key.as_ref()))
    }

    /// Whether two states are the same object, which can be told at once. A container that
    /// was changed is not the same as before.
    pub fn is_same(&self, other: &StateValue) -> bool {
        match (self, other) {
            (StateValue::List(one), StateValue::List(other)) => Arc::ptr_eq(one, other),
            (StateValue::Map(one), StateValue::Map(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Identifies the state: the start of the SHA-256 of its canonical JSON (RFC 8785), and
    /// the size of that JSON in bytes.
    pub fn mark(&self) -> Mark {
        let canonical = self.canonical();
        let hash: [u8; 32] = Sha256::digest(&canonical).into();
        Mark {
            tag: const_hex::encode(&hash[..16]),
            size: canonical.len() as u64,
            version: None,
            summary: None,
        }
    }

    /// The size of the state as JSON without spaces, in bytes. Unlike
    /// [`canonical`](Self::canonical) it copies nothing.
    pub fn json_size(&self) -> u64 {
        match self {
            StateValue::Null | StateValue::Bool(true) => 4,
            StateValue::Bool(false) => 5,
            StateValue::Int(int) => int.to_string().len() as u64,
            StateValue::Float(float) => Json::from(*float).to_string().len() as u64,
            StateValue::Text(text) => text_size(text),
            StateValue::List(items) => {
                let sizes = items.iter().map(|item| item.json_size() + 1);
                sizes.sum::<u64>().max(1) + 1
            }
            StateValue::Map(pairs) => {
                let pairs = pairs.iter();
                let sizes = pairs.map(|(key, value)| text_size(key) + value.json_size() + 2);
                sizes.sum::<u64>().max(1) + 1
            }
        }
    }

    /// The canonical JSON ([`exact_json`]).
    pub fn canonical(&self) -> Vec<u8> {
        exact_json(&self.to_json())
    }

    /// Makes a change.
    ///
    /// # Errors
    /// The path leads nowhere: a clause that says so. The state is as it was.
    pub fn apply(&mut self, change: StateChange) -> Result<(), String> {
        match change {
            StateChange::Set { path, value } => self.set(&path, value, None),
            StateChange::Remove { path } => {
                let (last, path) = path.split_last().ok_or("the state itself cannot go")?;
                let PathStep::Key(key) = last else {
                    return Err("an item of a list is taken out by a splice".to_owned());
                };
                let pairs = self.at(path)?.pairs_mut()?;
                pairs.shift_remove(key.as_str());
                Ok(())
            }
            StateChange::Splice {
                path,
                start,
                removed,
                values,
            } => {
                let StateValue::List(items) = self.at(&path)? else {
                    return Err("the path does not lead to a list".to_owned());
                };
                let end = start.saturating_add(removed);
                if end > items.len() {
                    return Err("the list is shorter".to_owned());
                }
                Arc::make_mut(items).splice(start..end, values);
                Ok(())
            }
        }
    }

    /// Sets the value at a path. A new key gets the place `at` among the keys of its object,
    /// or the last one.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn set(
        &mut self,
        path: &[PathStep],
        value: StateValue,
        at: Option<usize>,
    ) -> Result<(), String> {
        let Some((last, path)) = path.split_last() else {
            *self = value;
            return Ok(());
        };
        match (self.at(path)?, last) {
            (StateValue::List(items), PathStep::Index(index)) => {
                let slot = Arc::make_mut(items).get_mut(*index);
                *slot.ok_or("the list is shorter")? = value;
            }
            (container, PathStep::Key(key)) => {
                let pairs = container.pairs_mut()?;
                if let Some(slot) = pairs.get_mut(key.as_str()) {
                    *slot = value;
                } else {
                    let at = at.unwrap_or(pairs.len()).min(pairs.len());
                    pairs.shift_insert(at, key.as_str().into(), value);
                }
            }
            _ => return Err("the path does not lead to a list".to_owned()),
        }
        Ok(())
    }

    fn at(&mut self, path: &[PathStep]) -> Result<&mut StateValue, String> {
        let missing = || "the path leads nowhere".to_owned();
        path.iter()
            .try_fold(self, |value, step| match (value, step) {
                (StateValue::Map(pairs), PathStep::Key(key)) => Arc::make_mut(pairs)
                    .get_mut(key.as_str())
                    .ok_or_else(missing),
                (StateValue::List(items), PathStep::Index(index)) => {
                    Arc::make_mut(items).get_mut(*index).ok_or_else(missing)
                }
                _ => Err(missing()),
            })
    }

    fn pairs_mut(&mut self) -> Result<&mut IndexMap<Arc<str>, StateValue>, String> {
        match self {
            StateValue::Map(pairs) => Ok(Arc::make_mut(pairs)),
            _ => Err("the path does not lead to an object".to_owned()),
        }
    }
}

impl StateChange {
    /// At most so many bytes of JSON are added to a state by this change.
    pub fn json_size(&self) -> u64 {
        match self {
            StateChange::Set { path, value } => {
                let key = match path.last() {
                    Some(PathStep::Key(key)) => text_size(key) + 2,
                    Some(PathStep::Index(_)) | None => 0,
                };
                key + value.json_size()
            }
            StateChange::Remove { .. } => 0,
            StateChange::Splice { values, .. } => {
                values.iter().map(|value| value.json_size() + 1).sum()
            }
        }
    }
}

/// The size of a text in JSON, in bytes.
fn text_size(text: &str) -> u64 {
    let size = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..0x20 => 6,
        _ => 1,
    };
    2 + text.bytes().map(size).sum::<u64>()
}

impl PartialEq for StateValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (StateValue::Null, StateValue::Null) => true,
            (StateValue::Bool(one), StateValue::Bool(other)) => one == other,
            (StateValue::Int(one), StateValue::Int(other)) => one == other,
            (StateValue::Float(one), StateValue::Float(other)) => one.to_bits() == other.to_bits(),
            (StateValue::Text(one), StateValue::Text(other)) => one == other,
            (StateValue::List(one), StateValue::List(other)) => {
                Arc::ptr_eq(one, other) || one == other
            }
            (StateValue::Map(one), StateValue::Map(other)) => {
                Arc::ptr_eq(one, other) || one == other
            }
            _ => false,
        }
    }
}
