use super::table::{self, Row};
use crate::problem::Problem;
use crate::sheets::Sheets;

/// Reads a table whose cells a delimiter separates.
pub(super) fn read(bytes: &[u8], delimiter: u8) -> Result<Sheets, Vec<Problem>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Err(error) = std::str::from_utf8(bytes) {
        let before = &bytes[..error.valid_up_to()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message = "the file is not UTF-8 from here on; save it as UTF-8";
        return Err(vec![Problem::error("not-utf8", "", message).at(line, "")]);
    }
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(bytes);
    let (mut rows, mut next_line, mut row) = (Vec::new(), 1, 0);
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map_or(0, |at| at.line());
            let line = usize::try_from(line).unwrap_or(0);
            let message = format!("the table cannot be read here: {error}");
            vec![Problem::error("unreadable-file", "", message).at(line, "")]
        })?;
        let line = record.position().map_or(0, ::csv::Position::line);
        // The position of a record may count the blank lines before it or not: what a
        // spreadsheet shows counts them.
        let line = usize::try_from(line).unwrap_or(0).max(next_line);
        row += 1 + line.saturating_sub(next_line);
        let breaks: usize = record.iter().map(|cell| cell.matches('\n').count()).sum();
        next_line = line + breaks + 1;
        rows.push(Row {
            line,
            row,
            cells: record.iter().map(|cell| cell.trim().to_owned()).collect(),
        });
    }
    table::sheets(&rows)
}
