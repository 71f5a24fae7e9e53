//! Whether `[places]` and `errors` of `domain.toml` name what there is.

use super::Finding;
use crate::folder::definition::{Definition, FILE, is_identifier};
use crate::folder::stub::Stub;
use crate::folder::touches::{Segment, segments};

pub(super) fn check(definition: &Definition, api: &Stub, findings: &mut Vec<Finding>) {
    for (operation, template) in &definition.places {
        let Some(function) = api.function(operation) else {
            continue;
        };
        for segment in segments(template) {
            if let Segment::Parameter(name) = segment
                && !function.parameters.iter().any(|it| it.name == name)
            {
                let problem =
                    format!("the place of {operation} names {name}, which is no parameter of it");
                let line = definition.lines.operation(operation);
                findings.push(Finding::at(FILE, line, problem));
            }
        }
    }
    for (exception, line) in &definition.lines.errors {
        if !is_identifier(exception) {
            let problem = format!("{exception:?} is not the name of an exception");
            findings.push(Finding::at(FILE, *line, problem));
        }
    }
}
