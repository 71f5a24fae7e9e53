//! Writing sheets: every form has the same content, so that one becomes the other and back
//! without loss.

mod original;
mod table;
mod toml;

use crate::read::Format;
use crate::sheets::Sheets;

/// Writes sheets. Workbooks are only read: write CSV, which spreadsheets open; nothing is
/// given for them.
///
/// ```
/// use worksheets::{Format, read, write};
///
/// let csv = "WS Name,Kind,Type,Name\nA,task,,\n,input,str,x\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let toml = write(&sheets, Format::Toml).unwrap();
/// assert_eq!(read(toml.as_bytes(), Format::Toml).unwrap().spec(), sheets.spec());
/// ```
pub fn write(sheets: &Sheets, format: Format) -> Option<String> {
    match format {
        Format::Csv => table::write(sheets, b','),
        Format::Tsv => table::write(sheets, b'\t'),
        Format::Toml => toml::write(sheets),
        Format::Original => Some(original::write(sheets)),
        Format::Xlsx => None,
    }
}
