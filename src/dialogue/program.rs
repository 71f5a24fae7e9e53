//! The code of a goal.

use super::placeholder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The body of a Python function, as it stands between `<program>` and `</program>`.
///
/// A program in the making may have placeholders `?1`, `?2`, … for missing
/// information; the same number means the same information.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Program {
    text: String,
}

impl Program {
    /// A program of this code, laid out on lines of its own.
    pub fn new(code: &str) -> Self {
        Program {
            text: format!("\n{}\n", code.trim_end_matches(['\n', '\r'])),
        }
    }

    /// A program from what is written between the tags, every character of it.
    pub fn from_text(text: String) -> Self {
        Program { text }
    }

    /// What is written between the tags, every character of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The code: without the rest of the line that `<program>` stands on, if
    /// that is blank, and without the white space before `</program>`. The
    /// indentation of every line is untouched.
    pub fn code(&self) -> &str {
        let code = match self.text.split_once('\n') {
            Some((first, rest)) if first.trim().is_empty() => rest,
            _ => &self.text,
        };
        code.trim_end()
    }

    /// Whether there is no code at all.
    pub fn is_empty(&self) -> bool {
        self.code().trim().is_empty()
    }

    /// The numbers of the placeholders. `?1` counts only as a token: in a
    /// string or a comment it is text.
    pub fn placeholders(&self) -> BTreeSet<u32> {
        placeholder::find(self.code())
            .into_iter()
            .map(|(_, number)| number)
            .collect()
    }

    /// The code with every placeholder replaced, so that a Python parser can
    /// read it. Strings and comments stay what they are.
    pub fn with_placeholders_replaced(&self, mut replacement: impl FnMut(u32) -> String) -> String {
        let code = self.code();
        let mut replaced = String::with_capacity(code.len());
        let mut rest = 0;
        for (place, number) in placeholder::find(code) {
            replaced.push_str(code.get(rest..place.start).unwrap_or(""));
            replaced.push_str(&replacement(number));
            rest = place.end;
        }
        replaced.push_str(code.get(rest..).unwrap_or(""));
        replaced
    }

    /// The code with the `?` of every placeholder as `_`, so that a Python parser reads it
    /// as a name. Everything else stays where it is.
    pub fn with_placeholders_as_names(&self) -> String {
        let mut code = self.code().to_owned();
        for (place, _) in placeholder::find(self.code()) {
            code.replace_range(place.start..=place.start, "_");
        }
        code
    }

    /// The program with every `"?1"` as the placeholder `?1`: models put values in quotes,
    /// also those that they do not have.
    #[must_use]
    pub fn with_placeholders_unquoted(&self) -> Program {
        let mut text = self.text.clone();
        for range in placeholder::quoted(&self.text).into_iter().rev() {
            let inside = range.start + 1..range.end - 1;
            let number = self.text.get(inside).unwrap_or_default();
            text.replace_range(range, number);
        }
        Program { text }
    }

    /// The code with a blank for every byte that stands in a string or behind the `#` of
    /// a comment: what is left are tokens, each where it was. The replacement fields of
    /// f-strings are code and stay.
    pub fn without_text(&self) -> String {
        placeholder::without_text(self.code())
    }

    /// What stands in the strings of the code, with the simple escapes read: of an
    /// f-string the pieces between its replacement fields. Comments are not in it.
    pub fn literals(&self) -> Vec<String> {
        placeholder::strings(self.code())
            .into_iter()
            .map(unescape)
            .collect()
    }
}

/// The text of a literal with its line breaks, tabs, quotes and backslashes. Others stay
/// as they are written.
fn unescape(literal: &str) -> String {
    let mut text = String::with_capacity(literal.len());
    let mut rest = literal.chars();
    while let Some(c) = rest.next() {
        let escaped = (c == '\\').then(|| rest.clone().next()).flatten();
        let meant = match escaped {
            Some('n') => '\n',
            Some('t') => '\t',
            Some(quote @ ('"' | '\'' | '\\')) => quote,
            _ => {
                text.push(c);
                continue;
            }
        };
        rest.next();
        text.push(meant);
    }
    text
}
