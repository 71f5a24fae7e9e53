//! What of a program cannot work, seen before it runs: operations and parameters that
//! there are not.

use crate::dialogue::Program;
use crate::domain::{Domain, call_sites, methods_of};

/// The first call of a program that its API does not know, as a clause after "the program".
pub(super) fn misuse(program: &Program, domain: &Domain) -> Option<String> {
    unknown_method(program, domain).or_else(|| unknown_parameter(program, domain))
}

fn unknown_method(program: &Program, domain: &Domain) -> Option<String> {
    let handle = domain.handle.as_ref()?;
    let global = &handle.name;
    let helps = |name: &str| handle.helpers.iter().any(|helper| helper == name);
    let known = |name: &str| domain.operation(name).is_some() || helps(name);
    let mut methods = methods_of(program, global).into_iter();
    let unknown = methods.find(|name| !known(name))?;
    let operations: Vec<&str> = domain.operation_names().collect();
    let hint = match nearest(&unknown, &operations) {
        Some(near) => format!("; there is {global}.{near}"),
        None => String::new(),
    };
    Some(format!(
        "calls {global}.{unknown}, which there is not{hint}"
    ))
}

fn unknown_parameter(program: &Program, domain: &Domain) -> Option<String> {
    for site in call_sites(program, domain) {
        // What is passed on by its name has parameters of the one who passes it on, too.
        let mut keywords = site.keywords.iter().filter(|_| !site.by_name);
        let operation = &site.operation;
        let unknown = keywords.find(|(name, _)| !domain.accepts(operation, name));
        if let Some((name, _)) = unknown {
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
