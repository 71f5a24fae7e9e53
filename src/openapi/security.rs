//! The security schemes and the server addresses of a document.

use super::document::{Document, OpenapiVersion, items, pairs, text};
use super::model::{ParameterLocation, Scheme, SchemeKind};
use super::prose;
use serde_json::Value;

/// The schemes of a document, by name.
pub(super) fn schemes(document: &Document) -> Vec<Scheme> {
    let keys: &[&str] = match document.version {
        OpenapiVersion::V2 => &["securityDefinitions"],
        _ => &["components", "securitySchemes"],
    };
    let read = document.pairs(keys).filter_map(|(name, part)| {
        let part = document.here(part)?;
        Some(Scheme {
            name: name.clone(),
            kind: kind(part),
            doc: prose::sentence(text(part, "description").unwrap_or_default(), 160),
        })
    });
    read.collect()
}

/// The places and names under which the schemes put their keys.
pub(super) fn keys(document: &Document) -> Vec<(ParameterLocation, String)> {
    let keys = schemes(document)
        .into_iter()
        .filter_map(|scheme| match scheme.kind {
            SchemeKind::Header(name) => Some((ParameterLocation::Header, name)),
            SchemeKind::Query(name) => Some((ParameterLocation::Query, name)),
            SchemeKind::Cookie(name) => Some((ParameterLocation::Cookie, name)),
            _ => None,
        });
    keys.collect()
}

fn kind(part: &Value) -> SchemeKind {
    let name = text(part, "name").unwrap_or_default().to_owned();
    let http = text(part, "scheme")
        .unwrap_or_default()
        .to_ascii_lowercase();
    match (text(part, "type"), text(part, "in")) {
        (Some("apiKey"), _) if name.is_empty() => SchemeKind::Unknown("apiKey".to_owned()),
        (Some("apiKey"), Some("header")) => SchemeKind::Header(name),
        (Some("apiKey"), Some("query")) => SchemeKind::Query(name),
        (Some("apiKey"), Some("cookie")) => SchemeKind::Cookie(name),
        (Some("basic"), _) => SchemeKind::Basic,
        (Some("http"), _) if http == "basic" => SchemeKind::Basic,
        (Some("http"), _) if http == "bearer" => SchemeKind::Bearer,
        (Some("oauth2" | "openIdConnect"), _) => SchemeKind::Bearer,
        (Some("http"), _) => SchemeKind::Unknown(http),
        (kind, _) => SchemeKind::Unknown(kind.unwrap_or_default().to_owned()),
    }
}

/// The alternatives of schemes that authorise an operation: its own, or the document's.
pub(super) fn of_operation(document: &Document, operation: &Value) -> Vec<Vec<String>> {
    match operation.get("security") {
        // An empty list means: none is needed.
        Some(Value::Array(own)) if own.is_empty() => vec![Vec::new()],
        Some(Value::Array(_)) => alternatives(operation),
        _ => alternatives(&document.root),
    }
}

fn alternatives(part: &Value) -> Vec<Vec<String>> {
    let one = |it: &Value| it.as_object().map(|it| it.keys().cloned().collect());
    let read = items(part, "security").iter().filter_map(one);
    read.collect()
}

/// The base URLs of a document as they are written: absolute or relative (`/v1`).
pub(super) fn servers(document: &Document) -> Vec<String> {
    let root = &document.root;
    match document.version {
        OpenapiVersion::V2 => servers_v2(root),
        _ => items(root, "servers").iter().filter_map(server).collect(),
    }
}

fn servers_v2(root: &Value) -> Vec<String> {
    let path = text(root, "basePath")
        .unwrap_or_default()
        .trim_end_matches('/');
    let Some(host) = text(root, "host").filter(|host| !host.is_empty()) else {
        let has_path = (!path.is_empty()).then(|| path.to_owned());
        return has_path.into_iter().collect();
    };
    let schemes = items(root, "schemes").iter().filter_map(Value::as_str);
    let mut schemes: Vec<&str> = schemes
        .filter(|it| matches!(*it, "http" | "https"))
        .collect();
    if schemes.is_empty() {
        // The scheme is the one by which the document was fetched.
        return vec![format!("//{host}{path}")];
    }
    schemes.sort_by_key(|scheme| *scheme != "https");
    let urls = schemes
        .iter()
        .map(|scheme| format!("{scheme}://{host}{path}"));
    urls.collect()
}

/// A server of its own that an operation or a path has.
pub(super) fn own_server(part: &Value) -> Option<String> {
    items(part, "servers").iter().find_map(server)
}

/// The URL of a server, its variables replaced by their defaults.
fn server(part: &Value) -> Option<String> {
    let mut url = text(part, "url")?.trim().to_owned();
    for (name, variable) in pairs(part, "variables").take(50) {
        let default = match variable.get("default") {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => continue,
        };
        // Defaults that hold placeholders must not let the text grow without end.
        if url.len() + default.len() < 2000 {
            url = url.replace(&format!("{{{name}}}"), &default);
        }
    }
    let is_short = url.len() < 4000;
    is_short.then(|| url.trim_end_matches('/').to_owned())
}
