//! The bodies of requests.

use super::encode::{self, json};
use super::model::{Body, Media, Parameter, StyleKind};
use super::multipart::{self, Part};
use super::request::Payload;
use crate::domain::{Value, counted};
use bytes::Bytes;

/// The values that a call passed for the body.
pub(super) type Passed<'a> = Vec<(&'a Parameter, &'a Value)>;

/// The body made of these values.
pub(super) fn payload(body: &Body, passed: &Passed<'_>) -> Result<Payload, String> {
    match (body.media, body.is_flat, passed.as_slice()) {
        (Media::Json, true, _) => of_json(body, object(passed)?),
        (Media::Json, false, [(parameter, value)]) => {
            of_json(body, json(value).map_err(named(parameter))?)
        }
        (Media::Other, _, [(parameter, value)]) => other(body, parameter, value),
        (Media::Form, true, _) => form(body, passed),
        (Media::Multipart, true, _) => form_of_parts(passed),
        (_, _, [(parameter, Value::Map(pairs))]) => {
            // Each key is written as a property would be.
            let parameters: Vec<(Parameter, &Value)> = (pairs.iter())
                .map(|(key, value)| (under(parameter, key, value), value))
                .collect();
            let passed: Passed<'_> = parameters.iter().map(|(it, value)| (it, *value)).collect();
            match body.media {
                Media::Form => form(body, &passed),
                _ => form_of_parts(&passed),
            }
        }
        (_, _, [(parameter, _)]) => Err(format!("`{}` must be a dict", parameter.name)),
        _ => Err("the body must be a single value".to_owned()),
    }
}

fn named(parameter: &Parameter) -> impl FnOnce(String) -> String {
    let name = parameter.name.clone();
    move |problem| format!("`{name}`: {problem}")
}

/// The parameter for a key of the whole body.
fn under(parameter: &Parameter, key: &str, value: &Value) -> Parameter {
    let mut one = parameter.clone();
    one.wire = key.to_owned();
    if matches!(value, Value::Map(_)) {
        one.style.form = StyleKind::Json;
    }
    one
}

fn object(passed: &Passed<'_>) -> Result<String, String> {
    let pairs = passed.iter().map(|(parameter, value)| {
        let value = json(value).map_err(named(parameter))?;
        Ok((parameter.wire.as_str(), value))
    });
    Ok(encode::object(pairs.collect::<Result<Vec<_>, String>>()?))
}

fn of_json(body: &Body, text: String) -> Result<Payload, String> {
    // `*/*` is no media type of a body.
    let media_type = match body.media_type.contains('*') {
        true => "application/json".to_owned(),
        false => body.media_type.clone(),
    };
    Ok(Payload {
        media_type,
        bytes: text.clone().into(),
        shown: text,
    })
}

fn other(body: &Body, parameter: &Parameter, value: &Value) -> Result<Payload, String> {
    let bytes = match value {
        Value::Bytes(bytes) => bytes.clone(),
        other => encode::text(other).map_err(named(parameter))?.into(),
    };
    let shown = match value {
        Value::Bytes(bytes) => in_words(bytes),
        _ => encode::quoted(&String::from_utf8_lossy(&bytes)),
    };
    Ok(Payload {
        media_type: body.media_type.clone(),
        bytes,
        shown,
    })
}

fn form(body: &Body, passed: &Passed<'_>) -> Result<Payload, String> {
    let mut fields = Vec::new();
    for (parameter, value) in passed {
        let pairs = encode::pairs(parameter, value).map_err(named(parameter))?;
        fields.extend(
            pairs
                .into_iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
    }
    Ok(Payload {
        media_type: body.media_type.clone(),
        bytes: fields.join("&").into(),
        shown: shown(passed)?,
    })
}

fn form_of_parts(passed: &Passed<'_>) -> Result<Payload, String> {
    let mut parts = Vec::new();
    for (parameter, value) in passed {
        let values = match value {
            Value::List(items) if parameter.style.form != StyleKind::Json => items.iter().collect(),
            one => vec![*one],
        };
        for value in values {
            parts.push(part(parameter, value).map_err(named(parameter))?);
        }
    }
    let (media_type, bytes) = multipart::body(&parts);
    Ok(Payload {
        media_type,
        bytes,
        shown: shown(passed)?,
    })
}

fn part(parameter: &Parameter, value: &Value) -> Result<Part, String> {
    let is_file = parameter.shape.text.contains("bytes") || matches!(value, Value::Bytes(_));
    let (usual, content) = match value {
        Value::Bytes(bytes) => (Some("application/octet-stream"), bytes.clone()),
        Value::Map(_) | Value::List(_) => (Some("application/json"), Bytes::from(json(value)?)),
        other if is_file => (Some("text/plain"), encode::text(other)?.into()),
        other => (None, encode::text(other)?.into()),
    };
    let documented = parameter.media_type.clone();
    Ok(Part {
        name: parameter.wire.clone(),
        file_name: is_file.then(|| match documented.as_deref().and_then(ending) {
            Some(ending) => format!("{}.{ending}", parameter.wire),
            None => parameter.wire.clone(),
        }),
        media_type: documented.or(usual.map(str::to_owned)),
        content,
    })
}

/// How the names of files of this type end, where the type says it: `png` of `image/png`.
fn ending(media_type: &str) -> Option<&str> {
    let (_, kind) = media_type.split(';').next()?.trim().split_once('/')?;
    let is_plain = !kind.starts_with("x-") && kind.len() <= 5;
    let is_word = kind.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_plain && is_word).then_some(if kind == "plain" { "txt" } else { kind })
}

/// The fields of a form for people: bytes are only counted.
fn shown(passed: &Passed<'_>) -> Result<String, String> {
    let pairs = passed.iter().map(|(parameter, value)| {
        let value = match value {
            Value::Bytes(bytes) => encode::quoted(&in_words(bytes)),
            other => json(other).map_err(named(parameter))?,
        };
        Ok((parameter.wire.as_str(), value))
    });
    Ok(encode::object(pairs.collect::<Result<Vec<_>, String>>()?))
}

fn in_words(bytes: &Bytes) -> String {
    format!("<{}>", counted(bytes.len(), "byte"))
}
