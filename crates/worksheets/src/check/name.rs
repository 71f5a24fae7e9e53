use std::collections::HashMap;

use super::Found;
use crate::desk::snake;
use crate::predicate::Predicate;
use crate::problem::{At, Problem};
use crate::sheets::{Column, SheetKind};

/// Python's keywords, which cannot be names of classes, variables or fields.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Names that programs and actions already have.
pub(super) const BUILTINS: &[&str] = &[
    "NA", "accept", "answer", "confirm", "done", "exitws", "handoff", "len", "propose", "reject",
    "repeat", "say", "self", "show", "value",
];

impl Found<'_> {
    /// Names are Python's names, since programs use them; tables and columns are SQL's, too.
    pub(super) fn name(
        &mut self,
        name: &str,
        place: String,
        kind: SheetKind,
        at: At,
        column: Column,
    ) {
        let mut chars = name.chars();
        let first = chars
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let plain = first && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
        let message = if !plain {
            format!("the name {name:?} has more than letters of ASCII, digits and _")
        } else if KEYWORDS.contains(&name) {
            format!("{name} is a word of Python's grammar; take another name")
        } else if kind == SheetKind::Kb && name.to_lowercase().starts_with("sqlite_") {
            format!("names that begin with sqlite_ are the database's own; rename {name}")
        } else if kind != SheetKind::Kb && column == Column::Name && name.starts_with('_') {
            format!("{name} begins with _, as what belongs to Python does; take another name")
        } else if column == Column::SheetName && BUILTINS.contains(&name) {
            format!("programs have {name} already; take another name")
        } else {
            return;
        };
        self.push(Problem::error("strange-name", place, message), at, column);
    }

    /// Names in a predicate that no field and no record has: they always read as `None`.
    pub(super) fn names(&mut self, predicate: &Predicate, place: String, at: At, column: Column) {
        for sheet in predicate.sheets() {
            if self.sheets.task(sheet).is_none() {
                let message = format!("done({sheet}) names no task sheet");
                self.push(Problem::error("unknown-name", &place, message), at, column);
            }
        }
        for name in predicate.names() {
            let known = self.sheets.all().iter().any(|sheet| {
                let var = snake(&sheet.name);
                let later = name
                    .strip_prefix(&var)
                    .and_then(|rest| rest.strip_prefix('_'));
                sheet.field(&name).is_some()
                    || sheet.name == name
                    || var == name
                    || later.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
            });
            let builtin = BUILTINS.contains(&name.as_str()) || name.starts_with("answer_");
            if !known && !builtin {
                let message = format!("no field and no record is called {name}");
                self.push(
                    Problem::warning("unknown-name", &place, message),
                    at,
                    column,
                );
            }
        }
    }

    /// Sheets that programs cannot tell from the record of a sheet: a record's variable is the
    /// sheet's name in small letters. And tables and columns that are one to the database, which
    /// takes capital letters for small ones.
    pub(super) fn clashes(&mut self) {
        let sheets = self.sheets;
        let all = sheets.all();
        let tasks = || all.iter().filter(|sheet| sheet.kind == SheetKind::Task);
        for sheet in tasks() {
            if let Some(other) = tasks().find(|other| snake(&other.name) == sheet.name) {
                let name = &sheet.name;
                let message = match other.name == *name {
                    true => format!(
                        "programs call a record of {name} {name}, too; write the sheet's name \
                         with a capital letter"
                    ),
                    false => format!(
                        "programs call a record of {} {name}, too; take another name",
                        other.name
                    ),
                };
                let problem = Problem::error("name-clash", name, message);
                self.push(problem, sheet.at, Column::SheetName);
            }
        }
        let tables = || all.iter().filter(|sheet| sheet.kind == SheetKind::Kb);
        let mut seen = HashMap::new();
        for sheet in tables() {
            let folded = sheet.name.to_lowercase();
            if let Some(first) = seen
                .insert(folded, &sheet.name)
                .filter(|it| **it != sheet.name)
            {
                let message = format!(
                    "the tables {first} and {} are one to the database",
                    sheet.name
                );
                let problem = Problem::error("name-clash", &sheet.name, message);
                self.push(problem, sheet.at, Column::SheetName);
            }
            let mut seen = HashMap::new();
            for field in &sheet.fields {
                let folded = field.name.to_lowercase();
                let known = seen.insert(folded, &field.name);
                if let Some(first) = known.filter(|it| **it != field.name) {
                    let place = format!("{}.{}", sheet.name, field.name);
                    let message = format!(
                        "the columns {first} and {} are one to the database",
                        field.name
                    );
                    self.push(
                        Problem::error("name-clash", place, message),
                        field.at,
                        Column::Name,
                    );
                }
            }
        }
    }
}
