//! The body of a request, and its properties as parameters of a call.

use super::document::{Document, items, text, truth};
use super::model::{Body, Form, Media, Method, Parameter, Place, Style};
use super::names;
use super::parameters::{Written, doc, plain, style};
use super::schema::is_binary;
use super::types::Types;
use crate::stubs::Names;
use serde_json::{Map, Value, json};

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

/// The body of an operation of OpenAPI 3.
pub(super) fn of_v3<'d>(
    document: &'d Document,
    types: &mut Types<'d>,
    operation: &'d Value,
    method: Method,
    names: &mut Names,
) -> Option<Read> {
    let part = document.here(operation.get("requestBody")?)?;
    if matches!(method, Method::Get | Method::Head | Method::Trace) {
        // Such a body has no meaning (RFC 9110, section 9.3), and clients refuse it.
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
                let mut parameter = self.property(wire, schema, media);
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
            place: Place::Body,
            is_required: body.is_required,
            is_nullable: truth(resolved, "nullable"),
            shape,
            doc: words,
            style: plain(Place::Body),
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
        let has_more = resolved
            .get("additionalProperties")
            .is_some_and(|it| it.as_object().is_some_and(|it| !it.is_empty()));
        if is_other || has_choice || has_more {
            return None;
        }
        let mut found = self.types.properties(schema);
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

    fn property(&mut self, wire: &'d str, schema: &'d Value, media: Media) -> Parameter {
        let resolved = self.document.here(schema);
        let shape = self.types.shape(schema);
        let encoding = self.encodings.and_then(|it| it.get(wire));
        let is_styled = encoding.is_some_and(|it| it.get("style").is_some());
        let is_nested = shape.text.contains("dict") || shape.text.contains("Any");
        let style = match encoding {
            Some(encoding) if is_styled => style(encoding, Place::Query, false),
            // A form can hold a dict only as JSON, unless its style is `name[key]`.
            _ if media == Media::Multipart && is_nested => Style {
                form: Form::Json,
                ..plain(Place::Body)
            },
            _ => plain(Place::Body),
        };
        Parameter {
            name: self.names.take(names::parameter(wire)),
            wire: wire.to_owned(),
            place: Place::Body,
            is_required: false,
            is_nullable: shape.text == "None" || shape.text.ends_with("| None"),
            doc: doc(schema, resolved),
            shape,
            style,
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
            let mut parameter = self.property(wire, field, media);
            parameter.is_required = truth(field, "required");
            parameter.style = style(field, Place::Body, false);
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
