//! What of a program cannot work, seen before it runs: operations and parameters that
//! there are not.

use crate::dialogue::Program;
use crate::domain::{Calls, Domain};

/// The first call of a program that its API does not know, as a clause after "the program".
pub(super) fn misuse(program: &Program, domain: &Domain) -> Option<String> {
    let calls = Calls::of(program, domain);
    unknown_method(&calls, domain).or_else(|| unknown_parameter(&calls, domain))
}

fn unknown_method(calls: &Calls, domain: &Domain) -> Option<String> {
    let handle = domain.handle.as_ref()?;
    let global = &handle.name;
    let helps = |name: &str| handle.helpers.iter().any(|helper| helper == name);
    let known = |name: &str| domain.operation(name).is_some() || helps(name);
    let unknown = calls.methods.iter().find(|name| !known(name))?;
    let operations: Vec<&str> = domain.operation_names().collect();
    let hint = match nearest(unknown, &operations) {
        Some(near) => format!("; there is {global}.{near}"),
        None => String::new(),
    };
    Some(format!(
        "calls {global}.{unknown}, which there is not{hint}"
    ))
}

fn unknown_parameter(calls: &Calls, domain: &Domain) -> Option<String> {
    for site in calls.sites.iter().filter(|site| !site.by_name) {
        let mut keywords = site.keywords.iter().map(|keyword| &keyword.name);
        let operation = &site.operation;
        let unknown = keywords.find(|name| !domain.accepts(operation, name));
        if let Some(name) = unknown {
            let takes = domain.parameters(operation).join(", ");
            return Some(format!(
                "calls {operation} with {name}, which it does not take; it takes {takes}"
            ));
        }
    }
    None
}

/// What is spelt most alike, if anything is at all.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = similar::get_close_matches(name, known, 1, 0.75);
    near.first().copied()
}
