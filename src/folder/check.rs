//! `domain check`: every way in which the files of a folder do not go together.

use super::assemble::{API, POLICY, WORLD};
use super::definition::{FILE, is_identifier};
use super::gold;
use super::runtime::Runtime;
use super::stub::{Function, Stub};
use super::touches::{Segment, segments};
use super::{Folder, open};
use crate::dataset::Dialogue;
use crate::domain::{Access, StateValue};
use crate::error::{Error, Result};
use crate::exec::Cache;
use crate::policy::Policy;
use std::fmt;
use std::path::Path;

/// Something that does not go together, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, relative to the folder.
    pub file: String,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub problem: String,
}

impl fmt::Display for Finding {
    /// `api.pyi:12: …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.problem),
            line => write!(f, "{}:{line}: {}", self.file, self.problem),
        }
    }
}

/// Checks a folder. It loads every world, so the sandbox is prepared if it is not yet.
///
/// # Errors
/// The sandbox failed. Whatever is wrong with the folder is a finding.
pub async fn check(path: &Path, cache: &Cache) -> Result<Vec<Finding>> {
    let folder = match open(path, cache) {
        Ok(folder) => folder,
        Err(error) => return Ok(vec![finding_of(path, error)?]),
    };
    let mut findings = Vec::new();
    let Some(code) = &folder.code else {
        policy(&folder, &mut findings);
        examples(&folder, &mut findings);
        return Ok(findings);
    };
    match (Stub::read(&path.join(API)), Stub::read(&path.join(WORLD))) {
        (Ok((_, api)), Ok((_, world))) => {
            functions(&api, &world, &mut findings);
            places(&folder, &api, &mut findings);
        }
        (Err(error), _) | (_, Err(error)) => findings.push(finding_of(path, error)?),
    }
    policy(&folder, &mut findings);
    examples(&folder, &mut findings);
    worlds(&folder, &code.runtime, &mut findings).await?;
    if path.join(gold::FILE).exists()
        && let Err(error) = gold::read(path)
    {
        findings.push(finding_of(path, error)?);
    }
    Ok(findings)
}

/// The finding that an error about a file is.
fn finding_of(folder: &Path, error: Error) -> Result<Finding> {
    match error {
        Error::Content { path, problem } => {
            let (line, problem) = match problem.strip_prefix("line ") {
                Some(rest) => match rest.split_once(": ") {
                    Some((line, problem)) => (line.parse().unwrap_or(0), problem.to_owned()),
                    None => (0, problem),
                },
                None => (0, problem),
            };
            Ok(Finding {
                file: relative(folder, &path),
                line,
                problem,
            })
        }
        Error::File {
            action,
            path,
            source,
        } => Ok(Finding {
            file: relative(folder, &path),
            line: 0,
            problem: format!("{action}: {source}"),
        }),
        other => Err(other),
    }
}

fn relative(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder)
        .unwrap_or(path)
        .display()
        .to_string()
}

fn found(file: &str, line: usize, problem: impl Into<String>) -> Finding {
    Finding {
        file: file.to_owned(),
        line,
        problem: problem.into(),
    }
}

/// Whether `world.py` has what `api.pyi` promises.
fn functions(api: &Stub, world: &Stub, findings: &mut Vec<Finding>) {
    for promised in &api.functions {
        let (name, line) = (&promised.name, promised.line);
        if promised.takes_more {
            let problem =
                format!("{name} takes *args or **kwargs; an operation names its parameters");
            findings.push(found(API, line, problem));
        }
        if !promised.is_documented {
            findings.push(found(
                API,
                line,
                format!("{name} has no docstring for the model to read"),
            ));
        }
        match world.function(name) {
            Some(function) => parameters(promised, function, findings),
            None => findings.push(found(
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
            findings.push(found(WORLD, function.line, problem));
        } else if api.function(&function.name).is_none() {
            let problem = format!(
                "{name} is not in {API}, so no program can call it; call it _{name} if that is meant",
                name = function.name
            );
            findings.push(found(WORLD, function.line, problem));
        }
    }
    for (name, line) in &world.exceptions {
        if !name.starts_with('_') && !api.exceptions.iter().any(|(known, _)| known == name) {
            let problem =
                format!("{API} does not have the exception {name}, so programs cannot name it");
            findings.push(found(WORLD, *line, problem));
        }
    }
    for (name, line) in &world.globals {
        let problem = format!("the global {name} is lost between calls; keep it in the state");
        findings.push(found(WORLD, *line, problem));
    }
}

fn parameters(promised: &Function, function: &Function, findings: &mut Vec<Finding>) {
    let (name, line) = (&promised.name, function.line);
    if function.is_async {
        findings.push(found(
            WORLD,
            line,
            format!("{name} is async; an operation is a plain function"),
        ));
    }
    let Some((_, rest)) = function.parameters.split_first() else {
        let problem = format!("{name} has no parameter for the state, which comes first");
        findings.push(found(WORLD, line, problem));
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
            Some(_) => continue,
        };
        findings.push(found(WORLD, line, problem));
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
            findings.push(found(WORLD, line, problem));
        }
    }
}

