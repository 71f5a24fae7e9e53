//! Calls of operations, or with parameters, that the API does not have.

use super::{Lint, Suspect};

pub(super) struct UnknownCall;

impl Lint for UnknownCall {
    fn name(&self) -> &'static str {
        "unknown-call"
    }

    fn check(&self, suspect: &Suspect<'_>) -> Option<String> {
        unknown_method(suspect).or_else(|| unknown_parameter(suspect))
    }
}

fn unknown_method(suspect: &Suspect<'_>) -> Option<String> {
    let domain = suspect.domain;
    let handle = domain.api.handle.as_ref()?;
    let global = &handle.name;
    let is_helper = |name: &str| handle.helpers.iter().any(|helper| helper == name);
    let is_known = |name: &str| domain.operation(name).is_some() || is_helper(name);
    let unknown = suspect.calls.methods.iter().find(|name| !is_known(name))?;
    let operations: Vec<&str> = domain.operation_names().collect();
    let hint = match nearest(unknown, &operations) {
        Some(near) => format!("; there is {global}.{near}"),
        None => String::new(),
    };
    Some(format!(
        "calls {global}.{unknown}, which there is not{hint}"
    ))
}

fn unknown_parameter(suspect: &Suspect<'_>) -> Option<String> {
    let domain = suspect.domain;
    // A helper that is given an operation's name has parameters of its own as well.
    let direct = suspect.calls.sites.iter().filter(|site| !site.by_name);
    for site in direct {
        let operation = &site.operation;
        let mut names = site.keywords.iter().map(|keyword| &keyword.name);
        if let Some(name) = names.find(|name| !domain.accepts(operation, name)) {
            let takes = domain.parameters(operation).join(", ");
            return Some(format!(
                "calls {operation} with {name}, which it does not take; it takes {takes}"
            ));
        }
    }
    None
}

/// The known name that is spelt most alike, if any is similar at all.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = similar::get_close_matches(name, known, 1, 0.75);
    near.first().copied()
}
