//! Parameters that carry a secret beside the document's security schemes, such as Slack's header
//! `token`. A program that had to write them would show them to the model, the journal and the
//! user, so they are filled in from the credentials.

use super::Api;
use super::model::{HttpOperation, ParameterLocation, Scheme, SchemeKind};
use super::parameters::One;
use serde_json::Value;

/// Names that can only be those of credentials, in letters.
const PROOFS: [&str; 12] = [
    "accesstoken",
    "apikey",
    "apisecret",
    "apitoken",
    "authkey",
    "authtoken",
    "bearertoken",
    "clientsecret",
    "privatetoken",
    "secretkey",
    "subscriptionkey",
    "usertoken",
];
/// Names that are those of credentials in a header, and elsewhere if their description says so.
const PROBABLE: [&str; 5] = ["authentication", "key", "secret", "token", "password"];
/// Words of descriptions that tell a credential from other tokens.
const WORDS: [&str; 8] = [
    "access token",
    "api key",
    "apikey",
    "auth",
    "bearer",
    "credential",
    "scope",
    "secret",
];

/// Whether a parameter carries a secret.
pub(super) fn is_secret(one: &One<'_>) -> bool {
    let key: String = one
        .wire
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let key = key.to_ascii_lowercase();
    let name = key
        .strip_prefix('x')
        .filter(|_| one.wire.starts_with(['x', 'X']));
    let name = match (one.place, name) {
        (ParameterLocation::Header, Some(name)) => name,
        _ => key.as_str(),
    };
    let is_proof = PROOFS.contains(&name)
        || one.place == ParameterLocation::Header
            && (name.ends_with("apikey") || name.ends_with("accesstoken"));
    match one.place {
        ParameterLocation::Header => is_proof || PROBABLE.contains(&name),
        ParameterLocation::Query | ParameterLocation::Cookie => {
            is_proof || PROBABLE.contains(&name) && is_told(one.part)
        }
        ParameterLocation::Path | ParameterLocation::Body => false,
    }
}

/// Whether the description of a parameter speaks of a credential.
fn is_told(part: Option<&Value>) -> bool {
    let text = part.and_then(|part| part.get("description")?.as_str());
    let text = text.unwrap_or_default().to_ascii_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// The schemes of an operation whose secret such a parameter takes: those for keys if it is
/// called a key, and else those for tokens first.
pub(super) fn fitting<'a>(
    api: &'a Api,
    operation: &'a HttpOperation,
    wire: &str,
) -> impl Iterator<Item = &'a Scheme> + use<'a> {
    let is_key = wire.to_ascii_lowercase().ends_with("key");
    let named = operation.security.iter().flatten();
    let named: Vec<&str> = named.map(String::as_str).collect();
    let of_operation = move |it: &&Scheme| named.is_empty() || named.contains(&it.name.as_str());
    let mut fitting: Vec<&Scheme> = api.schemes.iter().filter(of_operation).collect();
    fitting.retain(|scheme| match scheme.kind {
        SchemeKind::Header(_) | SchemeKind::Query(_) | SchemeKind::Cookie(_) => true,
        SchemeKind::Bearer => !is_key,
        SchemeKind::Basic | SchemeKind::Unknown(_) => false,
    });
    fitting.sort_by_key(|scheme| scheme.kind != SchemeKind::Bearer);
    fitting.into_iter()
}