/// Whether the places name parameters, and whether a policy of paths knows of every write.
fn places(folder: &Folder, api: &Stub, findings: &mut Vec<Finding>) {
    for (operation, template) in &folder.definition.places {
        let function = api.function(operation);
        let known = function
            .map(|it| it.parameters.as_slice())
            .unwrap_or_default();
        for segment in segments(template) {
            if let Segment::Parameter(name) = segment
                && !known.iter().any(|it| it.name == name)
            {
                let problem =
                    format!("the place of {operation} names {name}, which is no parameter of it");
                findings.push(found(FILE, 0, problem));
            }
        }
    }
    for exception in &folder.definition.errors {
        if !is_identifier(exception) {
            findings.push(found(
                FILE,
                0,
                format!("{exception:?} is not the name of an exception"),
            ));
        }
    }
}

fn policy(folder: &Folder, findings: &mut Vec<Finding>) {
    let Some(text) = &folder.domain.policy else {
        return;
    };
    let read = Policy::read(text).and_then(|policy| {
        policy.check(&folder.domain)?;
        Ok(policy)
    });
    let policy = match read {
        Ok(policy) => policy,
        Err(problem) => {
            findings.push(found(POLICY, 0, problem));
            return;
        }
    };
    if !policy.is_about_places() {
        return;
    }
    for operation in &folder.domain.operations {
        let has_place = folder.definition.places.contains_key(&*operation.name);
        if operation.effect != Access::Read && !has_place {
            let problem = format!(
                "has rules about places, but {} names none: add it to [places] in {FILE}",
                operation.name
            );
            findings.push(found(POLICY, 0, problem));
        }
    }
}

fn examples(folder: &Folder, findings: &mut Vec<Finding>) {
    let worlds = &folder.worlds;
    for (path, text) in &folder.domain.examples {
        let file = relative(&folder.path, Path::new(&**path));
        let dialogue = match Dialogue::parse(Path::new(&**path), text.to_string()) {
            Ok(dialogue) => dialogue,
            Err(Error::Content { problem, .. }) => {
                findings.push(found(&file, 0, problem));
                continue;
            }
            Err(error) => {
                findings.push(found(&file, 0, error.to_string()));
                continue;
            }
        };
        match dialogue.world() {
            Some(name) if !worlds.iter().any(|(known, _)| known == name) => {
                findings.push(found(&file, 1, format!("there is no world {name:?}")));
            }
            _ => {}
        }
        for goal in dialogue
            .conversation
            .turns
            .iter()
            .flat_map(|turn| turn.updates())
        {
            let Some(program) = &goal.program else {
                continue;
            };
            for method in crate::domain::Calls::of(program, &folder.domain).methods {
                let handle = folder.domain.handle.as_ref();
                let is_helper = handle.is_some_and(|it| it.helpers.iter().any(|it| *it == method));
                if folder.domain.operation(&method).is_none() && !is_helper {
                    let call = format!("{}.{method}", folder.definition.handle);
                    let line = text.lines().position(|line| line.contains(&call));
                    let line = line.map_or(0, |index| index + 1);
                    let problem = format!("calls {method}, which {API} does not have");
                    findings.push(found(&file, line, problem));
                }
            }
        }
    }
}

/// Whether `world.py` loads with every state.
async fn worlds(folder: &Folder, runtime: &Runtime, findings: &mut Vec<Finding>) -> Result<()> {
    if folder.worlds.is_empty() {
        findings.push(found(
            "worlds/",
            0,
            "has no state: add one as worlds/NAME.json",
        ));
        if let Err(refusal) = runtime.try_load(&StateValue::empty()).await? {
            findings.push(found(WORLD, line_in(&refusal.message), refusal.message));
        }
    }
    for (_, path) in &folder.worlds {
        let state = match super::state_file::read(path) {
            Ok(state) => state,
            Err(error) => {
                findings.push(finding_of(&folder.path, error)?);
                continue;
            }
        };
        if let Err(refusal) = runtime.try_load(&state).await? {
            let line = line_in(&refusal.message);
            // Code that does not load with any state is at fault itself.
            let is_code = line > 0 || runtime.try_load(&StateValue::empty()).await?.is_err();
            let file = match is_code {
                true => WORLD.to_owned(),
                false => relative(&folder.path, path),
            };
            findings.push(found(&file, line, refusal.message));
            break;
        }
    }
    Ok(())
}

/// The line of `world.py` that a message names; 0 if it names none.
fn line_in(message: &str) -> usize {
    let after = message.split("world.py, line ").nth(1).unwrap_or_default();
    let digits = after.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
