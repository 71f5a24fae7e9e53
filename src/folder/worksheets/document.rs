//! The sheets as models read them: Python stubs, like every other API document.

use std::fmt::Write;
use worksheets::{Field, FieldKind, SheetKind, Sheets, Type};

/// A class for each task sheet with the fields that a user can fill in, then `answer`.
pub fn document(title: &str, guide: &str, sheets: &Sheets) -> String {
    let mut out = format!("# {}.\n", title.trim_end_matches('.'));
    for line in guide.lines() {
        let _ = writeln!(out, "{}", format!("# {line}").trim_end());
    }
    for sheet in sheets.all().iter().filter(|it| it.kind == SheetKind::Task) {
        let _ = write!(out, "\nclass {}:\n", sheet.name);
        if !sheet.description.is_empty() {
            let _ = writeln!(out, "    \"\"\"{}\"\"\"", sheet.description);
        }
        if sheets.main().is_some_and(|main| main.name == sheet.name) {
            let _ = writeln!(out, "    # The agent opens it by itself.");
        }
        let fields = || sheet.fields.iter().filter(|it| it.kind == FieldKind::Input);
        for field in fields() {
            let _ = writeln!(out, "    {}", stub(sheets, field));
        }
        if fields().next().is_none() {
            out.push_str("    pass\n");
        }
    }
    out.push_str(&knowledge(sheets));
    out
}

fn stub(sheets: &Sheets, field: &Field) -> String {
    let mut notes = Vec::new();
    if !field.description.is_empty() {
        notes.push(field.description.trim_end_matches('.').to_owned());
    }
    if !field.message.is_empty() {
        notes.push(field.message.clone());
    }
    if field.confirm && field.ty != Type::Confirm {
        notes.push("counts when the user confirms it".to_owned());
    }
    if field.ty == Type::Confirm {
        notes.push("only when the user was asked this and says yes or no".to_owned());
    }
    let mut line = format!(
        "{}: {}",
        field.name,
        named(sheets, &field.ty, &field.options)
    );
    if !notes.is_empty() {
        let _ = write!(line, "  # {}", notes.join("; "));
    }
    line
}

fn named(sheets: &Sheets, ty: &Type, options: &[String]) -> String {
    match ty {
        Type::Str | Type::Text => "str".to_owned(),
        Type::Confirm => "bool".to_owned(),
        Type::Enum => {
            let options: Vec<String> = options.iter().map(|it| format!("{it:?}")).collect();
            format!("Literal[{}]", options.join(", "))
        }
        Type::List(item) => format!("list[{}]", named(sheets, item, options)),
        Type::Named(name) => match sheets.get(name).map(|sheet| sheet.kind) {
            Some(SheetKind::Task) | None => name.clone(),
            Some(_) => format!("{name}  # a row of an answer"),
        },
        other => other.name(),
    }
}

/// `answer`, with what can be asked about.
fn knowledge(sheets: &Sheets) -> String {
    let tables: Vec<String> = sheets
        .all()
        .iter()
        .filter(|sheet| sheet.kind == SheetKind::Kb)
        .map(|sheet| {
            let columns = sheet.fields.iter().map(|field| field.name.as_str());
            let columns: Vec<&str> = columns.filter(|name| !name.is_empty()).collect();
            let about = match sheet.description.as_str() {
                "" => String::new(),
                about => format!(": {about}"),
            };
            match columns.is_empty() {
                true => format!("    {}{about}\n", sheet.name),
                false => format!("    {} ({}){about}\n", sheet.name, columns.join(", ")),
            }
        })
        .collect();
    match tables.is_empty() {
        true => String::new(),
        false => format!(
            "\ndef answer(question: str):\n    \"\"\"Looks something up. What can be asked about:\n{}\
             \x20   \"\"\"\n",
            tables.concat()
        ),
    }
}
