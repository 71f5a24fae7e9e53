//! Which origins may ask from a browser.

use super::Context;
use crate::domain::{Refusal, Value};
use crate::refusal;

const METHODS: [&str; 5] = ["GET", "PUT", "HEAD", "POST", "DELETE"];
const MOST: usize = 100;

/// Checks the rules.
pub fn check(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let rules = value
        .get("CORSRules")
        .and_then(Value::as_list)
        .unwrap_or_default();
    if rules.is_empty() || rules.len() > MOST {
        return Err(refusal::malformed_xml());
    }
    let invalid = |message: String| Err(Refusal::new(400, "InvalidRequest", message));
    for rule in rules {
        let texts = |name| rule.get(name).and_then(Value::as_list).unwrap_or_default();
        for method in texts("AllowedMethods").iter().filter_map(Value::as_str) {
            if !METHODS.contains(&method) {
                return invalid(format!(
                    "Found unsupported HTTP method in CORS config. Unsupported method is {method}"
                ));
            }
        }
        for header in texts("ExposeHeaders").iter().filter_map(Value::as_str) {
            if header.contains('*') {
                return invalid(format!(
                    "ExposeHeader \"{header}\" contains wildcard. We currently do not support \
                     wildcard for ExposeHeader."
                ));
            }
        }
        for (name, what) in [
            ("AllowedOrigins", "AllowedOrigin"),
            ("AllowedHeaders", "AllowedHeader"),
        ] {
            for text in texts(name).iter().filter_map(Value::as_str) {
                if text.matches('*').count() > 1 {
                    return invalid(format!(
                        "{what} \"{text}\" can not have more than one wildcard."
                    ));
                }
            }
        }
    }
    Ok(value)
}
