use super::quotes::{Scan, Scanned};
use super::table::{self, Row};
use crate::problem::Problem;
use crate::sheets::Sheets;

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
    table::sheets(&rows, problems)
}
