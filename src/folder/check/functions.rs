//! Whether `world.py` has what `api.pyi` promises.

use super::Finding;
use crate::folder::assemble::{API, WORLD};
use crate::folder::stub::{Function, Stub};

/// Compares the functions and exceptions of both. `builtins` are further exceptions that
/// calls may raise.
pub(super) fn check(api: &Stub, world: &Stub, builtins: &[String], findings: &mut Vec<Finding>) {
    for promised in &api.functions {
        let (name, line) = (&promised.name, promised.line);
        if promised.takes_more {
            let problem =
                format!("{name} takes *args or **kwargs; an operation names its parameters");
            findings.push(Finding::at(API, line, problem));
        }
        if !promised.is_documented {
            findings.push(Finding::at(
                API,
                line,
                format!("{name} has no docstring for the model to read"),
            ));
        }
        match world.function(name) {
            Some(function) => parameters(promised, function, findings),
            None => findings.push(Finding::at(
                API,
                line,
                format!("{name} is not defined in {WORLD}"),
            )),
        }
    }
    for function in &world.functions {
        let first = world.function(&function.name);
        if let Some(first) = first.filter(|first| first.line != function.line) {
            let problem = format!(
                "{} is defined twice, first in line {}; the later one counts",
                function.name, first.line
            );
            findings.push(Finding::at(WORLD, function.line, problem));
        } else if api.function(&function.name).is_none() {
            let problem = format!(
                "{name} is not in {API}, so no program can call it; call it _{name} if that is meant",
                name = function.name
            );
            findings.push(Finding::at(WORLD, function.line, problem));
        }
    }
    for (name, line) in &api.exceptions {
        if !world.names.contains(name) && !builtins.contains(name) {
            let problem = format!("{WORLD} has no exception {name}, so no call raises it");
            findings.push(Finding::at(API, *line, problem));
        }
    }
    for (name, line) in &world.exceptions {
        if !name.starts_with('_') && !api.exceptions.iter().any(|(known, _)| known == name) {
            let problem =
                format!("{API} does not have the exception {name}, so programs cannot name it");
            findings.push(Finding::at(WORLD, *line, problem));
        }
    }
    for (name, line) in &world.globals {
        let problem = format!("the global {name} is lost between calls; keep it in the state");
        findings.push(Finding::at(WORLD, *line, problem));
    }
    for line in &world.prints {
        let problem = "nobody sees what is printed; return it, or raise an error that says it";
        findings.push(Finding::at(WORLD, *line, problem));
    }
}

fn parameters(promised: &Function, function: &Function, findings: &mut Vec<Finding>) {
    let (name, line) = (&promised.name, function.line);
    if function.is_async {
        findings.push(Finding::at(
            WORLD,
            line,
            format!("{name} is async; an operation is a plain function"),
        ));
    }
    let Some((_, rest)) = function.parameters.split_first() else {
        let problem = format!("{name} has no parameter for the state, which comes first");
        findings.push(Finding::at(WORLD, line, problem));
        return;
    };
    for parameter in &promised.parameters {
        let known = rest.iter().find(|it| it.name == parameter.name);
        let problem = match known {
            None if function.takes_more => continue,
            None => format!(
                "{name} lacks the parameter {}, which {API} has",
                parameter.name
            ),
            Some(known) if known.is_required && !parameter.is_required => format!(
                "{name} requires {}, which has a default in {API}",
                parameter.name
            ),
            Some(known) => match (&parameter.default, &known.default) {
                (Some(promised), Some(own)) if !is_same(promised, own) => format!(
                    "{name} has {}={own}, and {API} says {promised}",
                    parameter.name
                ),
                _ => continue,
            },
        };
        findings.push(Finding::at(WORLD, line, problem));
    }
    for parameter in rest {
        let is_promised = promised
            .parameters
            .iter()
            .any(|it| it.name == parameter.name);
        if parameter.is_required && !is_promised {
            let problem = format!(
                "{name} requires {}, which {API} does not have",
                parameter.name
            );
            findings.push(Finding::at(WORLD, line, problem));
        }
    }
}

/// Whether two defaults are alike. A stub may leave its own open.
fn is_same(promised: &str, own: &str) -> bool {
    let plain = |text: &str| text.replace('\'', "\"");
    promised == "..." || plain(promised) == plain(own)
}
