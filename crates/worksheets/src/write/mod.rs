//! Writing sheets: every form has the same content, so that one becomes the other and back
//! without loss.

mod original;
mod table;
mod toml;
mod xlsx;

use crate::read::Format;
use crate::sheets::Sheets;

/// Writes sheets as text. A workbook is none: nothing is given for it, see [`write_bytes`].
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

/// Writes sheets as the bytes of a file, in any form, workbooks included.
///
/// ```
/// use worksheets::{Format, read, write_bytes};
///
/// let csv = "WS Name,Kind,Type,Name\nA,task,,\n,input,str,x\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let workbook = write_bytes(&sheets, Format::Xlsx).unwrap();
/// assert_eq!(read(&workbook, Format::Xlsx).unwrap().spec(), sheets.spec());
/// ```
pub fn write_bytes(sheets: &Sheets, format: Format) -> Option<Vec<u8>> {
    match format {
        Format::Xlsx => xlsx::write(sheets),
        text => write(sheets, text).map(String::into_bytes),
    }
}
