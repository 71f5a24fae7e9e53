use std::io::{Cursor, Read};

use calamine::{DataRef, Reader, SheetVisible, Xlsx};

use super::table::{self, Row};
use crate::problem::Problem;
use crate::read::cell_name;
use crate::sheets::{Column, Sheets};

/// The most bytes that the parts of a workbook unpack to, all together.
const UNPACKED: u64 = 8 << 20;
/// The most rows and columns of a table, and the most bytes of its cells.
const ROWS: u32 = 20_000;
const COLUMNS: u32 = 64;
const TEXT: usize = 16 << 20;

/// Reads the first visible sheet of a workbook that has a known header, else the first
/// visible one.
pub(super) fn read(bytes: &[u8]) -> Result<Sheets, Vec<Problem>> {
    unpack(bytes).map_err(|problem| vec![problem])?;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| {
        let message = format!("the workbook cannot be read: {error}");
        vec![Problem::error("unreadable-file", "", message)]
    })?;
    let names: Vec<String> = book
        .sheets_metadata()
        .iter()
        .filter(|sheet| sheet.visible == SheetVisible::Visible)
        .map(|sheet| sheet.name.clone())
        .collect();
    let (mut first, mut known) = (None, None);
    for name in &names {
        let found = cells(&mut book, name);
        let header = found.as_ref().ok().and_then(|rows| rows.first());
        if header.is_some_and(|row| row.cells.iter().any(|cell| Column::of(cell).is_some())) {
            known = Some(found);
            break;
        }
        first = first.or(Some(found));
    }
    match known.or(first) {
        Some(rows) => table::sheets(&rows?, Vec::new()),
        None => {
            let message = "the workbook has no visible sheet";
            Err(vec![Problem::error("no-header", "", message)])
        }
    }
}

/// Unpacks every part without keeping it: what a ZIP says of its sizes may be a lie.
fn unpack(bytes: &[u8]) -> Result<(), Problem> {
    let unreadable = |error: &dyn std::fmt::Display| {
        let message = format!("the file is no workbook (.xlsx): {error}");
        Problem::error("unreadable-file", "", message)
    };
    let mut archive =
        zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
    let mut left = UNPACKED;
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).map_err(|error| unreadable(&error))?;
        let name = part
            .name()
            .map(|name| name.into_owned())
            .unwrap_or_default();
        let read = std::io::copy(&mut part.by_ref().take(left + 1), &mut std::io::sink())
            .map_err(|error| unreadable(&error))?;
        if read > left {
            let message = format!(
                "the workbook unpacks to more than {} MiB (at its part {name}); nobody wrote \
                 that many sheets by hand",
                UNPACKED >> 20
            );
            return Err(Problem::error("zip-bomb", "", message));
        }
        left -= read;
    }
    Ok(())
}

fn cells(book: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<Vec<Row>, Vec<Problem>> {
    let unreadable = |error: calamine::XlsxError| {
        let message = format!("the sheet {name} cannot be read: {error}");
        vec![Problem::error("unreadable-file", "", message)]
    };
    let mut reader = book.worksheet_cells_reader(name).map_err(unreadable)?;
    let (mut rows, mut problems, mut text): (Vec<Row>, Vec<Problem>, usize) = Default::default();
    while let Some(cell) = reader
        .next_cell_with_formula_metadata()
        .map_err(unreadable)?
    {
        let (row, column) = cell.pos;
        let number = usize::try_from(row).unwrap_or(usize::MAX).saturating_add(1);
        let place = cell_name(usize::try_from(column).unwrap_or(0), number);
        if cell.formula.is_some() {
            let message = "the cell has a formula; put its value there (paste as values)";
            problems.push(Problem::error("formula", "", message).at(0, place));
            continue;
        }
        let value = match written(&cell.value) {
            Ok(value) => value,
            Err(message) => {
                problems.push(Problem::error("error-value", "", message).at(0, place));
                continue;
            }
        };
        if value.is_empty() {
            continue;
        }
        text += value.len();
        if row >= ROWS || column >= COLUMNS || text > TEXT {
            let message = format!(
                "the table is too large: at most {ROWS} rows, {COLUMNS} columns and {} MiB",
                TEXT >> 20
            );
            problems.push(Problem::error("too-large", "", message).at(0, place));
            return Err(problems);
        }
        if rows.last().is_none_or(|last| last.row != number) {
            rows.push(Row {
                line: 0,
                row: number,
                cells: Vec::new(),
            });
        }
        if let (Some(last), Ok(column)) = (rows.last_mut(), usize::try_from(column)) {
            if last.cells.len() <= column {
                last.cells.resize(column + 1, String::new());
            }
            last.cells[column] = value;
        }
    }
    if problems.is_empty() {
        Ok(rows)
    } else {
        Err(problems)
    }
}

/// A value as a person would have typed it.
fn written(value: &DataRef<'_>) -> Result<String, String> {
    Ok(match value {
        DataRef::Empty => String::new(),
        DataRef::String(text) => text.trim().to_owned(),
        DataRef::SharedString(text) => text.trim().to_owned(),
        DataRef::Bool(true) => "TRUE".to_owned(),
        DataRef::Bool(false) => "FALSE".to_owned(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::DateTime(moment) => {
            let (year, month, day, hour, minute, _, _) = moment.to_ymd_hms_milli();
            if moment.as_f64() < 1.0 {
                format!("{hour:02}:{minute:02}")
            } else {
                format!("{year:04}-{month:02}-{day:02}")
            }
        }
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(error) => {
            return Err(format!(
                "the cell shows the error {error}; put a value there"
            ));
        }
    })
}
