//! What can be seen in a program without running it: the operations that it calls, and
//! with which keywords.
//!
//! The programs are Python, and drafts are Python with placeholders, so this reads tokens
//! and brackets rather than a syntax tree.

use super::Domain;
use crate::dialogue::Program;

/// One place in a program that calls an operation, or passes it on to be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSite {
    /// The operation.
    pub operation: String,
    /// The keyword arguments in the order written, with their values as written.
    pub keywords: Vec<(String, String)>,
    /// Whether the operation was passed on by its name.
    pub by_name: bool,
}

/// The call sites of a program, in order. A method that takes an operation's name
/// ([`Handle::callers_by_name`](super::Handle::callers_by_name)) is a call site of that operation, and the call that
/// follows it there (`get_paginator("…").paginate(…)`) has its keywords.
pub fn call_sites(program: &Program, domain: &Domain) -> Vec<CallSite> {
    let code = program.code();
    let tokens = program.without_text();
    let mut sites = Vec::new();
    let mut rest = 0;
    while let Some(dot) = tokens.get(rest..).and_then(|text| text.find('.')) {
        let start = rest + dot + 1;
        let (name, end) = word(&tokens, start);
        rest = start;
        if let Some(operation) = operation(domain, name) {
            sites.push(CallSite {
                operation,
                keywords: arguments(&tokens, end)
                    .map_or_else(Vec::new, |range| keywords(code, &tokens, range)),
                by_name: false,
            });
        } else if calls_by_name(domain, name)
            && let Some(range) = arguments(&tokens, end)
            && let Some(operation) = named_first(code, &tokens, range.clone(), domain)
        {
            let follow = followed_by(&tokens, range.end + 1);
            sites.push(CallSite {
                operation,
                keywords: follow.map_or_else(Vec::new, |range| keywords(code, &tokens, range)),
                by_name: true,
            });
        }
    }
    sites
}

/// The methods that a program calls of a global, as written: `list_keys` of
/// `s3.list_keys()`.
pub fn methods_of(program: &Program, global: &str) -> Vec<String> {
    let tokens = program.without_text();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let places = tokens.match_indices(global).filter(|(at, _)| {
        let before = tokens.get(..*at).and_then(|text| text.chars().next_back());
        !before.is_some_and(is_part)
    });
    let methods = places.filter_map(|(at, _)| {
        let end = at + global.len();
        tokens.get(end..)?.strip_prefix('.')?;
        let (name, end) = word(&tokens, end + 1);
        arguments(&tokens, end)?;
        Some(name.to_owned())
    });
    methods.collect()
}

/// The lines of code: neither blank nor a comment alone.
pub fn lines(program: &Program) -> usize {
    let tokens = program.without_text();
    let written = program.code().lines().zip(tokens.lines());
    written
        .filter(|(line, tokens)| !line.trim().is_empty() && !tokens.trim_start().starts_with('#'))
        .count()
}

/// The operation of this name.
fn operation(domain: &Domain, name: &str) -> Option<String> {
    let operation = domain.operation(name)?;
    Some(operation.name.to_string())
}

/// Whether a method is given an operation's name, and calls it.
fn calls_by_name(domain: &Domain, method: &str) -> bool {
    let handle = domain.handle.iter();
    let mut callers = handle.flat_map(|handle| &handle.callers_by_name);
    callers.any(|caller| caller == method)
}

/// The name that stands here, after blanks, and where it ends.
fn word(tokens: &str, start: usize) -> (&str, usize) {
    let rest = tokens.get(start..).unwrap_or_default();
    let skipped = rest.len() - rest.trim_start().len();
    let rest = rest.trim_start();
    let length = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let start = start + skipped;
    (rest.get(..length).unwrap_or_default(), start + length)
}

/// What stands between the brackets that open here.
fn arguments(tokens: &str, start: usize) -> Option<std::ops::Range<usize>> {
    let rest = tokens.get(start..)?;
    let open = start + (rest.len() - rest.trim_start().len());
    let inside = tokens.get(open..)?.strip_prefix('(')?;
    let mut depth = 0usize;
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(open + 1..open + 1 + at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The arguments of the method call that follows here: `.paginate(…)`.
fn followed_by(tokens: &str, start: usize) -> Option<std::ops::Range<usize>> {
    let rest = tokens.get(start..)?;
    let dot = start + (rest.len() - rest.trim_start().len());
    tokens.get(dot..)?.strip_prefix('.')?;
    let (_, end) = word(tokens, dot + 1);
    arguments(tokens, end)
}

/// The operation whose name is the first argument, as a text.
fn named_first(
    code: &str,
    tokens: &str,
    range: std::ops::Range<usize>,
    domain: &Domain,
) -> Option<String> {
    let first = split(tokens, range).into_iter().next()?;
    let text = code.get(first)?.trim();
    let text = text.split_once('=').map_or(text, |(_, value)| value.trim());
    let name = text.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
    operation(domain, name)
}

/// The keyword arguments in this range.
fn keywords(code: &str, tokens: &str, range: std::ops::Range<usize>) -> Vec<(String, String)> {
    let arguments = split(tokens, range).into_iter();
    let keyword = |argument: std::ops::Range<usize>| {
        let (name, end) = word(tokens, argument.start);
        let equals = tokens.get(end..argument.end)?.trim_start();
        let value = equals
            .strip_prefix('=')
            .filter(|rest| !rest.starts_with('='))?;
        let value = code.get(argument.end - value.len()..argument.end)?;
        (!name.is_empty()).then(|| (name.to_owned(), value.trim().to_owned()))
    };
    arguments.filter_map(keyword).collect()
}

/// The ranges between the commas of this range that stand in no bracket.
fn split(tokens: &str, range: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    let mut depth = 0usize;
    let mut start = range.start;
    let mut parts = Vec::new();
    for (at, c) in tokens.get(range.clone()).unwrap_or_default().char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(start..range.start + at);
                start = range.start + at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..range.end);
    parts
}
