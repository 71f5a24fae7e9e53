//! The policy of a form: until when it may be sent, and with which fields.

use super::Form;
use crate::domain::Refusal;
use crate::refusal;
use jiff::Timestamp;
use serde_json::Value as Json;

/// The fields that a policy need not name.
const FREE: &[&str] = &[
    "policy",
    "signature",
    "awsaccesskeyid",
    "x-amz-signature",
    "file",
    "submit",
];

fn invalid(why: &str) -> Refusal {
    Refusal::new(
        400,
        "InvalidPolicyDocument",
        format!("Invalid Policy: {why}"),
    )
}

fn not_allowed(why: &str) -> Refusal {
    Refusal::new(
        403,
        "AccessDenied",
        format!("Invalid according to Policy: {why}"),
    )
}

/// Refuses a form that its policy does not allow. `policy` is its JSON.
///
/// # Errors
/// `InvalidPolicyDocument`, `AccessDenied`, `EntityTooLarge` or `EntityTooSmall`.
pub fn check(form: &Form, policy: &[u8]) -> Result<(), Refusal> {
    let policy: Json = serde_json::from_slice(policy).map_err(|_| invalid("Invalid JSON."))?;
    let expiration = policy.get("expiration");
    let expiration = expiration.ok_or_else(|| invalid("Policy missing expiration."))?;
    let expiration = expiration.as_str().unwrap_or_default();
    let end = expiration_time(expiration)
        .ok_or_else(|| invalid(&format!("Invalid 'expiration' value: '{expiration}'")))?;
    let conditions = policy.get("conditions").and_then(Json::as_array);
    let conditions = conditions.ok_or_else(|| invalid("Policy missing conditions."))?;
    let conditions = conditions.iter().map(Condition::read);
    let conditions: Vec<Condition<'_>> = conditions.collect::<Result<_, _>>()?;
    if end <= Timestamp::now() {
        return Err(not_allowed("Policy expired."));
    }
    for condition in &conditions {
        condition.check(form)?;
    }
    let is_named = |name: &str| conditions.iter().any(|it| it.field() == Some(name));
    let mut names = form.fields.iter().map(|(name, _)| name.as_str());
    let extra = names
        .find(|name| !FREE.contains(name) && !name.starts_with("x-ignore-") && !is_named(name));
    match extra {
        Some(name) => Err(not_allowed(&format!("Extra input fields: {name}"))),
        None => Ok(()),
    }
}

/// The time that an expiration says. S3 takes one form of ISO 8601 only, in UTC:
/// `2030-01-01T12:00:00.000Z`.
fn expiration_time(text: &str) -> Option<Timestamp> {
    let is_utc = text.as_bytes().get(10) == Some(&b'T') && text.ends_with('Z');
    text.parse().ok().filter(|_| is_utc)
}

/// A condition of a policy. Names of fields are in lower case.
enum Condition<'p> {
    Equal(String, &'p str),
    StartsWith(String, &'p str),
    Length(u64, u64),
}

impl<'p> Condition<'p> {
    fn read(json: &'p Json) -> Result<Self, Refusal> {
        match json {
            Json::Object(pairs) => {
                let mut pairs = pairs.iter();
                match (pairs.next(), pairs.next()) {
                    (Some((name, Json::String(value))), None) => {
                        Ok(Condition::Equal(name.to_ascii_lowercase(), value))
                    }
                    _ => Err(invalid(
                        "Invalid Simple-Condition: Simple-Conditions must have exactly one \
                         property specified.",
                    )),
                }
            }
            Json::Array(items) => Self::of_list(items),
            _ => Err(invalid(
                "Invalid Condition: it is neither a list nor an object.",
            )),
        }
    }

    fn of_list(items: &'p [Json]) -> Result<Self, Refusal> {
        let [kind, first, second] = items else {
            return Err(invalid("Invalid Condition: wrong number of arguments."));
        };
        let kind = kind.as_str().unwrap_or_default().to_ascii_lowercase();
        if kind == "content-length-range" {
            // Clients write the numbers as texts, too.
            let number = |json: &Json| match json {
                Json::String(text) => text.parse().ok(),
                other => other.as_u64(),
            };
            return match (number(first), number(second)) {
                (Some(least), Some(most)) => Ok(Condition::Length(least, most)),
                _ => Err(invalid(
                    "Invalid content-length-range: it needs two numbers.",
                )),
            };
        }
        let field = first.as_str().and_then(|text| text.strip_prefix('$'));
        let (Some(field), Some(value)) = (field, second.as_str()) else {
            return Err(invalid("Invalid Condition: it needs a $field and a text."));
        };
        let field = field.to_ascii_lowercase();
        match kind.as_str() {
            "eq" => Ok(Condition::Equal(field, value)),
            "starts-with" => Ok(Condition::StartsWith(field, value)),
            other => Err(invalid(&format!(
                "Invalid Condition: unknown operation '{other}'."
            ))),
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Condition::Equal(field, _) | Condition::StartsWith(field, _) => Some(field),
            Condition::Length(..) => None,
        }
    }

    fn check(&self, form: &Form) -> Result<(), Refusal> {
        let value = |field: &str| match field {
            "bucket" => form.bucket.clone(),
            "key" => form.key.clone(),
            other => form.field(other).unwrap_or_default().to_owned(),
        };
        let (holds, text) = match self {
            Condition::Length(least, most) => return length(form.file.len(), *least, *most),
            Condition::Equal(field, wanted) => (
                value(field) == *wanted,
                format!("[\"eq\", \"${field}\", \"{wanted}\"]"),
            ),
            // Several types of content are a list.
            Condition::StartsWith(field, prefix) if field == "content-type" => (
                value(field).split(',').all(|one| one.starts_with(prefix)),
                format!("[\"starts-with\", \"${field}\", \"{prefix}\"]"),
            ),
            Condition::StartsWith(field, prefix) => (
                value(field).starts_with(prefix),
                format!("[\"starts-with\", \"${field}\", \"{prefix}\"]"),
            ),
        };
        match holds {
            true => Ok(()),
            false => Err(not_allowed(&format!("Policy Condition failed: {text}"))),
        }
    }
}

fn length(size: usize, least: u64, most: u64) -> Result<(), Refusal> {
    let size = u64::try_from(size).unwrap_or(u64::MAX);
    if size < least {
        return Err(Refusal::new(
            400,
            "EntityTooSmall",
            "Your proposed upload is smaller than the minimum allowed size",
        )
        .with("ProposedSize", size.to_string())
        .with("MinSizeAllowed", least.to_string()));
    }
    match usize::try_from(most) {
        Ok(limit) if size > most => Err(refusal::too_large(
            usize::try_from(size).unwrap_or(usize::MAX),
            limit,
        )),
        _ => Ok(()),
    }
}
