//! The records that calls name.

use super::definition::Definition;
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

impl Touches for FolderTouches {
    /// A call whose operation has no template touches the world as a whole, and so does a
    /// call that lacks the template's parameters from there on.
    fn targets(&self, operation: &str, params: &Value) -> Vec<Target> {
        if matches!(operation, SET | REMOVE) {
            let path = params.get("path").and_then(Value::as_list);
            let path = path.unwrap_or_default().iter().filter_map(Value::as_str);
            return vec![Target::object(Place::new(path))];
        }
        let template = self.templates.get(operation);
        let segments = template.map(Vec::as_slice).unwrap_or_default().iter();
        let named = segments.map_while(|segment| match segment {
            Segment::Text(text) => Some(text.clone()),
            Segment::Parameter(name) => match params.get(name)? {
                Value::Str(text) => Some(text.clone()),
                Value::Int(int) => Some(int.to_string()),
                _ => None,
            },
        });
        vec![Target::object(Place::new(named))]
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
}
