use ::toml::Spanned;
use serde::Deserialize;

use super::{cell, finished, kind_in};
use crate::problem::{At, Problem};
use crate::sheets::{Field, FieldKind, Sheet, SheetKind, Sheets, Type};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    sheet: Vec<Spanned<SheetTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SheetTable {
    name: String,
    kind: Spanned<String>,
    #[serde(default)]
    predicate: String,
    #[serde(default)]
    backend: String,
    #[serde(default)]
    action: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    rows: Vec<String>,
    #[serde(default)]
    field: Vec<Spanned<FieldTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldTable {
    name: String,
    kind: Option<Spanned<String>>,
    #[serde(rename = "type")]
    ty: String,
    #[serde(default)]
    primary: bool,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    predicate: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    dont_ask: bool,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    confirm: bool,
    #[serde(default)]
    action: String,
    #[serde(default)]
    validation: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    default: String,
    #[serde(default)]
    reset: Vec<String>,
}

/// Reads `[[sheet]]` and `[[sheet.field]]`.
pub(super) fn read(bytes: &[u8]) -> Result<Sheets, Vec<Problem>> {
    let line = |at: usize| 1 + bytes.iter().take(at).filter(|&&byte| byte == b'\n').count();
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let message = "the file is not UTF-8 from here on; save it as UTF-8";
        vec![Problem::error("not-utf8", "", message).at(line(error.valid_up_to()), "")]
    })?;
    let file: File = ::toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| line(span.start));
        let problem = Problem::error("unreadable-file", "", error.message());
        vec![problem.at(at, "")]
    })?;
    let (mut list, mut problems) = (Vec::new(), Vec::new());
    for sheet in file.sheet {
        let at = At {
            line: line(sheet.span().start),
            row: 0,
        };
        let sheet = sheet.into_inner();
        let name = cell::name(&sheet.name);
        let kind = SheetKind::of(sheet.kind.get_ref()).unwrap_or_else(|| {
            let message = format!(
                "the sheet has the kind {:?}; it is task, kb or type",
                sheet.kind.get_ref()
            );
            let problem = Problem::error("unknown-kind", &name, message);
            problems.push(problem.at(line(sheet.kind.span().start), "kind"));
            SheetKind::Task
        });
        let mut fields = Vec::new();
        for field in sheet.field {
            let at = line(field.span().start);
            let of = (name.as_str(), kind);
            fields.extend(self::field(
                field.into_inner(),
                of,
                at,
                &line,
                &mut problems,
            ));
        }
        list.push(Sheet {
            predicate: cell::predicate(&sheet.predicate),
            backend: cell::code(&sheet.backend),
            action: cell::code(&sheet.action),
            description: sheet.description.trim().to_owned(),
            rows: sheet.rows,
            fields,
            at,
            ..Sheet::new(name, kind)
        });
    }
    finished(Sheets::new(list), problems)
}

fn field(
    table: FieldTable,
    (sheet, of): (&str, SheetKind),
    at: usize,
    line: &dyn Fn(usize) -> usize,
    problems: &mut Vec<Problem>,
) -> Option<Field> {
    let place = format!("{sheet}.{}", table.name);
    if table.name.trim().is_empty() {
        let message = "the field has no name";
        problems.push(Problem::error("no-name", place, message).at(at, "name"));
        return None;
    }
    let (kind, primary) = match &table.kind {
        None => (FieldKind::Input, false),
        Some(kind) => FieldKind::of(kind.get_ref()).unwrap_or_else(|| {
            let message = format!(
                "the field has the kind {:?}; it is input, internal or output",
                kind.get_ref()
            );
            let problem = Problem::error("unknown-kind", &place, message);
            problems.push(problem.at(line(kind.span().start), "kind"));
            (kind_in(of), false)
        }),
    };
    Some(Field {
        primary: primary || table.primary,
        options: table.options,
        predicate: cell::predicate(&table.predicate),
        description: table.description.trim().to_owned(),
        dont_ask: table.dont_ask,
        required: table.required,
        confirm: table.confirm,
        action: cell::code(&table.action),
        validation: table.validation.trim().to_owned(),
        message: table.message.trim().to_owned(),
        default: table.default.trim().to_owned(),
        reset: table.reset,
        at: At { line: at, row: 0 },
        ..Field::new(table.name.trim(), kind, Type::of(&table.ty))
    })
}
