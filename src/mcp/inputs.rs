//! The parameters of a tool in Python.

use super::schema::{DEPTH, Reader};
use crate::stubs::{in_python, python};
use serde_json::Value as Json;

/// The longest default that is shown.
const DEFAULT: usize = 60;
/// The parameter for all arguments, for tools that do not name them.
const WHOLE: &str = "arguments";

/// The parameters of a tool, the required ones first.
#[derive(Debug, Clone, PartialEq)]
pub struct Inputs {
    pub parameters: Vec<Input>,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Its name in Python.
    pub name: String,
    /// Its name on the wire. `None` for the object with all arguments.
    pub wire: Option<String>,
    /// Whether a call must have it.
    pub is_required: bool,
    /// Whether null is one of its values.
    pub is_nullable: bool,
    /// Its annotation and default: `str | None = None`.
    pub annotation: String,
    /// Its description, in the server's words.
    pub about: String,
    /// The fields of the objects in it.
    pub shape: Option<String>,
}

impl Inputs {
    /// Reads the schema of a tool's arguments.
    pub fn of(schema: &Json) -> Self {
        let reader = Reader::new(schema);
        let properties = reader.properties(schema, DEPTH);
        if properties.all.is_empty() {
            let whole = is_open(schema, &reader).then(whole);
            return Inputs {
                parameters: whole.into_iter().collect(),
            };
        }
        let wire: Vec<&str> = properties.all.iter().map(|(name, _)| *name).collect();
        let names = in_python(&wire, "arg", &["self"], false);
        let parameters = names.into_iter().zip(properties.all);
        let parameters = parameters.map(|(name, (wire, schema))| {
            let is_required = properties.required.contains(&wire);
            Input::of(&reader, name, wire, schema, is_required)
        });
        let (mut parameters, optional): (Vec<Input>, Vec<Input>) =
            parameters.partition(|it| it.is_required);
        parameters.extend(optional);
        Inputs { parameters }
    }
}

impl Input {
    fn of<'a>(
        reader: &Reader<'a>,
        name: String,
        wire: &str,
        schema: &'a Json,
        is_required: bool,
    ) -> Self {
        let kind = reader.type_of(schema, DEPTH);
        let resolved = reader.resolved(schema);
        // A description beside a `$ref` comes before the one behind it.
        let keyword = |name: &str| schema.get(name).or_else(|| resolved?.get(name));
        let default = keyword("default").filter(|default| !default.is_null());
        let annotation = match default {
            _ if is_required => kind.text(false),
            None => format!("{} = None", kind.text(true)),
            Some(default) => {
                let default = python(default);
                let is_short = default.chars().count() <= DEFAULT;
                let default = if is_short { &default } else { "..." };
                format!("{} = {default}", kind.text(false))
            }
        };
        let about = keyword("description").or_else(|| keyword("title"));
        Input {
            name,
            wire: Some(wire.to_owned()),
            is_required,
            is_nullable: kind.is_nullable,
            annotation,
            about: about.and_then(Json::as_str).unwrap_or_default().to_owned(),
            shape: reader.shape(schema, DEPTH),
        }
    }
}

/// Whether a schema without properties accepts arguments.
fn is_open<'a>(schema: &'a Json, reader: &Reader<'a>) -> bool {
    match reader.resolved(schema) {
        Some(Json::Object(schema)) => {
            let is_true = |name: &str| !matches!(schema.get(name), None | Some(Json::Bool(false)));
            is_true("additionalProperties") || is_true("patternProperties")
        }
        Some(Json::Bool(is_open)) => *is_open,
        // Without a readable schema, any arguments may be accepted.
        _ => true,
    }
}

fn whole() -> Input {
    Input {
        name: WHOLE.to_owned(),
        wire: None,
        is_required: false,
        is_nullable: false,
        annotation: "dict | None = None".to_owned(),
        about: "All arguments, by their names.".to_owned(),
        shape: None,
    }
}
