//! Encodes values for paths, queries, headers and forms.

use super::model::{Parameter, Style, StyleKind};
use crate::domain::Value;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value as Json;

/// All characters but the unreserved ones of RFC 3986.
const ALL: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Further characters that stay in a path.
const IN_PATH: &AsciiSet = &ALL
    .remove(b'/')
    .remove(b':')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// Further characters that stay in a query, because they do not end a value.
const IN_QUERY: &AsciiSet = &ALL
    .remove(b'/')
    .remove(b':')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';')
    .remove(b'?');

/// A text with all reserved characters percent-encoded.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ALL).to_string()
}

/// A value as the text of its JSON: bytes in base64, a time as RFC 3339 writes it, integers with
/// all their digits.
pub(super) fn json(value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Null | Value::File(_) => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(int) => int.to_string(),
        Value::BigInt(digits) => digits.clone(),
        Value::Float(float) => match serde_json::Number::from_f64(*float) {
            Some(number) => number.to_string(),
            None => return Err(format!("{float} has no form in JSON")),
        },
        Value::Str(text) => quoted(text),
        Value::Bytes(bytes) => quoted(&STANDARD.encode(bytes)),
        Value::Time(time) => quoted(&time.to_string()),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(json).collect::<Result<_, _>>()?;
            format!("[{}]", items.join(","))
        }
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, it)| Ok((&**key, json(it)?)));
            object(pairs.collect::<Result<Vec<_>, String>>()?)
        }
    })
}

/// A text in JSON.
pub(super) fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// The JSON object with these keys and these values, which are JSON.
pub(super) fn object<'k>(pairs: impl IntoIterator<Item = (&'k str, String)>) -> String {
    let pairs = pairs.into_iter();
    let pairs: Vec<String> = pairs
        .map(|(key, json)| format!("{}:{json}", quoted(key)))
        .collect();
    format!("{{{}}}", pairs.join(","))
}

/// A value as text. Lists and dicts become JSON.
pub(super) fn text(value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Null | Value::File(_) => String::new(),
        Value::Str(text) => text.clone(),
        Value::Bytes(bytes) => STANDARD.encode(bytes),
        Value::Time(time) => time.to_string(),
        other => json(other)?,
    })
}

/// The parts of a value, each as text.
enum Parts {
    One(String),
    List(Vec<String>),
    Dict(Vec<(String, String)>),
}

fn parts(value: &Value) -> Result<Parts, String> {
    Ok(match value {
        Value::List(items) => Parts::List(items.iter().map(text).collect::<Result<_, _>>()?),
        Value::Map(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(key, it)| Ok((key.to_string(), text(it)?)));
            Parts::Dict(pairs.collect::<Result<_, String>>()?)
        }
        other => Parts::One(text(other)?),
    })
}

/// A value as it replaces its placeholder in a path.
pub(super) fn in_path(parameter: &Parameter, value: &Value) -> Result<String, String> {
    let Style {
        form,
        explodes,
        keeps_reserved,
    } = parameter.style;
    let set = if keeps_reserved { IN_PATH } else { ALL };
    let code = |text: &str| utf8_percent_encode(text, set).to_string();
    let name = encoded(&parameter.wire);
    let parts = match form {
        StyleKind::Json => Parts::One(json(value)?),
        _ => parts(value)?,
    };
    let (prefix, separator) = match (form, explodes) {
        (StyleKind::Label, true) => (".".to_owned(), ".".to_owned()),
        (StyleKind::Label, false) => (".".to_owned(), ",".to_owned()),
        (StyleKind::Matrix, true) => (format!(";{name}="), format!(";{name}=")),
        (StyleKind::Matrix, false) => (format!(";{name}="), ",".to_owned()),
        _ => (String::new(), ",".to_owned()),
    };
    let text = match parts {
        Parts::One(one) => format!("{prefix}{}", code(&one)),
        Parts::List(items) => {
            let items: Vec<String> = items.iter().map(|it| code(it)).collect();
            format!("{prefix}{}", items.join(&separator))
        }
        Parts::Dict(pairs) if explodes => {
            let pairs = pairs
                .iter()
                .map(|(key, it)| format!("{}={}", code(key), code(it)));
            let pairs: Vec<String> = pairs.collect();
            match form {
                StyleKind::Label => format!(".{}", pairs.join(".")),
                StyleKind::Matrix => format!(";{}", pairs.join(";")),
                _ => pairs.join(","),
            }
        }
        Parts::Dict(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(key, it)| format!("{},{}", code(key), code(it)));
            format!("{prefix}{}", pairs.collect::<Vec<_>>().join(","))
        }
    };
    match text.is_empty() {
        // An empty segment would change the path.
        true => Err("must not be empty".to_owned()),
        false => Ok(text),
    }
}

