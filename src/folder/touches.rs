//! The records that calls name.

use super::definition::Definition;
use super::python_json;
use super::world::{REMOVE, SET};
use crate::domain::{Map, Place, Target, Touches, Value};
use std::collections::BTreeMap;

/// The records that calls name, by the templates in `[places]` of `domain.toml`.
pub struct FolderTouches {
    templates: BTreeMap<String, Vec<Segment>>,
}

/// A segment of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// A text that stands for itself.
    Text(String),
    /// The value of a parameter.
    Parameter(String),
}

impl FolderTouches {
    /// The templates of a definition.
    pub fn new(definition: &Definition) -> Self {
        let places = definition.places.iter();
        FolderTouches {
            templates: places
                .map(|(operation, template)| (operation.clone(), segments(template)))
                .collect(),
        }
    }
}

/// The segments of a template such as `orders/{order_id}`.
pub fn segments(template: &str) -> Vec<Segment> {
    let parts = template.split('/').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let name = part
                .strip_prefix('{')
                .and_then(|part| part.strip_suffix('}'));
            match name {
                Some(name) => Segment::Parameter(name.to_owned()),
                None => Segment::Text(part.to_owned()),
            }
        })
        .collect()
}

/// The targets of a call that names a path, whose unreadable segments are `None`.
///
/// Which record such a path names is not known. A call that writes then names no place to
/// write to, and is denied. One that reads may read anything: it has to be allowed to read the
/// world as a whole, and what of its path can be read.
fn targets(path: impl Iterator<Item = Option<String>>) -> Vec<Target> {
    let mut known: Vec<String> = Vec::new();
    for segment in path {
        let Some(segment) = segment else {
            let read = [Place::default(), Place::new(known)];
            return read.map(Target::source).into();
        };
        known.push(segment);
    }
    vec![Target::object(Place::new(known))]
}

/// A value as a segment of a path; `None` for what cannot be one, such as a list. To Python
/// 1, 1.0 and True are equal, so a call could name the same record by each of them: they are
/// the same segment.
fn segment(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.clone()),
        Value::Int(int) => Some(int.to_string()),
        Value::Bool(truth) => Some(i64::from(*truth).to_string()),
        // The sum makes 0.0 of -0.0.
        Value::Float(float) if float.fract() == 0.0 => Some(format!("{:.0}", *float + 0.0)),
        Value::Float(float) if float.is_finite() => Some(python_json::number(*float)),
        Value::Float(_) | Value::Null | Value::Bytes(_) | Value::File(_) => None,
        Value::Time(_) | Value::List(_) | Value::Map(_) => None,
    }
}

impl Touches for FolderTouches {
    /// An operation without a template touches the whole world. A call that lacks a parameter,
    /// or has `None` for it, touches the path before that parameter.
    fn targets(&self, operation: &str, params: &Value) -> Vec<Target> {
        if matches!(operation, SET | REMOVE) {
            let path = params.get("path").and_then(Value::as_list);
            return targets(path.unwrap_or_default().iter().map(segment));
        }
        let template = self.templates.get(operation);
        let parts = template.map(Vec::as_slice).unwrap_or_default().iter();
        targets(parts.map_while(|part| match part {
            Segment::Text(text) => Some(Some(text.clone())),
            Segment::Parameter(name) => match params.get(name)? {
                Value::Null => None,
                value => Some(segment(value)),
            },
        }))
    }

    fn call(&self, operation: &str, place: Option<&str>, _: Option<&str>) -> Value {
        let template = self.templates.get(operation);
        let segments = template.map(Vec::as_slice).unwrap_or_default();
        let mut names = place.unwrap_or_default().splitn(segments.len().max(1), '/');
        let mut call = Map::new();
        for segment in segments {
            if let (Segment::Parameter(parameter), Some(name)) = (segment, names.next()) {
                call.push((parameter.clone().into(), name.into()));
            }
        }
        Value::Map(call)
    }

    /// The code of a folder may do anything to what is in the record that a call names, and
    /// nothing says which operations only add to it.
    fn reaches_below(&self) -> bool {
        true
    }
}
