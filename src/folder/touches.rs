//! The records that calls name.

use super::definition::{Definition, DomainKind};
use super::python_json;
use super::world::{REMOVE, SET};
use crate::domain::{Beside, Counts, Map, Operation, PathForm, Place, Target, Touches, Value};
use std::collections::BTreeMap;

/// The records that calls name, by the templates in `[places]` of `domain.toml`. A call of a
/// server's operation without a template names that operation: `pets/add_pet`. Reads do as
/// writes do.
pub struct FolderTouches {
    templates: BTreeMap<String, Vec<Segment>>,
    /// The name of the domain, if a server answers its calls.
    server: Option<String>,
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
            server: (definition.kind != DomainKind::Python).then(|| definition.name.clone()),
        }
    }

    /// The template of an operation; that of a server's operation without one is its name.
    fn template(&self, operation: &str) -> Vec<Segment> {
        match (self.templates.get(operation), &self.server) {
            (Some(template), _) => template.clone(),
            (None, Some(server)) => {
                let names = [server.as_str(), operation];
                names.map(|name| Segment::Text(name.to_owned())).into()
            }
            (None, None) => Vec::new(),
        }
    }

    /// What a call may change beside what it names. One without a template says of no record
    /// that it is left alone.
    fn beside(&self, operation: &str) -> Beside {
        match (&self.server, self.templates.contains_key(operation)) {
            (None, _) | (Some(_), true) => Beside::Nothing,
            (Some(_), false) if self.templates.is_empty() => Beside::Strangers,
            (Some(_), false) => Beside::Anything,
        }
    }
}

impl Segment {
    fn form(&self) -> crate::domain::Segment {
        match self {
            Segment::Text(text) => crate::domain::Segment::Text(text.clone()),
            Segment::Parameter(_) => crate::domain::Segment::Value,
        }
    }
}

/// The bytes of the texts and numbers that a call brings, without those that name its record.
fn content_size(params: &Value, template: &[Segment]) -> u64 {
    let Value::Map(given) = params else {
        return 0;
    };
    let is_name = |name: &str| {
        let mut parts = template.iter();
        parts.any(|part| matches!(part, Segment::Parameter(known) if known == name))
    };
    let content = given.iter().filter(|(name, _)| !is_name(name));
    content.map(|(_, value)| size(value)).sum()
}

fn size(value: &Value) -> u64 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Int(_) | Value::Float(_) | Value::Time(_) => 8,
        Value::BigInt(digits) => digits.len() as u64,
        Value::Str(text) => text.len() as u64,
        Value::Bytes(bytes) => bytes.len() as u64,
        Value::File(file) => file.size,
        Value::List(items) => items.iter().map(size).sum(),
        Value::Map(pairs) => {
            let pairs = pairs.iter();
            pairs.map(|(name, it)| name.len() as u64 + size(it)).sum()
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
/// A path with an unreadable segment may name any record. A read needs the right to read the
/// whole world and the segments before that one. A write has no place that a policy could
/// allow, so it is denied.
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
        Value::BigInt(digits) => Some(digits.clone()),
        Value::Bool(truth) => Some(i64::from(*truth).to_string()),
        // The sum makes 0.0 of -0.0.
        Value::Float(float) if float.fract() == 0.0 => Some(format!("{:.0}", *float + 0.0)),
        Value::Float(float) if float.is_finite() => Some(python_json::number(*float)),
        Value::Float(_) | Value::Null | Value::Bytes(_) | Value::File(_) => None,
        Value::Time(_) | Value::List(_) | Value::Map(_) => None,
    }
}

impl Touches for FolderTouches {
    /// An operation without a template touches the whole world, or itself on a server. A call
    /// that lacks a parameter, or has `None` for it, touches the path before that parameter.
    fn targets(&self, operation: &str, params: &Value) -> Vec<Target> {
        if matches!(operation, SET | REMOVE) {
            let path = params.get("path").and_then(Value::as_list);
            return targets(path.unwrap_or_default().iter().map(segment));
        }
        let template = self.template(operation);
        let named = template.iter().map_while(|part| match part {
            Segment::Text(text) => Some(Some(text.clone())),
            Segment::Parameter(name) => match params.get(name)? {
                Value::Null => None,
                value => Some(segment(value)),
            },
        });
        let bytes = content_size(params, &template);
        // A write to a container that every call names adds to what is in it.
        let is_fixed = matches!(template.as_slice(), [Segment::Text(_)]);
        let counts = match is_fixed {
            true => Counts::RecordIfWritten,
            false => Counts::ByPlace,
        };
        let beside = self.beside(operation);
        let targets = targets(named).into_iter();
        targets
            .map(|target| Target {
                bytes,
                counts,
                beside,
                ..target
            })
            .collect()
    }

    fn call(&self, operation: &str, place: Option<&str>, _: Option<&str>) -> Value {
        let segments = self.template(operation);
        let mut names = place.unwrap_or_default().splitn(segments.len().max(1), '/');
        let mut call = Map::new();
        for segment in segments {
            if let (Segment::Parameter(parameter), Some(name)) = (segment, names.next()) {
                call.push((parameter.into(), name.into()));
            }
        }
        Value::Map(call)
    }

    fn forms(&self, operation: &Operation) -> Option<Vec<PathForm>> {
        let form = |segments: &[Segment]| PathForm {
            accesses: vec![operation.effect],
            segments: segments.iter().map(Segment::form).collect(),
        };
        let template = self.template(&operation.name);
        // A call that lacks a parameter names what contains its record.
        let parameters = (0..template.len())
            .filter(|at| matches!(template.get(*at), Some(Segment::Parameter(_))));
        let ends = parameters.chain([template.len()]);
        Some(
            ends.filter_map(|end| template.get(..end))
                .map(form)
                .collect(),
        )
    }

    fn has_whole_segments(&self) -> bool {
        true
    }

    /// The code of a folder may do anything to what is in the record that a call names, and
    /// nothing says which operations only add to it.
    fn reaches_below(&self) -> bool {
        true
    }
}
