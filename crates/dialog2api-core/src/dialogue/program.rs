//! The code of a goal.

use super::placeholder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The code of a goal: a Python module, as it stands between `<program>` and `</program>`.
///
/// A draft may have placeholders `?1`, `?2`, … for missing information. The same number
/// stands for the same information.
///
/// ```
/// use dialog2api_core::dialogue::Program;
///
/// let draft = Program::new("s3.get_object(Bucket=?1, Key=\"?2\")");
/// // `"?2"` is a text, and only `?1` is missing.
/// assert_eq!(draft.placeholders().into_iter().collect::<Vec<_>>(), [1]);
/// let filled = draft.with_placeholders_replaced(|_| "\"zoo\"".to_owned());
/// assert_eq!(filled, "s3.get_object(Bucket=\"zoo\", Key=\"?2\")");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Program {
    text: String,
}

impl Program {
    /// A program with this code, which is written on lines of its own.
    pub fn new(code: &str) -> Self {
        Program {
            text: format!("\n{}\n", code.trim_end_matches(['\n', '\r'])),
        }
    }

    /// A program from the whole text between the tags, kept to the character.
    pub fn from_text(text: String) -> Self {
        Program { text }
    }

    /// The whole text between the tags.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The code: the text without a blank rest of the line of `<program>` and without the
    /// white space before `</program>`. The indentation of every line is kept.
    pub fn code(&self) -> &str {
        let code = match self.text.split_once('\n') {
            Some((first, rest)) if first.trim().is_empty() => rest,
            _ => &self.text,
        };
        code.trim_end()
    }

    /// Whether the code is blank.
    pub fn is_empty(&self) -> bool {
        self.code().trim().is_empty()
    }

    /// The numbers of the placeholders. `?1` is a placeholder where it is a token; in a
    /// string or a comment it is text.
    pub fn placeholders(&self) -> BTreeSet<u32> {
        placeholder::find(self.code())
            .into_iter()
            .map(|(_, number)| number)
            .collect()
    }

    /// The code with `replacement(n)` in place of every placeholder `?n`. Strings and
    /// comments stay as they are.
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

    /// The program with every `"?1"` turned into the placeholder `?1`. Models quote values,
    /// even missing ones.
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

    /// The program with the placeholder `?number` in place of every string that is this text.
    /// Triple-quoted strings and parts of f-strings stay.
    ///
    /// ```
    /// use dialog2api_core::dialogue::Program;
    ///
    /// let program = Program::new("s3.delete_bucket(Bucket=\"zoo\")");
    /// assert_eq!(program.with_missing("zoo", 1).code(), "s3.delete_bucket(Bucket=?1)");
    /// ```
    #[must_use]
    pub fn with_missing(&self, text: &str, number: u32) -> Program {
        let mut code = self.text.clone();
        for range in placeholder::plain_strings(&self.text).into_iter().rev() {
            let inside = self.text.get(range.start + 1..range.end - 1);
            if inside.is_some_and(|inside| unescape(inside) == text) {
                code.replace_range(range, &format!("?{number}"));
            }
        }
        Program { text: code }
    }

    /// The program with its placeholders numbered from 1, in the order in which they first
    /// appear.
    #[must_use]
    pub fn with_placeholders_renumbered(&self) -> Program {
        let mut order = Vec::new();
        let code = self.with_placeholders_replaced(|number| {
            let known = order.iter().position(|known| *known == number);
            let place = known.unwrap_or_else(|| {
                order.push(number);
                order.len() - 1
            });
            format!("?{}", place + 1)
        });
        Program::new(&code)
    }

    /// The code with every byte within strings, and after the `#` of comments, replaced by a
    /// blank. The remaining tokens keep their places. Replacement fields of f-strings are
    /// code and stay.
    pub fn without_text(&self) -> String {
        placeholder::without_text(self.code())
    }

    /// The texts of the string literals, in order, with simple escapes resolved. An f-string
    /// gives the pieces between its replacement fields. Comments are left out.
    pub fn literals(&self) -> Vec<String> {
        placeholder::strings(self.code())
            .into_iter()
            .map(unescape)
            .collect()
    }
}

/// A literal with its escaped line breaks, tabs, quotes and backslashes resolved. Other
/// escapes stay as they are written.
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
