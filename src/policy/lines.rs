//! The lines of a policy's text, for messages about its parts.

use super::Glob;
use crate::error::line_of;
use serde::Deserialize;
use toml::Spanned;

/// Tells the line, from 1, at which a part of a policy stands; nothing if the text does not
/// have the part.
pub(crate) struct Lines<'a> {
    text: &'a str,
    parts: Parts,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Parts {
    version: Option<Spanned<u32>>,
    protected_paths: Vec<Spanned<Glob>>,
    rule: Vec<RuleParts>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RuleParts {
    name: Option<Spanned<String>>,
    operations: Vec<Spanned<Glob>>,
    paths: Vec<Spanned<Glob>>,
}

impl<'a> Lines<'a> {
    /// Reads where the parts of a policy stand. If the text is no policy, no line is known.
    pub(crate) fn of(text: &'a str) -> Self {
        Lines {
            text,
            parts: toml::from_str(text).unwrap_or_default(),
        }
    }

    pub(crate) fn version(&self) -> Option<usize> {
        self.parts.version.as_ref().map(|it| self.line(it))
    }

    /// The line of the name of a rule, which is counted from 0.
    pub(crate) fn rule(&self, number: usize) -> Option<usize> {
        let name = self.parts.rule.get(number)?.name.as_ref()?;
        Some(self.line(name))
    }

    /// The line at which a rule, counted from 0, names an operation.
    pub(crate) fn operation(&self, number: usize, glob: &Glob) -> Option<usize> {
        let mut named = self.parts.rule.get(number)?.operations.iter();
        named
            .find(|it| it.get_ref() == glob)
            .map(|it| self.line(it))
    }

    /// The paths of protections and rules, each with its line.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&Glob, usize)> {
        let of_rules = self.parts.rule.iter().flat_map(|rule| &rule.paths);
        let all = self.parts.protected_paths.iter().chain(of_rules);
        all.map(|path| (path.get_ref(), self.line(path)))
    }

    fn line<T>(&self, part: &Spanned<T>) -> usize {
        line_of(self.text, part.span().start)
    }
}
