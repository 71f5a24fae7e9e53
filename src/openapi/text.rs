//! Reads values from JSON and YAML, with a limited depth.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// A text that was read.
pub(super) struct Text {
    pub root: Value,
    /// The keys that occur twice in one object, each with its path. The last value counts.
    pub repeated: Vec<String>,
}

impl Text {
    /// Reads the root of a document with at most so many levels. YAML's parser only limits the
    /// depth of the text, and aliases within aliases make the value deeper.
    pub(super) fn read<'de, D: Deserializer<'de>>(
        max_depth: usize,
        from: D,
    ) -> Result<Self, D::Error> {
        let path = RefCell::default();
        let node = Node {
            room: max_depth,
            path: &path,
        };
        let root = node.deserialize(from)?;
        Ok(Text {
            root,
            repeated: path.into_inner().repeated,
        })
    }
}

/// The position of the reader, and its findings.
#[derive(Default)]
struct Path {
    keys: Vec<String>,
    repeated: Vec<String>,
}

/// A part of a document that may have so many levels below it.
struct Node<'p> {
    room: usize,
    path: &'p RefCell<Path>,
}

impl Node<'_> {
    fn inner<E: Error>(&self) -> Result<Self, E> {
        match self.room.checked_sub(1) {
            Some(room) => Ok(Node {
                room,
                path: self.path,
            }),
            None => Err(E::custom("it is nested too deeply")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, int: i64) -> Result<Value, E> {
        Ok(Value::from(int))
    }

    fn visit_u64<E>(self, int: u64) -> Result<Value, E> {
        Ok(Value::from(int))
    }

    fn visit_i128<E>(self, int: i128) -> Result<Value, E> {
        Ok(Value::from(int as f64))
    }

    fn visit_u128<E>(self, int: u128) -> Result<Value, E> {
        Ok(Value::from(int as f64))
    }

    fn visit_f64<E>(self, float: f64) -> Result<Value, E> {
        Ok(Number::from_f64(float).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Value, E> {
        Ok(Value::String(String::from_utf8_lossy(bytes).into_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        self.deserialize(from)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        self.inner()?.deserialize(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(item) = items.next_element_seed(self.inner()?)? {
            read.push(item);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(key) = pairs.next_key::<String>()? {
            self.path.borrow_mut().keys.push(key.clone());
            let value = pairs.next_value_seed(self.inner()?)?;
            let mut path = self.path.borrow_mut();
            if read.insert(key, value).is_some() {
                let repeated = path.keys.join(" › ");
                path.repeated.push(repeated);
            }
            path.keys.pop();
        }
        Ok(Value::Object(read))
    }
}
