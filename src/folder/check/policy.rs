//! Whether the policy can be read, and names operations and records that exist.

use super::{Finding, line_and_problem};
use crate::domain::Access;
use crate::error::line_of;
use crate::folder::Folder;
use crate::folder::assemble::POLICY;
use crate::folder::definition::FILE;
use crate::policy::{Lines, Policy, Rule};

pub(super) fn check(folder: &Folder, findings: &mut Vec<Finding>) {
    let Some(text) = &folder.domain.policy else {
        return;
    };
    let mut found = |line: Option<usize>, problem| {
        findings.push(Finding::at(POLICY, line.unwrap_or_default(), problem));
    };
    // If the text is not a policy at all, only the parser knows the line of the mistake.
    if let Err(error) = toml::from_str::<Policy>(text) {
        let line = error.span().map(|span| line_of(text, span.start));
        return found(line, error.message().trim_end().to_owned());
    }
    let lines = Lines::of(text);
    let policy = match Policy::read(text) {
        Ok(policy) => policy,
        Err(problem) => {
            let (line, problem) = line_and_problem(&problem);
            return found(Some(line), problem);
        }
    };
    for (number, glob, problem) in policy.unknown_operations(&folder.domain) {
        found(lines.operation(number, glob), problem);
    }
    let is_code = folder.code.is_some();
    let first = policy.rules.iter().position(Rule::is_about_places);
    let first = first.and_then(|number| lines.rule(number));
    for operation in &folder.domain.api.operations {
        let has_place = folder.definition.places.contains_key(&*operation.name);
        if is_code && policy.is_about_places() && operation.effect != Access::Read && !has_place {
            let problem = format!(
                "has rules about places, but {} names none: add it to [places] in {FILE}",
                operation.name
            );
            found(first, problem);
        }
    }
    for idle in policy.idle(&folder.domain) {
        let of_rule = || idle.rule.and_then(|number| lines.rule(number));
        match &idle.path {
            Some(path) => {
                let line = lines.paths().find(|(known, _)| *known == path);
                let problem = format!(
                    "no call has a path like \"{path}\": [places] in {FILE} says which there are"
                );
                let problem = if is_code { problem } else { idle.to_string() };
                found(line.map(|(_, line)| line).or_else(of_rule), problem);
            }
            None => found(of_rule(), idle.to_string()),
        }
    }
}
