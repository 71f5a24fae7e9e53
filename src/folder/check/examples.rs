//! Whether the example dialogues can be read, and call existing operations with the right
//! arguments.

use super::{Finding, line_and_problem, relative};
use crate::dataset::Dialogue;
use crate::dialogue::{Status, Update};
use crate::domain::{CallSite, Calls, counted};
use crate::error::Error;
use crate::folder::Folder;
use crate::folder::assemble::API;
use crate::folder::stub::{Function, Stub};
use std::path::Path;

pub(super) fn check(folder: &Folder, api: &Stub, findings: &mut Vec<Finding>) {
    for (path, text) in &folder.domain.teaching.examples {
        let path = Path::new(&**path);
        let file = relative(&folder.path, path);
        let dialogue = match Dialogue::parse(path, text.to_string()) {
            Ok(dialogue) => dialogue,
            Err(Error::Content { problem, .. }) => {
                let (line, problem) = line_and_problem(&problem);
                findings.push(Finding::at(&file, line, problem));
                continue;
            }
            Err(error) => {
                findings.push(Finding::at(&file, 0, error.to_string()));
                continue;
            }
        };
        let mut worlds = folder.worlds.iter().map(|(name, _)| name.as_str());
        if let Some(name) = dialogue.world().filter(|name| worlds.all(|it| it != *name)) {
            findings.push(Finding::at(&file, 1, format!("there is no world {name:?}")));
        }
        let mut lines = program_lines(text);
        let turns = dialogue.transcript.turns.iter();
        for update in turns.flat_map(|turn| turn.updates()) {
            if update.program.is_some() {
                let first = lines.next().unwrap_or(0);
                for (line, problem) in program(folder, api, &update) {
                    findings.push(Finding::at(&file, first + line, problem));
                }
            }
        }
    }
}

/// The line before the code of each program in a dialogue file.
pub(in crate::folder) fn program_lines(text: &str) -> impl Iterator<Item = usize> {
    let programs = text.match_indices("<program>");
    programs.map(|(at, tag)| {
        let rest = text.get(at + tag.len()..).unwrap_or_default();
        let is_alone = rest
            .lines()
            .next()
            .is_none_or(|line| line.trim().is_empty());
        let before = text.get(..at).unwrap_or_default().matches('\n').count();
        before + usize::from(is_alone)
    })
}

/// The mistakes in a program, each with the line of its code.
fn program(folder: &Folder, api: &Stub, update: &Update) -> Vec<(usize, String)> {
    let Some(program) = &update.program else {
        return Vec::new();
    };
    let calls = Calls::of(program, &folder.domain);
    let handle = &folder.definition.handle;
    let mut found: Vec<(usize, String)> = Vec::new();
    let helpers = folder.domain.api.handle.iter().flat_map(|it| &it.helpers);
    let helpers: Vec<&str> = helpers.map(|it| &**it).collect();
    for attribute in &calls.attributes {
        let name = attribute.name.as_str();
        if folder.domain.operation(name).is_none() && !helpers.contains(&name) {
            let problem = format!("{handle}.{name} is not in {API}");
            found.push((attribute.line, problem));
        }
    }
    for site in calls.sites.iter().filter(|site| !site.by_name) {
        if let Some(function) = api.function(&site.operation) {
            let problem = arguments(function, site, update.status);
            found.extend(problem.map(|problem| (site.line, problem)));
        }
    }
    found.sort_by_key(|(line, _)| *line);
    found
}

/// How a call does not go with the parameters of its function. A draft may lack some.
fn arguments(function: &Function, site: &CallSite, status: Status) -> Option<String> {
    let (name, parameters) = (&function.name, &function.parameters);
    let is_known = |name: &str| parameters.iter().any(|it| it.name == name);
    let mut keywords = site.keywords.iter().map(|it| it.name.as_str());
    if let Some(unknown) = keywords.find(|it| !is_known(it) && !function.takes_more) {
        return Some(format!(
            "{name} is called with {unknown}, which it does not have in {API}"
        ));
    }
    let unnamed = site.unnamed?;
    let positional = parameters.iter().filter(|it| !it.is_keyword_only);
    let positional: Vec<&str> = positional.map(|it| it.name.as_str()).collect();
    if unnamed > positional.len() && !function.takes_more {
        return Some(format!(
            "{name} is called with {}, and takes {} in {API}",
            counted(unnamed, "unnamed argument"),
            positional.len()
        ));
    }
    let given: Vec<&str> = (positional.into_iter().take(unnamed))
        .chain(site.keywords.iter().map(|it| it.name.as_str()))
        .collect();
    let is_missing = |name: &str| status == Status::Final && !given.contains(&name);
    let required = parameters.iter().filter(|it| it.is_required);
    let missing = required
        .map(|it| it.name.as_str())
        .find(|it| is_missing(it))?;
    Some(format!(
        "{name} is called without {missing}, which it requires in {API}"
    ))
}
