use serde::Serialize;

use crate::sheets::{Field, Sheet, Sheets};

#[derive(Serialize)]
struct File<'s> {
    sheet: Vec<SheetTable<'s>>,
}

#[derive(Serialize)]
struct SheetTable<'s> {
    name: &'s str,
    kind: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    predicate: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    backend: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    action: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'s str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    rows: &'s [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    field: Vec<FieldTable<'s>>,
}

#[derive(Serialize)]
struct FieldTable<'s> {
    name: &'s str,
    kind: &'s str,
    #[serde(rename = "type")]
    ty: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    primary: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    options: &'s [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    predicate: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'s str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dont_ask: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    required: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    confirm: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    action: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    validation: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    message: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    default: &'s str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    reset: &'s [String],
}

pub(super) fn write(sheets: &Sheets) -> Option<String> {
    ::toml::to_string_pretty(&File {
        sheet: sheets.all().iter().map(sheet).collect(),
    })
    .ok()
}

fn sheet(sheet: &Sheet) -> SheetTable<'_> {
    SheetTable {
        name: &sheet.name,
        kind: sheet.kind.name(),
        predicate: &sheet.predicate,
        backend: &sheet.backend,
        action: &sheet.action,
        description: &sheet.description,
        rows: &sheet.rows,
        field: sheet.fields.iter().map(field).collect(),
    }
}

fn field(field: &Field) -> FieldTable<'_> {
    FieldTable {
        name: &field.name,
        kind: field.kind.name(),
        ty: field.ty.name(),
        primary: field.primary,
        options: &field.options,
        predicate: &field.predicate,
        description: &field.description,
        dont_ask: field.dont_ask,
        required: field.required,
        confirm: field.confirm,
        action: &field.action,
        validation: &field.validation,
        message: &field.message,
        default: &field.default,
        reset: &field.reset,
    }
}
