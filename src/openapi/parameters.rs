//! The parameters of an operation.

use super::document::{Document, OpenapiVersion, Target, items, text, truth};
use super::model::{Parameter, ParameterLocation, PythonType, Style, StyleKind};
use super::names;
use super::prose;
use super::read::placeholders;
use super::secret_parameters::is_secret;
use super::security;
use super::types::Types;
use crate::stubs::Names;
use serde_json::Value;

/// The longest description of a parameter, in characters.
const MAX_DOC: usize = 160;
/// The most parameters of one operation.
const MAX_PARAMETERS: usize = 200;

/// Headers that the client sets, or that hold secrets.
const OWN_HEADERS: [&str; 9] = [
    "accept",
    "content-type",
    "authorization",
    "host",
    "content-length",
    "connection",
    "transfer-encoding",
    "cookie",
    "proxy-authorization",
];

/// The parameters as they are written.
#[derive(Default)]
pub(super) struct Written<'d> {
    pub parameters: Vec<One<'d>>,
    /// Those that are parts of the body, in OpenAPI 2.0.
    pub of_body: Vec<&'d Value>,
    pub has_strangers: bool,
    /// Those that carry a secret.
    pub secrets: Vec<(ParameterLocation, String)>,
    /// The places and names of secrets, which no call can pass.
    proofs: Vec<(ParameterLocation, String)>,
}

/// One parameter as it is written.
pub(super) struct One<'d> {
    pub wire: &'d str,
    pub place: ParameterLocation,
    /// `None` for a placeholder in the path that the document does not describe.
    pub part: Option<&'d Value>,
}

/// The parameters of the operation and of its path; the operation's win.
pub(super) fn written<'d>(
    document: &'d Document,
    item: &'d Value,
    operation: &'d Value,
    path: &'d str,
) -> Written<'d> {
    let mut written = Written {
        proofs: security::keys(document),
        ..Written::default()
    };
    let own = items(operation, "parameters").iter();
    for part in own.chain(items(item, "parameters")).take(MAX_PARAMETERS) {
        match document.resolve(part) {
            Target::Here(part) => written.add(part, path),
            Target::Elsewhere => written.has_strangers = true,
        }
    }
    for wire in placeholders(path) {
        written.push(One {
            wire,
            place: ParameterLocation::Path,
            part: None,
        });
    }
    written
}

impl<'d> Written<'d> {
    fn add(&mut self, part: &'d Value, path: &str) {
        let place = match text(part, "in") {
            Some("path") => ParameterLocation::Path,
            Some("query") => ParameterLocation::Query,
            Some("header") => ParameterLocation::Header,
            Some("cookie") => ParameterLocation::Cookie,
            Some("body" | "formData") => return self.of_body.push(part),
            _ => return,
        };
        let Some(wire) = text(part, "name").filter(|wire| !wire.is_empty()) else {
            return;
        };
        let is_own = OWN_HEADERS.iter().any(|it| it.eq_ignore_ascii_case(wire));
        let is_lost = place == ParameterLocation::Path && !placeholders(path).contains(&wire);
        let is_proof = (self.proofs.iter()).any(|(at, name)| *at == place && name == wire);
        if place == ParameterLocation::Header && is_own || is_lost || is_proof {
            return;
        }
        let part = Some(part);
        let one = One { wire, place, part };
        match is_secret(&one) {
            true => self.secrets.push((place, wire.to_owned())),
            false => self.push(one),
        }
    }

    fn push(&mut self, one: One<'d>) {
        let mut known = self.parameters.iter();
        if !known.any(|it| it.wire == one.wire && it.place == one.place) {
            self.parameters.push(one);
        }
    }
}