pub(super) fn in_header(parameter: &Parameter, value: &Value) -> Result<String, String> {
    let text = match (parameter.style.form, parts(value)?) {
        (StyleKind::Json, _) => json(value)?,
        (_, Parts::One(one)) => one,
        (_, Parts::List(items)) => items.join(","),
        (_, Parts::Dict(pairs)) => {
            let between = if parameter.style.explodes { "=" } else { "," };
            let pairs = pairs.iter().map(|(key, it)| format!("{key}{between}{it}"));
            pairs.collect::<Vec<_>>().join(",")
        }
    };
    match text.chars().any(|c| c.is_control()) {
        true => Err("must not have line breaks or control characters".to_owned()),
        false => Ok(text),
    }
}

/// A value as pairs of a query or a form, both sides encoded.
pub(super) fn pairs(parameter: &Parameter, value: &Value) -> Result<Vec<(String, String)>, String> {
    let Style {
        form,
        explodes,
        keeps_reserved,
    } = parameter.style;
    let set = if keeps_reserved { IN_QUERY } else { ALL };
    let code = |text: &str| utf8_percent_encode(text, set).to_string();
    let name = encoded(&parameter.wire);
    if form == StyleKind::Json {
        return Ok(vec![(name, code(&json(value)?))]);
    }
    if form == StyleKind::DeepObject {
        let mut found = Vec::new();
        deep(&mut found, &parameter.wire, value)?;
        return Ok(found);
    }
    let separator = match form {
        StyleKind::SpaceDelimited => "%20",
        StyleKind::PipeDelimited => "%7C",
        StyleKind::TabDelimited => "%09",
        _ => ",",
    };
    Ok(match parts(value)? {
        Parts::One(one) => vec![(name, code(&one))],
        Parts::List(items) if explodes => {
            let items = items.iter().map(|it| (name.clone(), code(it)));
            items.collect()
        }
        Parts::Dict(_) if form == StyleKind::Content => vec![(name, code(&json(value)?))],
        Parts::List(items) if items.is_empty() => Vec::new(),
        Parts::List(items) => {
            let items: Vec<String> = items.iter().map(|it| code(it)).collect();
            vec![(name, items.join(separator))]
        }
        Parts::Dict(pairs) if explodes => {
            let pairs = pairs.iter().map(|(key, it)| (encoded(key), code(it)));
            pairs.collect()
        }
        Parts::Dict(pairs) => {
            let flat = pairs.iter().flat_map(|(key, it)| [code(key), code(it)]);
            vec![(name, flat.collect::<Vec<_>>().join(separator))]
        }
    })
}

/// `name[key][inner]=value`. Lists of dicts, and lists that are no value of a dict, number their
/// items: `name[0][key]=value`. Other lists repeat their name.
fn deep(found: &mut Vec<(String, String)>, name: &str, value: &Value) -> Result<(), String> {
    let is_nested = |item: &Value| matches!(item, Value::Map(_) | Value::List(_));
    match value {
        Value::List(items) if !name.ends_with(']') || items.iter().any(is_nested) => {
            for (index, item) in items.iter().enumerate() {
                deep(found, &format!("{name}[{index}]"), item)?;
            }
        }
        Value::Map(pairs) => {
            for (key, inner) in pairs {
                deep(found, &format!("{name}[{key}]"), inner)?;
            }
        }
        Value::List(items) => {
            for item in items {
                found.push((encoded(name), encoded(&text(item)?)));
            }
        }
        other => found.push((encoded(name), encoded(&text(other)?))),
    }
    Ok(())
}
