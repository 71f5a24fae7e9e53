//! The body of a request, and its properties as parameters of a call.

use super::document::{Document, items, pairs, text, truth};
use super::model::{Body, Media, Method, Parameter, ParameterLocation};
use super::names;
use super::parameters::{Written, doc, is_date, plain, style};
use super::schema::is_binary;
use super::types::Types;
use crate::stubs::Names;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// A body with at least so many properties is a single parameter.
const TOO_MANY: usize = 25;

/// A body, and the parameters that it is made of.
pub(super) type Read = (Body, Vec<Parameter>);

/// How a media type is written, and how much it is preferred: less is better.
fn media(media_type: &str) -> (u8, Media) {
    let name = media_type.split(';').next().unwrap_or_default().trim();
    match name.to_ascii_lowercase().as_str() {
        "application/json" => (0, Media::Json),
        it if it.ends_with("+json") || it.ends_with("/json") => (1, Media::Json),
        "*/*" | "application/*" => (2, Media::Json),
        "application/x-www-form-urlencoded" => (3, Media::Form),
        "multipart/form-data" => (4, Media::Multipart),
        _ => (5, Media::Other),
    }
}

/// The media type to use of those that a body or an answer can have.
pub(super) fn preferred(part: &Value) -> Option<(&String, &Value)> {
    let content = part.get("content")?.as_object()?;
    content.iter().min_by_key(|(name, _)| media(name).0)
}

/// Whether a body has a meaning (RFC 9110, section 9.3). Clients refuse others.
pub(super) fn may_have_body(method: Method) -> bool {
    !matches!(method, Method::Get | Method::Head | Method::Trace)
}

/// The media types of a body that are not used though they have properties which the one in use
/// does not have: what only they take cannot be passed.
pub(super) fn left_out<'d>(document: &'d Document, part: &'d Value) -> Vec<&'d str> {
    let names = |content: &'d Value| {
        let mut types = Types::new(document);
        let schema = content.get("schema").unwrap_or(&Value::Null);
        let found = types.properties(schema).pairs.into_iter();
        found.map(|(name, _)| name).collect::<HashSet<&str>>()
    };
    let Some((used, content)) = preferred(part) else {
        return Vec::new();
    };
    let known = names(content);
    let others = pairs(part, "content").filter(|(name, _)| *name != used);
    let others = others.filter(|(_, content)| !names(content).is_subset(&known));
    others.map(|(name, _)| name.as_str()).collect()
}

/// Whether a body may have properties that are not among these: those of a choice, or any.
fn has_more(document: &Document, schema: &Value, known: &HashSet<&str>, depth: usize) -> bool {
    const DEEPEST: usize = 6;
    let Some(schema) = document.here(schema).filter(|_| depth < DEEPEST) else {
        return false;
    };
    let is_open = match schema.get("additionalProperties") {
        Some(Value::Bool(is_open)) => *is_open,
        Some(Value::Object(of)) => !of.is_empty(),
        _ => false,
    };
    let is_unknown = |choice: &Value| {
        let choice = document.here(choice);
        choice.is_some_and(|it| pairs(it, "properties").any(|(name, _)| !known.contains(&**name)))
    };
    let choices = ["oneOf", "anyOf"].map(|key| items(schema, key));
    let mut choices = choices.iter().copied().flatten();
    let mut parts = items(schema, "allOf").iter();
    is_open
        || choices.any(|it| is_unknown(it) || has_more(document, it, known, depth + 1))
        || parts.any(|it| has_more(document, it, known, depth + 1))
}

/// The body of an operation of OpenAPI 3.
pub(super) fn of_v3<'d>(
    document: &'d Document,
    types: &mut Types<'d>,
    operation: &'d Value,
    method: Method,
    names: &mut Names,
) -> Option<Read> {
    let part = document.here(operation.get("requestBody")?)?;
    if !may_have_body(method) {
        return None;
    }
    let (media_type, content) = preferred(part)?;
    let schema = content.get("schema").unwrap_or(&Value::Null);
    let encodings = content.get("encoding");
    let mut reading = Reading {
        document,
        types,
        names,
        encodings,
    };
    let is_required = part.get("required").and_then(Value::as_bool);
    Some(reading.read(media_type, schema, is_required, doc(part, None)))
}

/// The body of an operation of OpenAPI 2.0.
pub(super) fn of_v2<'d>(
    document: &'d Document,
    types: &mut Types<'d>,
    operation: &'d Value,
    written: &Written<'d>,
    names: &mut Names,
) -> Option<Read> {
    let consumes = match items(operation, "consumes") {
        [] => items(&document.root, "consumes"),
        own => own,
    };
    let mut consumes = consumes.iter().filter_map(Value::as_str);
    let mut reading = Reading {
        document,
        types,
        names,
        encodings: None,
    };
    if let Some(part) = (written.of_body.iter()).find(|it| text(it, "in") == Some("body")) {
        let media_type = consumes.min_by_key(|name| media(name).0);
        let media_type = match media_type {
            Some(name) if !matches!(media(name).1, Media::Form | Media::Multipart) => name,
            _ => "application/json",
        };
        let schema = part.get("schema").unwrap_or(&Value::Null);
        let is_required = Some(truth(part, "required"));
        return Some(reading.read(media_type, schema, is_required, doc(part, None)));
    }
    if written.of_body.is_empty() {
        return None;
    }
    let has_file = written.of_body.iter().any(|it| is_binary(it));
    let is_multipart = has_file || consumes.any(|name| media(name).1 == Media::Multipart);
    let media_type = match is_multipart {
        true => "multipart/form-data",
        false => "application/x-www-form-urlencoded",
    };
    Some(reading.form(media_type, &written.of_body))
}

