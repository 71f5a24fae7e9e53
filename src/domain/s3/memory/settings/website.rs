//! How a bucket would be shown as a website. No site is served.

use super::Context;
use crate::domain::{Refusal, Value};

/// Checks that there is an index, or that all requests go elsewhere.
pub fn check(_: &Context<'_>, value: Value) -> Result<Value, Refusal> {
    let invalid = |message: &str| Err(Refusal::new(400, "InvalidArgument", message));
    let has = |name| value.get(name).is_some();
    if has("RedirectAllRequestsTo") {
        let others = ["IndexDocument", "ErrorDocument", "RoutingRules"];
        return match others.into_iter().any(has) {
            true => invalid(
                "RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules.",
            ),
            false => Ok(value),
        };
    }
    let index = value
        .get("IndexDocument")
        .and_then(|it| it.get("Suffix")?.as_str());
    match index {
        None => invalid(
            "A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty",
        ),
        Some(suffix) if suffix.is_empty() || suffix.contains('/') => {
            invalid("The IndexDocument Suffix is not well formed")
        }
        Some(_) => Ok(value),
    }
}
