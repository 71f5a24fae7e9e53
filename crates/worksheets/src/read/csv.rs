use super::quotes::{Scan, Scanned};
use super::table::{self, Row, cell_name};
use crate::problem::Problem;
use crate::sheets::{Column, Sheets};

/// Reads a table whose cells a delimiter separates.
pub(super) fn read(bytes: &[u8], delimiter: u8) -> Result<Sheets, Vec<Problem>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut scan = Scan::new(delimiter);
    if let Err(error) = std::str::from_utf8(bytes) {
        let message = "the file is not UTF-8 from here on; save it as UTF-8";
        let before = scan.read(&bytes[..error.valid_up_to()]);
        let problem = scan.here(Problem::error("not-utf8", "", message));
        return Err(before.err().into_iter().chain([problem]).collect());
    }
    let scanned = scan.read(bytes).and_then(|()| scan.end());
    let Scanned {
        rows: places,
        problems,
    } = scanned.map_err(|problem| vec![problem])?;
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(bytes);
    let mut rows = Vec::new();
    for (record, (line, row)) in reader.records().zip(places) {
        let record = record.map_err(|error| {
            let message = format!("the table cannot be read here: {error}");
            vec![Problem::error("unreadable-file", "", message).at(line, "")]
        })?;
        rows.push(Row {
            line,
            row,
            cells: record.iter().map(|cell| cell.trim().to_owned()).collect(),
        });
    }
    if let Some(problem) = rows.first().and_then(|first| delimited(first, delimiter)) {
        return Err(vec![problem]);
    }
    table::sheets(&rows, problems)
}

/// A header in one cell, whose parts another delimiter separates: spreadsheets of many countries
/// write semicolons.
fn delimited(header: &Row, delimiter: u8) -> Option<Problem> {
    let mut filled = header.cells.iter().filter(|cell| !cell.is_empty());
    let (cell, None) = (filled.next()?, filled.next()) else {
        return None;
    };
    let (_, found) = [(';', "semicolons"), ('\t', "tabs"), (',', "commas")]
        .into_iter()
        .filter(|(other, _)| *other != char::from(delimiter))
        .find(|(other, _)| {
            let parts = cell.split(*other).map(|part| part.trim().trim_matches('"'));
            parts.filter(|part| Column::of(part).is_some()).count() > 1
        })?;
    let wanted = match delimiter {
        b'\t' => "tabs, or with commas as .csv",
        _ => "commas, or with tabs as .tsv",
    };
    let message = format!("the cells stand between {found}; save the file with {wanted}");
    let problem = Problem::error("wrong-delimiter", "", message);
    Some(problem.at(header.line, cell_name(0, header.row)))
}
