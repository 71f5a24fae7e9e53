//! YAML as JSON.

use crate::domain::with_room;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The deepest nesting, aliases filled in: less than what `serde_json` allows for JSON.
const MAX_DEPTH: usize = 100;

/// Reads a text of at most so many bytes.
pub(super) fn read(text: &str, max_bytes: usize) -> Result<Value, String> {
    let parse = || {
        let read =
            serde_saphyr::with_deserializer_from_str_with_options(text, options(max_bytes), |it| {
                Node { depth: 0 }.deserialize(it)
            });
        Some(read.map_err(|problem| {
            let problem = problem.to_string();
            if problem.contains("budget breached") || problem.contains("recursion limit") {
                return "the document is nested too deeply, or is too large, to be read as YAML"
                    .to_owned();
            }
            let first = problem.lines().next().unwrap_or("it cannot be read");
            format!("the document is not valid YAML: {first}")
        }))
    };
    // The parser needs up to 40 KB of stack for each level without optimisation.
    with_room(parse).unwrap_or_else(|| Err("the document cannot be read as YAML".to_owned()))
}

fn options(max_bytes: usize) -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_events: 8_000_000,
            max_nodes: 4_000_000,
            max_total_scalar_bytes: max_bytes,
        },
        // A country code `NO` and an answer `yes` are texts.
        strict_booleans: true,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    }
}

/// A part of a document, this deep. The parser counts the depth of the text alone; an alias
/// can stand within what another alias stands for.
struct Node {
    depth: usize,
}

impl Node {
    fn inner<E: Error>(&self) -> Result<Node, E> {
        match self.depth < MAX_DEPTH {
            true => Ok(Node {
                depth: self.depth + 1,
            }),
            false => Err(E::custom("it is nested too deeply")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Node {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node {
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
            read.insert(key, pairs.next_value_seed(self.inner()?)?);
        }
        Ok(Value::Object(read))
    }
}
