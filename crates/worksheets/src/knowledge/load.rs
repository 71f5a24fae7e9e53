use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};
use serde_json::{Map, Value as Json};

use crate::fit::{self, Fitted};
use crate::problem::Problem;
use crate::sheets::{Field, FieldKind, Sheet, Sheets, Type};
use crate::state::{State, Value};

/// Reads rows from CSV with a header, or from JSON lines. Lists are JSON, or texts between
/// semicolons.
pub fn rows(text: &str) -> Result<Vec<Map<String, Json>>, Problem> {
    let wrong = |line: usize, why: String| Problem::error("unreadable-rows", "", why).at(line, "");
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('{') {
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        return lines
            .map(|(at, line)| {
                serde_json::from_str(line).map_err(|error| wrong(at + 1, error.to_string()))
            })
            .collect();
    }
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let failed = |error: csv::Error| {
        let line = error.position().map_or(0, csv::Position::line);
        wrong(usize::try_from(line).unwrap_or(0), error.to_string())
    };
    let headers = reader.headers().map_err(failed)?.clone();
    let mut out = Vec::new();
    for record in reader.records() {
        let record = record.map_err(failed)?;
        if record
            .iter()
            .skip(headers.len())
            .any(|cell| cell.trim() != "")
        {
            let line = record.position().map_or(0, csv::Position::line);
            let (cells, columns) = (record.len(), headers.len());
            let why = format!(
                "the row has {cells} cells, and the first row names {columns} columns; a cell with a \
                 comma stands in quotes"
            );
            return Err(wrong(usize::try_from(line).unwrap_or(0), why));
        }
        let cells = headers.iter().zip(&record);
        let row = cells.map(|(name, cell)| (name.trim().to_owned(), cell.trim().into()));
        out.push(
            row.filter(|(_, cell): &(String, Json)| *cell != "")
                .collect(),
        );
    }
    Ok(out)
}

/// Makes a table of a KB sheet, with an index of its text columns.
pub(super) fn table(
    connection: &mut Connection,
    sheets: &Sheets,
    sheet: &Sheet,
    rows: &[Map<String, Json>],
) -> rusqlite::Result<Vec<Problem>> {
    let columns: Vec<&Field> = columns(sheet).collect();
    let names: Vec<String> = columns.iter().map(|field| quoted(&field.name)).collect();
    let table = quoted(&sheet.name);
    let typed: Vec<String> = columns
        .iter()
        .zip(&names)
        .map(|(field, name)| format!("{name} {}", affinity(&field.ty)))
        .collect();
    connection.execute_batch(&format!("CREATE TABLE {table} ({})", typed.join(", ")))?;
    let mut problems = Vec::new();
    let transaction = connection.transaction()?;
    {
        let marks = vec!["?"; names.len()].join(", ");
        let insert = format!(
            "INSERT INTO {table} ({}) VALUES ({marks})",
            names.join(", ")
        );
        let mut insert = transaction.prepare(&insert)?;
        for (at, row) in rows.iter().enumerate() {
            let cell = |name: &str| format!("row {}, {name}", at + 1);
            for name in row.keys().filter(|name| sheet.field(name).is_none()) {
                let message = format!("{} has no column {name}", sheet.name);
                let problem = Problem::error("unknown-column", &sheet.name, message);
                problems.push(problem.at(0, cell(name)));
            }
            let mut values = Vec::new();
            for field in &columns {
                match fitted(sheets, field, row.get(&field.name)) {
                    Ok(value) => values.push(value),
                    Err(why) => {
                        let way_out = match why == fit::TOO_LARGE {
                            true => "; a column of type str keeps every digit",
                            false => "",
                        };
                        let message = format!("the value does not fit: {why}{way_out}");
                        let problem = Problem::error("bad-value", &sheet.name, message);
                        problems.push(problem.at(0, cell(&field.name)));
                        values.push(Sql::Null);
                    }
                }
            }
            insert.execute(params_from_iter(values))?;
        }
    }
    let texts: Vec<&str> = texts(sheet).collect();
    if let Some(number) = row_number(sheet).filter(|_| !texts.is_empty()) {
        let index = index(sheet);
        let names: Vec<String> = (0..texts.len()).map(index_column).collect();
        let texts: Vec<String> = texts.into_iter().map(quoted).collect();
        let (names, texts) = (names.join(", "), texts.join(", "));
        transaction.execute_batch(&format!(
            "CREATE VIRTUAL TABLE {index} USING fts5({names}, tokenize = 'porter unicode61');
             INSERT INTO {index} (rowid, {names}) SELECT {number}, {texts} FROM {table};"
        ))?;
    }
    transaction.commit()?;
    Ok(problems)
}

/// The columns that the index of a table has.
pub(super) fn texts(sheet: &Sheet) -> impl Iterator<Item = &str> {
    let texts = columns(sheet).filter(|field| field.ty == Type::Text);
    texts.map(|field| field.name.as_str())
}

/// How the index of a sheet is called, in quotes. The space keeps it apart from all sheets.
pub(super) fn index(sheet: &Sheet) -> String {
    quoted(&format!("{}{INDEX}", sheet.name))
}

/// How the name of an index goes on behind that of its sheet.
pub(super) const INDEX: &str = " text";

/// How the index calls the text column with this number: FTS5 refuses `rank` and `rowid`.
pub(super) fn index_column(at: usize) -> String {
    format!("c{at}")
}

/// The name by which a table has the numbers of its rows, which a column of this name hides.
/// Nothing where columns hide all of them.
pub(super) fn row_number(sheet: &Sheet) -> Option<&'static str> {
    let is_free = |name: &&str| columns(sheet).all(|field| !field.name.eq_ignore_ascii_case(name));
    ["rowid", "_rowid_", "oid"].into_iter().find(is_free)
}

pub(super) fn columns(sheet: &Sheet) -> impl Iterator<Item = &Field> {
    sheet
        .fields
        .iter()
        .filter(|field| field.kind != FieldKind::Output)
}

fn affinity(ty: &Type) -> &'static str {
    match ty {
        Type::Int | Type::Bool | Type::Confirm => "INTEGER",
        Type::Float => "REAL",
        // Texts that differ only in case are the same to users.
        _ => "TEXT COLLATE NOCASE",
    }
}

/// A name as SQL writes it, whatever stands in it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn fitted(sheets: &Sheets, field: &Field, json: Option<&Json>) -> Result<Sql, String> {
    let json = match json {
        None | Some(Json::Null) => return Ok(Sql::Null),
        Some(json) => json,
    };
    let listed = match (&field.ty, json) {
        (Type::List(_), Json::String(text)) => match serde_json::from_str::<Json>(text) {
            Ok(list @ Json::Array(_)) => list,
            _ => text
                .split(';')
                .map(|item| Json::from(item.trim()))
                .collect(),
        },
        (_, json) => json.clone(),
    };
    let value = match listed {
        Json::Array(items) => Value::List(items.into_iter().map(Value::Plain).collect()),
        other => Value::Plain(other),
    };
    match fit::fit(sheets, &State::default(), field, &value) {
        Fitted::Empty => Ok(Sql::Null),
        Fitted::Refused(why) => Err(why),
        Fitted::Value(value) => Ok(match value.json() {
            Json::Bool(value) => Sql::Integer(value.into()),
            Json::Number(number) => match number.as_i64() {
                Some(int) => Sql::Integer(int),
                None => Sql::Real(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => Sql::Text(text),
            other => Sql::Text(other.to_string()),
        }),
    }
}
