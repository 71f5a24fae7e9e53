use serde_json::{Map, Value as Json};

use super::{cell, finished, kind_in};
use crate::problem::Problem;
use crate::sheets::{Field, FieldKind, Sheet, SheetKind, Sheets, Type};

/// Reads the original's JSON: a list of sheets with `ws_name`, `ws_type`, `fields` and so on.
/// What it lacks stands under keys of the same style: `ws_description`, `field_validation`,
/// `field_message`, `field_default`, `field_reset`.
pub(super) fn read(bytes: &[u8]) -> Result<Sheets, Vec<Problem>> {
    let json: Json = serde_json::from_slice(bytes).map_err(|error| {
        let problem = Problem::error("unreadable-file", "", format!("no JSON: {error}"));
        vec![problem.at(error.line(), "")]
    })?;
    let Json::Array(sheets) = json else {
        let message = "the file is a list of sheets";
        return Err(vec![Problem::error("unreadable-file", "", message)]);
    };
    let (mut list, mut problems) = (Vec::new(), Vec::new());
    for (at, sheet) in sheets.iter().enumerate() {
        match self::sheet(sheet, at, &mut problems) {
            Ok(sheet) => list.push(sheet),
            Err(problem) => problems.push(problem),
        }
    }
    finished(Sheets::new(list), problems)
}

const SHEET: &[&str] = &[
    "ws_name",
    "ws_type",
    "ws_predicate",
    "ws_backend_api",
    "ws_actions",
    "ws_description",
    "fields",
];
const FIELD: &[&str] = &[
    "field_name",
    "field_kind",
    "field_type",
    "enum_values",
    "field_predicate",
    "field_description",
    "field_dont_ask",
    "field_required",
    "field_confirm",
    "field_actions",
    "field_validation",
    "field_message",
    "field_default",
    "field_reset",
];

fn sheet(json: &Json, at: usize, problems: &mut Vec<Problem>) -> Result<Sheet, Problem> {
    let path = format!("[{at}]");
    let map = object(json, &path, SHEET)?;
    let name = cell::name(&text(map, "ws_name", &path)?);
    let kind = text(map, "ws_type", &path)?;
    let kind = SheetKind::of(&kind).unwrap_or_else(|| {
        let message = format!("the sheet has the kind {kind:?}; it is worksheet, db or type");
        let problem = Problem::error("unknown-kind", &name, message);
        problems.push(problem.at(0, format!("{path}.ws_type")));
        SheetKind::Task
    });
    let mut sheet = Sheet {
        predicate: cell::predicate(&text(map, "ws_predicate", &path)?),
        backend: cell::code(&text(map, "ws_backend_api", &path)?),
        action: cell::code(&text(map, "ws_actions", &path)?),
        description: text(map, "ws_description", &path)?,
        ..Sheet::new(name, kind)
    };
    let fields = match map.get("fields") {
        None | Some(Json::Null) => &[],
        Some(Json::Array(fields)) => fields.as_slice(),
        Some(_) => return Err(wrong("fields is a list", &format!("{path}.fields"))),
    };
    for (at, json) in fields.iter().enumerate() {
        let path = format!("{path}.fields[{at}]");
        match field(json, &path, kind, problems) {
            Ok(field) if !field.name.is_empty() => sheet.fields.push(field),
            Ok(field) => match (field.kind, &field.ty) {
                (FieldKind::Output, Type::Named(row)) if kind == SheetKind::Kb => {
                    sheet.rows.push(row.clone());
                }
                _ => problems.push(wrong("the field has no name", &path)),
            },
            Err(problem) => problems.push(problem),
        }
    }
    Ok(sheet)
}

fn field(
    json: &Json,
    path: &str,
    of: SheetKind,
    problems: &mut Vec<Problem>,
) -> Result<Field, Problem> {
    let map = object(json, path, FIELD)?;
    let kind = text(map, "field_kind", path)?;
    let (kind, primary) = match FieldKind::of(&kind) {
        Some(found) => found,
        None if kind.is_empty() => (FieldKind::Input, false),
        None => {
            let message =
                format!("the field has the kind {kind:?}; it is input, internal or output");
            problems.push(Problem::error("unknown-kind", "", message).at(0, path));
            (kind_in(of), false)
        }
    };
    let ty = Type::of(&text(map, "field_type", path)?);
    let (validation, message) = cell::validation(&text(map, "field_validation", path)?);
    let said = text(map, "field_message", path)?;
    let mut field = Field {
        primary,
        predicate: cell::predicate(&text(map, "field_predicate", path)?),
        description: text(map, "field_description", path)?,
        dont_ask: flag(map, "field_dont_ask"),
        required: flag(map, "field_required"),
        confirm: flag(map, "field_confirm"),
        action: cell::code(&text(map, "field_actions", path)?),
        validation,
        message: if said.is_empty() { message } else { said },
        default: text(map, "field_default", path)?,
        reset: cell::names(&text(map, "field_reset", path)?),
        ..Field::new(text(map, "field_name", path)?, kind, ty)
    };
    if let Some(Json::Array(options)) = map.get("enum_values") {
        for option in options {
            let option = option.get("value").unwrap_or(option);
            match option {
                Json::String(option) => field.options.push(option.trim().to_owned()),
                Json::Null => {}
                other => field.options.push(other.to_string()),
            }
        }
    }
    Ok(field)
}

fn wrong(message: &str, path: &str) -> Problem {
    Problem::error("unreadable-file", "", message).at(0, path)
}

/// An object with known keys only: what is not known would be lost.
fn object<'j>(json: &'j Json, path: &str, keys: &[&str]) -> Result<&'j Map<String, Json>, Problem> {
    let map = json
        .as_object()
        .ok_or_else(|| wrong("this is an object", path))?;
    match map.keys().find(|key| !keys.contains(&key.as_str())) {
        None => Ok(map),
        Some(key) => Err(wrong(
            &format!("there is no key {key}, but {}", keys.join(", ")),
            path,
        )),
    }
}

/// A text; a list of texts is one line each.
fn text(map: &Map<String, Json>, key: &str, path: &str) -> Result<String, Problem> {
    let path = format!("{path}.{key}");
    Ok(match map.get(key) {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(text)) => text.trim().to_owned(),
        Some(Json::Bool(true)) => "TRUE".to_owned(),
        Some(Json::Bool(false)) => String::new(),
        Some(Json::Number(number)) => number.to_string(),
        Some(Json::Array(lines)) => {
            let lines: Option<Vec<&str>> = lines.iter().map(Json::as_str).collect();
            lines
                .ok_or_else(|| wrong("this is a list of texts", &path))?
                .join("\n")
        }
        Some(Json::Object(_)) => return Err(wrong("this is a text", &path)),
    })
}

fn flag(map: &Map<String, Json>, key: &str) -> bool {
    match map.get(key) {
        Some(Json::Bool(value)) => *value,
        Some(Json::String(text)) => cell::flag(text),
        _ => false,
    }
}
