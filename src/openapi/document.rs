//! A document as it is written: JSON or YAML, and the references within it.

use super::text::Text;
use super::yaml;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

/// The largest document, in bytes. GitHub's has 13 million.
const MAX_BYTES: usize = 64 << 20;

/// The longest chain of references that is followed.
const MAX_HOPS: usize = 32;

/// The version of OpenAPI that a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenapiVersion {
    /// 2.0, which is called Swagger.
    V2,
    /// 3.0.
    V3,
    /// 3.1, and the later ones that read like it.
    V31,
}

/// A document, as it is written.
pub(super) struct Document {
    pub version: OpenapiVersion,
    pub root: Value,
    /// As [`Text::repeated`].
    pub repeated: Vec<String>,
}

/// Where a `$ref` leads.
pub(super) enum Target<'d> {
    /// To this part of the document.
    Here(&'d Value),
    /// Out of the document, or to a part that is missing. Nothing is fetched.
    Elsewhere,
}

impl Document {
    /// Reads a text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        if text.len() > MAX_BYTES {
            return Err(format!(
                "the document has {} MB, and at most {} MB are read",
                text.len() >> 20,
                MAX_BYTES >> 20
            ));
        }
        let Text { root, repeated } = read(text)?;
        let version = version(&root)?;
        Ok(Document {
            version,
            root,
            repeated,
        })
    }

    /// The part that a JSON pointer names, as it stands after `#` in a reference.
    fn at(&self, pointer: &str) -> Option<&Value> {
        let mut part = &self.root;
        let pointer = percent_decode_str(pointer).decode_utf8().ok()?;
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            part = match part {
                Value::Object(pairs) => pairs.get(&step)?,
                Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(part)
    }

    /// Follows a chain of references to its end. A chain that comes back to itself leads
    /// elsewhere.
    pub(super) fn resolve<'d>(&'d self, part: &'d Value) -> Target<'d> {
        let mut part = part;
        for _ in 0..MAX_HOPS {
            let Some(reference) = part.get("$ref") else {
                return Target::Here(part);
            };
            // A property may be called `$ref`; then it is a schema and no text.
            let Some(reference) = reference.as_str() else {
                return Target::Here(part);
            };
            let local = reference.strip_prefix('#');
            match local.and_then(|pointer| self.at(pointer)) {
                Some(next) => part = next,
                None => return Target::Elsewhere,
            }
        }
        Target::Elsewhere
    }

    /// The part behind the references, when it is in the document.
    pub(super) fn here<'d>(&'d self, part: &'d Value) -> Option<&'d Value> {
        match self.resolve(part) {
            Target::Here(part) => Some(part),
            Target::Elsewhere => None,
        }
    }

    /// An object of the document by its keys, from the root on; empty if there is none.
    pub(super) fn pairs(&self, keys: &[&str]) -> impl Iterator<Item = (&String, &Value)> {
        let start = Some(&self.root);
        let found = keys.iter().fold(start, |part, key| part?.get(key));
        found.and_then(Value::as_object).into_iter().flatten()
    }
}

/// The deepest nesting of JSON: what `serde_json` allows.
const MAX_JSON_DEPTH: usize = 127;

fn read(text: &str) -> Result<Text, String> {
    let is_json = text.trim_start().starts_with(['{', '[']);
    let mut parser = serde_json::Deserializer::from_str(text);
    let read = Text::read(MAX_JSON_DEPTH, &mut parser);
    let problem = match read.and_then(|read| parser.end().map(|()| read)) {
        Ok(read) => return Ok(read),
        Err(problem) => format!("the document is not valid JSON: {problem}"),
    };
    match yaml::read(text, MAX_BYTES) {
        // YAML also has braces.
        Err(_) if is_json => Err(problem),
        read => read,
    }
}

fn version(root: &Value) -> Result<OpenapiVersion, String> {
    let Some(root) = root.as_object() else {
        return Err("the document is not an OpenAPI document: it is not an object".to_owned());
    };
    let of = |key: &str| root.get(key).map(written);
    match (of("openapi"), of("swagger")) {
        (Some(version), _) if version == "3.0" || version.starts_with("3.0.") => {
            Ok(OpenapiVersion::V3)
        }
        (Some(version), _) if version.starts_with("3.") => Ok(OpenapiVersion::V31),
        (_, Some(version)) if version == "2" || version.starts_with("2.") => Ok(OpenapiVersion::V2),
        (Some(version), _) | (None, Some(version)) => Err(format!(
            "the document is written in version {version:?} of OpenAPI; 2.0, 3.0 and 3.1 are read"
        )),
        (None, None) => Err(format!(
            "the document is not an OpenAPI document: it has neither `openapi` nor `swagger`{}",
            has(root)
        )),
    }
}

fn has(root: &Map<String, Value>) -> String {
    let keys: Vec<String> = root.keys().take(5).map(|key| format!("{key:?}")).collect();
    match keys.is_empty() {
        true => String::new(),
        false => format!(", but {}", keys.join(", ")),
    }
}

/// A version, which YAML reads as a number where it has no quotes.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string().chars().take(20).collect(),
    }
}

pub(super) fn text<'v>(part: &'v Value, key: &str) -> Option<&'v str> {
    part.get(key).and_then(Value::as_str)
}

/// The truth value of a key; false where there is none.
pub(super) fn truth(part: &Value, key: &str) -> bool {
    part.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// The items of a key; none where there is no list.
pub(super) fn items<'v>(part: &'v Value, key: &str) -> &'v [Value] {
    part.get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The pairs of a key; none where there is no object.
pub(super) fn pairs<'v>(
    part: &'v Value,
    key: &str,
) -> impl Iterator<Item = (&'v String, &'v Value)> + use<'v> {
    let found = part.get(key).and_then(Value::as_object);
    found.into_iter().flatten()
}
