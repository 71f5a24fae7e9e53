//! What the SDK leaves unread in the XML of an answer.

use crate::domain::{Map, Value};

/// Elements of `<Error>` that botocore keeps elsewhere, and beginnings of those that
/// repeat the credentials or what was signed with them.
const LEFT_OUT: &[&str] = &["Code", "Message", "RequestId", "HostId"];
const SECRET: &[&str] = &[
    "AWSAccessKeyId",
    "StringToSign",
    "Signature",
    "Canonical",
    "Token",
];

/// The other elements of `<Error>`, which botocore puts beside code and message.
pub(super) fn details(xml: &str) -> Map {
    let mut found = Map::new();
    let Some((_, mut rest)) = xml.split_once("<Error") else {
        return found;
    };
    while let Some((name, text, after)) = element(rest) {
        let is_secret = SECRET.iter().any(|secret| name.starts_with(secret));
        if !is_secret && !LEFT_OUT.contains(&name) {
            found.push((name.to_owned().into(), Value::Str(unescaped(text))));
        }
        rest = after;
    }
    found
}

/// The next element without children: its name, its text and what follows.
fn element(xml: &str) -> Option<(&str, &str, &str)> {
    let (_, from_name) = xml.split_once('<')?;
    let (name, rest) = from_name.split_once('>')?;
    let (text, after) = rest.split_once('<')?;
    match after.strip_prefix('/').and_then(|s| s.strip_prefix(name)) {
        Some(after) => Some((name, text, after.strip_prefix('>')?)),
        // An empty, closing or enclosing tag: go on behind it.
        None => element(rest),
    }
}

/// Text of XML, with its entities and character references read.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('&');
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').unwrap_or((part, ""));
        match entity(name) {
            Some(character) => {
                read.push(character);
                read.push_str(rest);
            }
            None => {
                read.push('&');
                read.push_str(part);
            }
        }
    }
    read
}

fn entity(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "amp" => Some('&'),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

/// The text of the first `<name>` in an answer, where the SDK did not understand it.
pub(super) fn text_of<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("<{name}"))?;
    let (attributes, rest) = rest.split_once('>')?;
    if attributes.ends_with('/') {
        return Some("");
    }
    rest.split_once('<').map(|(text, _)| text)
}