/// The state of reading a body.
struct Reading<'a, 'd> {
    document: &'d Document,
    types: &'a mut Types<'d>,
    names: &'a mut Names,
    /// How the properties of a form are written.
    encodings: Option<&'d Value>,
}

impl<'d> Reading<'_, 'd> {
    fn read(
        &mut self,
        media_type: &str,
        schema: &'d Value,
        is_required: Option<bool>,
        words: String,
    ) -> Read {
        let (_, media) = media(media_type);
        let resolved = self.document.here(schema).unwrap_or(&Value::Null);
        let mut body = Body {
            media,
            media_type: media_type.to_owned(),
            // Many documents forget `required` here and mark the properties as required.
            is_required: is_required.unwrap_or(!items(resolved, "required").is_empty()),
            schema: resolved.clone(),
            is_flat: false,
            needs: Vec::new(),
        };
        let properties = self.flat(media, resolved, schema);
        if let Some((properties, required)) = properties {
            body.is_flat = true;
            body.is_required = is_required.unwrap_or(!required.is_empty());
            let mut parameters = Vec::new();
            for (wire, schema) in properties {
                let must = required.contains(&wire);
                let mut parameter = self.property(wire, schema);
                parameter.is_required = must && body.is_required;
                if must {
                    body.needs.push(parameter.name.clone());
                }
                parameters.push(parameter);
            }
            return (body, parameters);
        }
        let name = self.names.take("body".to_owned());
        let mut shape = self.types.shape(schema);
        if media == Media::Other {
            shape.text = "str | bytes".to_owned();
        }
        let parameter = Parameter {
            name,
            wire: "body".to_owned(),
            place: ParameterLocation::Body,
            is_required: body.is_required,
            is_nullable: truth(resolved, "nullable"),
            shape,
            doc: words,
            style: plain(ParameterLocation::Body),
            media_type: None,
            is_date: false,
        };
        (body, vec![parameter])
    }

    /// The properties that can be parameters, in order, and the names of the required ones.
    #[allow(clippy::type_complexity, reason = "a pair that is taken apart at once")]
    fn flat(
        &mut self,
        media: Media,
        resolved: &'d Value,
        schema: &'d Value,
    ) -> Option<(Vec<(&'d str, &'d Value)>, Vec<&'d str>)> {
        let is_other = media == Media::Other;
        let has_choice = resolved.get("oneOf").is_some() || resolved.get("discriminator").is_some();
        if is_other || has_choice {
            return None;
        }
        let mut found = self.types.properties(schema);
        let known: HashSet<&str> = found.pairs.iter().map(|(name, _)| *name).collect();
        if has_more(self.document, schema, &known, 0) {
            return None;
        }
        found.pairs.retain(|(_, property)| {
            let property = self.document.here(property);
            !property.is_some_and(|it| truth(it, "readOnly"))
        });
        let count = found.pairs.len();
        let mut fresh = Names::default();
        let collides = found.pairs.iter().any(|(wire, _)| {
            let name = names::parameter(wire);
            self.names.has(&name) || fresh.take(name.clone()) != name
        });
        if count == 0 || count >= TOO_MANY || collides {
            return None;
        }
        let required = found.required.into_iter();
        Some((found.pairs, required.collect()))
    }

    fn property(&mut self, wire: &'d str, schema: &'d Value) -> Parameter {
        let resolved = self.document.here(schema);
        let shape = self.types.shape(schema);
        let encoding = self.encodings.and_then(|it| it.get(wire));
        let is_styled = encoding.is_some_and(|it| it.get("style").is_some());
        let style = match encoding {
            Some(encoding) if is_styled => style(encoding, ParameterLocation::Query, false),
            _ => plain(ParameterLocation::Body),
        };
        let media_types = encoding.and_then(|it| text(it, "contentType"));
        let media_types = media_types.unwrap_or_default().split(',').map(str::trim);
        let is_one = |it: &&str| it.contains('/') && !it.contains(['*', '\r', '\n', '"']);
        Parameter {
            name: self.names.take(names::parameter(wire)),
            wire: wire.to_owned(),
            place: ParameterLocation::Body,
            is_required: false,
            is_nullable: shape.text == "None" || shape.text.ends_with("| None"),
            doc: doc(schema, resolved),
            shape,
            style,
            media_type: media_types.into_iter().find(is_one).map(str::to_owned),
            is_date: is_date(self.document, schema),
        }
    }

    /// A form of OpenAPI 2.0, whose fields are written as parameters.
    fn form(&mut self, media_type: &str, fields: &[&'d Value]) -> Read {
        let (_, media) = media(media_type);
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut properties = Map::new();
        for field in fields {
            let Some(wire) = text(field, "name") else {
                continue;
            };
            properties.insert(wire.to_owned(), (*field).clone());
            let mut parameter = self.property(wire, field);
            parameter.is_required = truth(field, "required");
            parameter.style = style(field, ParameterLocation::Body, false);
            parameters.push(parameter);
        }
        let needs = parameters.iter().filter(|it| it.is_required);
        let body = Body {
            media,
            media_type: media_type.to_owned(),
            is_required: parameters.iter().any(|it| it.is_required),
            schema: json!({"type": "object", "properties": properties}),
            is_flat: true,
            needs: needs.map(|it| it.name.clone()).collect(),
        };
        (body, parameters)
    }
}
