use serde_json::{Map, Value as Json, json};

use crate::sheets::{Field, FieldKind, Sheet, SheetKind, Sheets, Type};

/// The original's JSON. What it lacks stands under further keys, where there is any.
pub(super) fn write(sheets: &Sheets) -> String {
    let sheets: Json = sheets.all().iter().map(sheet).collect();
    format!("{sheets:#}\n")
}

fn sheet(sheet: &Sheet) -> Json {
    let mut fields: Vec<Json> = sheet.fields.iter().map(field).collect();
    for row in &sheet.rows {
        fields.push(field(&Field::new(
            "",
            FieldKind::Output,
            Type::Named(row.clone()),
        )));
    }
    let mut out = Map::new();
    let kind = match sheet.kind {
        SheetKind::Task => "worksheet",
        SheetKind::Kb => "db",
        SheetKind::Row => "type",
    };
    for (key, value) in [
        ("ws_name", json!(sheet.name)),
        ("ws_type", json!(kind)),
        ("ws_predicate", json!(sheet.predicate)),
        ("ws_backend_api", json!(sheet.backend)),
        ("ws_actions", json!(sheet.action)),
    ] {
        out.insert(key.to_owned(), value);
    }
    further(&mut out, "ws_description", &sheet.description);
    out.insert("fields".to_owned(), Json::Array(fields));
    Json::Object(out)
}

fn field(field: &Field) -> Json {
    let kind = match field.primary {
        true => format!("{}; primary", field.kind.name()),
        false => field.kind.name().to_owned(),
    };
    let options: Vec<Json> = field
        .options
        .iter()
        .map(|o| json!({ "value": o }))
        .collect();
    let mut out = Map::new();
    for (key, value) in [
        ("field_name", json!(field.name)),
        ("field_kind", json!(kind)),
        ("field_type", json!(field.ty.name())),
        ("enum_values", Json::Array(options)),
        ("field_predicate", json!(field.predicate)),
        ("field_description", json!(field.description)),
        ("field_dont_ask", json!(field.dont_ask)),
        ("field_required", json!(field.required)),
        ("field_confirm", json!(field.confirm)),
        ("field_actions", json!(field.action)),
    ] {
        out.insert(key.to_owned(), value);
    }
    further(
        &mut out,
        "field_validation",
        &super::table::validation(field),
    );
    further(&mut out, "field_default", &field.default);
    further(&mut out, "field_reset", &field.reset.join(", "));
    Json::Object(out)
}

fn further(out: &mut Map<String, Json>, key: &str, text: &str) {
    if !text.is_empty() {
        out.insert(key.to_owned(), text.into());
    }
}
