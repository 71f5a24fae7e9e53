/// What a sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
    /// Filled in and acted on.
    Task,
    /// A table, or without fields a collection of documents.
    Kb,
    /// What rows of a table are.
    Row,
}

impl SheetKind {
    /// The kind that is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Kb => "kb",
            Self::Row => "type",
        }
    }

    /// The kind of a cell, in all spellings of the papers and the original's files.
    pub fn of(cell: &str) -> Option<Self> {
        match cell.trim().to_lowercase().as_str() {
            "task" | "worksheet" | "ws" => Some(Self::Task),
            "kb" | "db" => Some(Self::Kb),
            "type" => Some(Self::Row),
            _ => None,
        }
    }
}

/// Whose a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The user's.
    Input,
    /// Set by actions only.
    Internal,
    /// Filled from the backend's answer.
    Output,
}

impl FieldKind {
    /// The kind that is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Internal => "internal",
            Self::Output => "output",
        }
    }

    /// The kind of a cell, and whether the field is a key (`internal; primary`).
    pub fn of(cell: &str) -> Option<(Self, bool)> {
        let (mut kind, mut primary) = (None, false);
        for part in cell.split(';') {
            match part.trim().to_lowercase().as_str() {
                "input" => kind = Some(Self::Input),
                "internal" => kind = Some(Self::Internal),
                "output" => kind = Some(Self::Output),
                "primary" => primary = true,
                "" => {}
                _ => return None,
            }
        }
        kind.map(|kind| (kind, primary))
    }
}

/// What values a field takes (section 1.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Text that is compared as it is.
    Str,
    /// Free prose.
    Text,
    /// An integer.
    Int,
    /// A number.
    Float,
    /// Yes or no.
    Bool,
    /// `YYYY-MM-DD`.
    Date,
    /// `HH:MM`.
    Time,
    /// One of the field's options.
    Enum,
    /// Yes or no, asked when everything else is settled.
    Confirm,
    /// A record of a task sheet, or a row.
    Named(String),
    /// A list of one of the others.
    List(Box<Type>),
}

impl Type {
    /// The type of a cell. Any other name is taken for a sheet's.
    pub fn of(cell: &str) -> Self {
        let cell: String = cell.chars().filter(|c| !c.is_whitespace()).collect();
        let inner = cell
            .strip_prefix("List[")
            .or_else(|| cell.strip_prefix("list["))
            .and_then(|rest| rest.strip_suffix(']'));
        match inner {
            Some(inner) => Self::List(Box::new(Self::simple(inner))),
            None => Self::simple(&cell),
        }
    }

    fn simple(name: &str) -> Self {
        match name {
            "str" => Self::Str,
            "text" => Self::Text,
            "int" => Self::Int,
            "float" => Self::Float,
            "bool" => Self::Bool,
            "date" => Self::Date,
            "time" => Self::Time,
            "Enum" | "enum" => Self::Enum,
            "confirm" => Self::Confirm,
            other => Self::Named(other.to_owned()),
        }
    }

    /// What it is without `List[…]`.
    pub fn item(&self) -> &Self {
        match self {
            Self::List(item) => item,
            other => other,
        }
    }

    /// The type as cells write it.
    pub fn name(&self) -> String {
        match self {
            Self::Str => "str".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Int => "int".to_owned(),
            Self::Float => "float".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Date => "date".to_owned(),
            Self::Time => "time".to_owned(),
            Self::Enum => "Enum".to_owned(),
            Self::Confirm => "confirm".to_owned(),
            Self::Named(name) => name.clone(),
            Self::List(item) => format!("List[{}]", item.name()),
        }
    }
}