/// Reads one parameter.
pub(super) fn parameter<'d>(
    document: &'d Document,
    types: &mut Types<'d>,
    one: &One<'d>,
    names: &mut Names,
) -> Parameter {
    let name = names.take(names::parameter(one.wire));
    let Some(part) = one.part else {
        return Parameter {
            name,
            wire: one.wire.to_owned(),
            place: one.place,
            is_required: true,
            is_nullable: false,
            shape: PythonType {
                text: "str".to_owned(),
                ..PythonType::default()
            },
            doc: String::new(),
            style: plain(one.place),
            media_type: None,
            is_date: false,
        };
    };
    let content = part.get("content").and_then(Value::as_object);
    let content = content.and_then(|it| it.iter().next());
    let schema = match (document.version, content) {
        (OpenapiVersion::V2, _) => Some(part),
        (_, Some((_, media))) => media.get("schema"),
        (_, None) => part.get("schema"),
    };
    let shape = schema.map(|schema| types.shape(schema));
    let shape = shape.unwrap_or_else(|| PythonType {
        text: "Any".to_owned(),
        ..PythonType::default()
    });
    let is_json = content.is_some_and(|(media, _)| media.contains("json"));
    Parameter {
        name,
        wire: one.wire.to_owned(),
        place: one.place,
        is_required: one.place == ParameterLocation::Path || truth(part, "required"),
        is_nullable: false,
        shape,
        doc: doc(part, schema.and_then(|it| document.here(it))),
        style: style(part, one.place, is_json),
        media_type: None,
        is_date: schema.is_some_and(|it| is_date(document, it)),
    }
}

/// A line about a parameter: its description, its default, its format.
pub(super) fn doc(part: &Value, schema: Option<&Value>) -> String {
    let of = |key| {
        let schema = schema.and_then(|schema| schema.get(key));
        part.get(key).or(schema)
    };
    let description = of("description").and_then(Value::as_str);
    let mut doc = prose::sentence(description.unwrap_or_default(), MAX_DOC);
    let mut add = |words: String| {
        if !doc.is_empty() {
            let ends = doc.ends_with(['.', '!', '?', '…']);
            doc.push_str(if ends { " " } else { ". " });
        }
        doc.push_str(&words);
    };
    let format = of("format").and_then(Value::as_str);
    let told = ["date", "date-time", "time", "uuid", "email", "uri", "byte"];
    if let Some(format) = format.filter(|it| told.contains(it)) {
        add(format!("Format: {format}."));
    }
    if let Some(default) = of("default").filter(|it| !it.is_null()) {
        let text = prose::sentences(&default.to_string(), 60);
        add(format!("Default: {text}."));
    }
    doc
}

/// Whether a schema is that of dates without a time, or of a list of them.
pub(super) fn is_date(document: &Document, schema: &Value) -> bool {
    let format = |schema: &Value| text(schema, "format") == Some("date");
    let items = |schema: &Value| {
        let items = schema.get("items").and_then(|items| document.here(items));
        items.is_some_and(format)
    };
    let schema = document.here(schema);
    schema.is_some_and(|schema| format(schema) || items(schema))
}

/// The default style of a place.
pub(super) fn plain(place: ParameterLocation) -> Style {
    let form = match place {
        ParameterLocation::Path | ParameterLocation::Header => StyleKind::Simple,
        ParameterLocation::Query | ParameterLocation::Cookie => StyleKind::Form,
        ParameterLocation::Body => StyleKind::Content,
    };
    Style {
        form,
        explodes: matches!(form, StyleKind::Form | StyleKind::Content),
        keeps_reserved: false,
    }
}

/// How a parameter is written, by its `style` or its `collectionFormat`.
pub(super) fn style(part: &Value, place: ParameterLocation, is_json: bool) -> Style {
    let plain = plain(place);
    let collection = text(part, "collectionFormat");
    let (form, explodes) = match (text(part, "style"), collection) {
        _ if is_json => (StyleKind::Json, false),
        (Some("simple"), _) => (StyleKind::Simple, false),
        (Some("label"), _) if place == ParameterLocation::Path => (StyleKind::Label, false),
        (Some("matrix"), _) if place == ParameterLocation::Path => (StyleKind::Matrix, false),
        (Some("form"), _) => (StyleKind::Form, true),
        (Some("spaceDelimited"), _) | (None, Some("ssv")) => (StyleKind::SpaceDelimited, false),
        (Some("pipeDelimited"), _) | (None, Some("pipes")) => (StyleKind::PipeDelimited, false),
        (None, Some("tsv")) => (StyleKind::TabDelimited, false),
        (Some("deepObject"), _) => (StyleKind::DeepObject, true),
        (None, Some("csv")) => (plain.form, false),
        (None, Some("multi")) => (StyleKind::Form, true),
        // The default of OpenAPI 2.0 is `csv`. Only it has types without a schema.
        (None, None) if part.get("schema").is_none() => (plain.form, false),
        _ => (plain.form, plain.explodes),
    };
    let explodes = part
        .get("explode")
        .and_then(Value::as_bool)
        .unwrap_or(explodes);
    Style {
        form,
        explodes,
        keeps_reserved: truth(part, "allowReserved") || truth(part, "x-multi-segment"),
    }
}
