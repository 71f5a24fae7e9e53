use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, XlsxError};

use super::table;
use crate::sheets::Sheets;

/// The widths of columns, in characters: of short cells, and of code and prose.
const WIDTHS: (f64, f64) = (16.0, 48.0);
/// From how many characters on a cell is long.
const LONG: usize = 30;

pub(super) fn write(sheets: &Sheets) -> Option<Vec<u8>> {
    workbook(&table::rows(sheets)).ok()
}

/// A workbook with one sheet whose header stays in sight. Every cell is a text, so that nothing
/// becomes a formula or a date, and the same sheets give the same bytes.
fn workbook(rows: &[Vec<String>]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&made));
    let bold = Format::new().set_bold();
    let wrapped = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    let sheet = book.add_worksheet().set_name("Worksheets")?;
    sheet.set_freeze_panes(1, 0)?;
    for (row, at) in rows.iter().zip(0u32..) {
        for (cell, column) in row.iter().zip(0u16..) {
            let format = if at == 0 { &bold } else { &wrapped };
            if !cell.is_empty() {
                sheet.write_string_with_format(at, column, cell, format)?;
            }
        }
    }
    let columns = rows.first().map_or(0, Vec::len);
    for (place, column) in (0..columns).zip(0u16..) {
        let long = rows.iter().any(|row| {
            row.get(place)
                .is_some_and(|cell| cell.chars().count() > LONG)
        });
        sheet.set_column_width(column, if long { WIDTHS.1 } else { WIDTHS.0 })?;
    }
    book.save_to_buffer()
}
