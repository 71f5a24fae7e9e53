use std::fmt;

use serde::Serialize;

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Sheets with it are not used.
    Error,
    /// Sheets with it are used; they probably do not do what their owner wants.
    Warning,
}

/// Where a sheet or a field is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct At {
    /// The line of the file, counted from 1; 0 where the file has no lines.
    pub line: usize,
    /// The row of the table, counted from 1; 0 where the file is no table.
    pub row: usize,
}

/// What is wrong with a file of sheets, as data: rule, place, cell and a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The stable name of the rule, such as `unknown-type`.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// The sheet, or `Sheet.field`; empty for the whole file.
    pub place: String,
    /// The line of the file, counted from 1; 0 if it has no lines.
    pub line: usize,
    /// The cell as spreadsheets name it (`E12`), the column's name where the file is no
    /// table, or empty.
    pub cell: String,
    /// What is wrong and what to do, in one sentence.
    pub message: String,
}

impl Problem {
    /// A problem that makes sheets unusable.
    pub fn error(rule: &'static str, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: Severity::Error,
            place: place.into(),
            line: 0,
            cell: String::new(),
            message: message.into(),
        }
    }

    /// A problem that the sheets' owner should look at.
    pub fn warning(
        rule: &'static str,
        place: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(rule, place, message)
        }
    }

    /// Whether sheets with it are not used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The same problem with its line and cell.
    #[must_use]
    pub fn at(mut self, line: usize, cell: impl Into<String>) -> Self {
        self.line = line;
        self.cell = cell.into();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}[{}]", self.rule)?;
        let mut places = Vec::new();
        if self.line > 0 {
            places.push(format!("line {}", self.line));
        }
        if !self.cell.is_empty() {
            places.push(format!("cell {}", self.cell));
        }
        if !self.place.is_empty() {
            places.push(self.place.clone());
        }
        if !places.is_empty() {
            write!(f, " {}", places.join(", "))?;
        }
        write!(f, ": {}", self.message)
    }
}
