//! Whether the policy can be read, and names operations and records that exist.

use super::{Finding, line_and_problem};
use crate::domain::Access;
use crate::error::line_of;
use crate::folder::Folder;
use crate::folder::assemble::POLICY;
use crate::folder::definition::FILE;
use crate::folder::touches::{Segment, segments};
use crate::policy::{Glob, Lines, Policy, Rule};

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
    if !policy.is_about_places() || folder.code.is_none() {
        return;
    }
    let first = policy.rules.iter().position(Rule::is_about_places);
    let first = first.and_then(|number| lines.rule(number));
    for operation in &folder.domain.operations {
        let has_place = folder.definition.places.contains_key(&*operation.name);
        if operation.effect != Access::Read && !has_place {
            let problem = format!(
                "has rules about places, but {} names none: add it to [places] in {FILE}",
                operation.name
            );
            found(first, problem);
        }
    }
    for (path, line) in lines.paths() {
        let mut templates = folder.definition.places.values();
        if !templates.any(|template| may_mean(path, template)) {
            let problem = format!(
                "no call has a path like \"{path}\": [places] in {FILE} says which there are"
            );
            found(Some(line), problem);
        }
    }
}

/// Whether some path of a template, or what it stands in, can be meant by a glob.
fn may_mean(glob: &Glob, template: &str) -> bool {
    let mut path = String::new();
    for segment in segments(template) {
        match segment {
            Segment::Text(text) => path += &text,
            Segment::Parameter(_) => return glob.may_begin(&path),
        }
        if glob.matches(&path) {
            return true;
        }
        path.push('/');
    }
    false
}
