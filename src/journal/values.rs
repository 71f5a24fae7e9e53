//! The JSON form of values in the journal, from which they are restored exactly. Long
//! contents are stored separately.
//!
//! Values that JSON has stand for themselves. Others are objects with one `$` name:
//!
//! ```text
//! {"$bytes": base64}                 bytes
//! {"$content": sha256, "size": n}    bytes in the contents
//! {"$text": sha256, "size": n}       text in the contents
//! {"$time": "2024-01-01T00:00:00Z"}  a point in time
//! {"$float": "7ff8000000000000"}     a float that is not finite, as its bits
//! {"$pairs": [[name, value], …]}     a map with a repeated name
//! {"$json": "…"}                     a deeply nested value, as JSON text
//! ```
//!
//! A name in a map that begins with `$` gets a second `$`.

use super::contents::ContentStore;
use crate::domain::{Map, Value};
use crate::error::Result;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use serde_json::{Value as Json, json};
use std::collections::HashSet;

/// Longer bytes are stored in the contents.
const SHORT_BYTES: usize = 256;
/// Longer texts are stored in the contents, in bytes.
const SHORT_TEXT: usize = 4096;
/// Containers that nest deeper are written as text, because readers of JSON have a limit.
const DEEP: usize = 64;
/// No written value nests deeper.
const DEEPEST: usize = 1024;

/// Whether a value itself is stored in the contents.
pub fn is_long(value: &Value) -> bool {
    match value {
        Value::Bytes(bytes) => bytes.len() > SHORT_BYTES,
        Value::Str(text) => text.len() > SHORT_TEXT,
        _ => false,
    }
}

/// The JSON form of a value. Its long parts are in `contents` when this returns.
///
/// # Errors
/// [`Error::File`](crate::Error::File) if a content cannot be written.
pub fn to_json(value: &Value, contents: &ContentStore) -> Result<Json> {
    write(value, contents, 0)
}

/// The value with this JSON form.
///
/// # Errors
/// [`Error::Content`](crate::Error::Content) if the JSON has another shape or a content is damaged,
/// [`Error::File`](crate::Error::File) if a content is missing.
pub fn from_json(json: &Json, contents: &ContentStore) -> Result<Value> {
    read(json, contents, 0)
}

fn write(value: &Value, contents: &ContentStore, depth: usize) -> Result<Json> {
    let is_container = matches!(value, Value::List(_) | Value::Map(_));
    if is_container && depth >= DEEP {
        return Ok(json!({"$json": write(value, contents, 0)?.to_string()}));
    }
    Ok(match value {
        // Writes name files. Nobody else has the content of one.
        Value::Null | Value::File(_) => Json::Null,
        Value::Bool(truth) => Json::from(*truth),
        Value::Int(int) => Json::from(*int),
        Value::BigInt(digits) => json!({"$int": digits}),
        Value::Float(float) if float.is_finite() => Json::from(*float),
        Value::Float(float) => json!({"$float": format!("{:016x}", float.to_bits())}),
        Value::Str(text) if text.len() <= SHORT_TEXT => Json::from(text.as_str()),
        Value::Str(text) => {
            json!({"$text": contents.put(text.as_bytes())?, "size": text.len()})
        }
        Value::Bytes(bytes) if bytes.len() <= SHORT_BYTES => {
            json!({"$bytes": BASE64.encode(bytes)})
        }
        Value::Bytes(bytes) => json!({"$content": contents.put(bytes)?, "size": bytes.len()}),
        Value::Time(time) => json!({"$time": time.to_string()}),
        Value::List(items) => {
            let items = items.iter().map(|item| write(item, contents, depth + 1));
            Json::Array(items.collect::<Result<_>>()?)
        }
        Value::Map(pairs) => write_map(pairs, contents, depth)?,
    })
}

fn write_map(pairs: &Map, contents: &ContentStore, depth: usize) -> Result<Json> {
    let mut names = HashSet::new();
    if !pairs.iter().all(|(name, _)| names.insert(name)) {
        let pairs = pairs
            .iter()
            .map(|(name, value)| Ok(json!([name, write(value, contents, depth + 3)?])));
        return Ok(json!({"$pairs": pairs.collect::<Result<Vec<Json>>>()?}));
    }
    let pairs = pairs.iter().map(|(name, value)| {
        let name = match name.starts_with('$') {
            true => format!("${name}"),
            false => name.to_string(),
        };
        Ok((name, write(value, contents, depth + 1)?))
    });
    Ok(Json::Object(pairs.collect::<Result<_>>()?))
}

fn read(json: &Json, contents: &ContentStore, depth: usize) -> Result<Value> {
    if depth > DEEPEST {
        return Err(contents.no_value("nests too deeply"));
    }
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(int), _) => Value::Int(int),
            (None, Some(float)) if number.is_f64() => Value::Float(float),
            _ => return Err(contents.no_value("has a number that is too large")),
        },
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(items) => {
            let items = items.iter().map(|item| read(item, contents, depth + 1));
            Value::List(items.collect::<Result<_>>()?)
        }
        Json::Object(pairs) => {
            if let Some((name, inner)) = special(pairs) {
                return read_special(name, inner, json, contents, depth);
            }
            let pairs = pairs.iter().map(|(name, value)| {
                let name = match name.starts_with("$$") {
                    true => name.get(1..).unwrap_or_default(),
                    false => name.as_str(),
                };
                Ok((name.to_owned().into(), read(value, contents, depth + 1)?))
            });
            Value::Map(pairs.collect::<Result<_>>()?)
        }
    })
}

/// The `$` name and the value of an object that is no map.
fn special(pairs: &serde_json::Map<String, Json>) -> Option<(&str, &Json)> {
    let (name, inner) = pairs.iter().next()?;
    let name = name.strip_prefix('$')?;
    (!name.starts_with('$')).then_some((name, inner))
}

fn read_special(
    name: &str,
    inner: &Json,
    whole: &Json,
    contents: &ContentStore,
    depth: usize,
) -> Result<Value> {
    let wrong = || contents.no_value(&format!("has an invalid ${}", name.escape_debug()));
    if name == "pairs" {
        let items = inner.as_array().ok_or_else(wrong)?;
        let pairs = items
            .iter()
            .map(|item| match item.as_array().map(Vec::as_slice) {
                Some([Json::String(name), value]) => {
                    Ok((name.clone().into(), read(value, contents, depth + 3)?))
                }
                _ => Err(wrong()),
            });
        return Ok(Value::Map(pairs.collect::<Result<_>>()?));
    }
    let text = inner.as_str().ok_or_else(wrong)?;
    let kept = || {
        let size = whole.get("size").and_then(Json::as_u64).ok_or_else(wrong)?;
        contents.get(text, size)
    };
    Ok(match name {
        "bytes" => Value::Bytes(Bytes::from(BASE64.decode(text).map_err(|_| wrong())?)),
        "content" => Value::Bytes(kept()?),
        "text" => Value::Str(String::from_utf8(kept()?.to_vec()).map_err(|_| wrong())?),
        "int" => Value::integer(text).ok_or_else(wrong)?,
        "time" => Value::Time(text.parse().map_err(|_| wrong())?),
        "float" => {
            let bits = u64::from_str_radix(text, 16).map_err(|_| wrong())?;
            Value::Float(f64::from_bits(bits))
        }
        "json" => {
            let json: Json = serde_json::from_str(text).map_err(|_| wrong())?;
            read(&json, contents, depth + 1)?
        }
        _ => return Err(wrong()),
    })
}
