use serde_json::{Map, Value as Json};

use super::{FieldKind, SheetKind, Type};
use crate::problem::At;

/// One worksheet as its owner wrote it: a form with fields.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The name, without blanks.
    pub name: String,
    /// What the sheet is.
    pub kind: SheetKind,
    /// When the sheet may be used; empty: always.
    pub predicate: String,
    /// The backend call, a Python expression; empty: none.
    pub backend: String,
    /// Python that runs once when a record is complete; empty: none.
    pub action: String,
    /// What the sheet is for.
    pub description: String,
    /// The row types of a KB sheet's rows.
    pub rows: Vec<String>,
    /// The fields, in the order of the sheet.
    pub fields: Vec<Field>,
    /// Where it is written.
    pub at: At,
}

/// One field of a sheet.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Whose it is.
    pub kind: FieldKind,
    /// Whether it is the key of its table.
    pub primary: bool,
    /// What values it takes.
    pub ty: Type,
    /// The options of an `Enum`.
    pub options: Vec<String>,
    /// When the field is active; empty: always.
    pub predicate: String,
    /// What the field means. The question is worded from it.
    pub description: String,
    /// Recorded when offered, never asked for. Wins over `required`.
    pub dont_ask: bool,
    /// The record cannot complete without it.
    pub required: bool,
    /// The value counts only when the user has confirmed it.
    pub confirm: bool,
    /// Python that runs once for each new value; empty: none.
    pub action: String,
    /// An expression over `value` and `self`; empty: every value is valid.
    pub validation: String,
    /// What the user is told of a value that is not valid.
    pub message: String,
    /// The literal that a new record starts with; empty: none.
    pub default: String,
    /// Earlier fields whose change makes this field's value stale (section 13.1).
    pub reset: Vec<String>,
    /// Where it is written.
    pub at: At,
}

impl Field {
    /// A field of a kind with nothing but its name and type.
    pub fn new(name: impl Into<String>, kind: FieldKind, ty: Type) -> Self {
        Self {
            name: name.into(),
            kind,
            primary: false,
            ty,
            options: Vec::new(),
            predicate: String::new(),
            description: String::new(),
            dont_ask: false,
            required: false,
            confirm: false,
            action: String::new(),
            validation: String::new(),
            message: String::new(),
            default: String::new(),
            reset: Vec::new(),
            at: At::default(),
        }
    }

    /// Whether a record cannot complete without a value (section 1.2).
    pub fn is_required(&self) -> bool {
        (self.required || self.ty == Type::Confirm) && !self.dont_ask
    }

    /// The field as the conformance cases of kind `load` write it.
    pub fn spec(&self) -> Json {
        let mut out = Map::new();
        text(&mut out, "name", &self.name);
        text(&mut out, "kind", self.kind.name());
        text(&mut out, "type", &self.ty.name());
        flag(&mut out, "primary", self.primary);
        list(&mut out, "options", &self.options);
        text(&mut out, "predicate", &self.predicate);
        text(&mut out, "description", &self.description);
        flag(&mut out, "dont_ask", self.dont_ask);
        flag(&mut out, "required", self.required && !self.dont_ask);
        flag(&mut out, "confirm", self.confirm);
        text(&mut out, "action", &self.action);
        text(&mut out, "validation", &self.validation);
        text(&mut out, "message", &self.message);
        text(&mut out, "default", &self.default);
        list(&mut out, "reset", &self.reset);
        Json::Object(out)
    }
}

impl Sheet {
    /// A sheet of a kind with nothing but its name.
    pub fn new(name: impl Into<String>, kind: SheetKind) -> Self {
        Self {
            name: name.into(),
            kind,
            predicate: String::new(),
            backend: String::new(),
            action: String::new(),
            description: String::new(),
            rows: Vec::new(),
            fields: Vec::new(),
            at: At::default(),
        }
    }

    /// The place of a field in the sheet's order.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Whether its records are acted on.
    pub fn acts(&self) -> bool {
        !self.backend.is_empty() || !self.action.is_empty()
    }

    /// The sheet as the conformance cases of kind `load` write it.
    pub fn spec(&self, root: bool) -> Json {
        let mut out = Map::new();
        text(&mut out, "name", &self.name);
        text(&mut out, "kind", self.kind.name());
        text(&mut out, "predicate", &self.predicate);
        text(&mut out, "backend", &self.backend);
        text(&mut out, "action", &self.action);
        text(&mut out, "description", &self.description);
        flag(&mut out, "root", root);
        list(&mut out, "rows", &self.rows);
        let fields: Vec<Json> = self.fields.iter().map(Field::spec).collect();
        if !fields.is_empty() {
            out.insert("fields".to_owned(), Json::Array(fields));
        }
        Json::Object(out)
    }
}

fn text(out: &mut Map<String, Json>, key: &str, value: &str) {
    if !value.is_empty() {
        out.insert(key.to_owned(), value.into());
    }
}

fn flag(out: &mut Map<String, Json>, key: &str, value: bool) {
    if value {
        out.insert(key.to_owned(), true.into());
    }
}

fn list(out: &mut Map<String, Json>, key: &str, value: &[String]) {
    if !value.is_empty() {
        out.insert(key.to_owned(), value.into());
    }
}
