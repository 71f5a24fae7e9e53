//! Whether `[places]` and `errors` of `domain.toml` name what there is.

use super::Finding;
use crate::folder::assemble::API;
use crate::folder::definition::{Definition, FILE, is_identifier};
use crate::folder::stub::Stub;
use crate::folder::touches::{Segment, segments};

pub(super) fn check(definition: &Definition, api: &Stub, findings: &mut Vec<Finding>) {
    for (operation, template) in &definition.places {
        let Some(function) = api.function(operation) else {
            continue;
        };
        let is_read = definition.reads.contains(operation);
        for segment in segments(template) {
            let Segment::Parameter(name) = segment else {
                continue;
            };
            let parameter = function.parameters.iter().find(|it| it.name == name);
            let problem = match parameter.map(|it| &it.collection) {
                None => format!(
                    "the place of {operation} names {name}, which is not one of its parameters"
                ),
                Some(Some(declared)) if !is_read => format!(
                    "the place of {operation} names {name}, which is {declared} in {API}: no such \
                     value names a record, so calls with one are denied"
                ),
                Some(_) => continue,
            };
            let line = definition.lines.operation(operation);
            findings.push(Finding::at(FILE, line, problem));
        }
    }
    for (exception, line) in &definition.lines.errors {
        if !is_identifier(exception) {
            let problem = format!("{exception:?} is not the name of an exception");
            findings.push(Finding::at(FILE, *line, problem));
        }
    }
}
