//! Reading sheets from files. What cannot be read is a list of problems, each with its cell.

mod cell;
mod csv;
mod original;
mod quotes;
mod table;
mod toml;
mod xlsx;

pub(crate) use table::cell_name;

use crate::problem::Problem;
use crate::sheets::{FieldKind, SheetKind, Sheets};

/// The forms in which sheets are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values (RFC 4180).
    Csv,
    /// Tab-separated values.
    Tsv,
    /// A workbook; its first sheet with a known header.
    Xlsx,
    /// `[[sheet]]` and `[[sheet.field]]`, for changes that are reviewed.
    Toml,
    /// The JSON of the original's code.
    Original,
}

impl Format {
    /// The format of a file, by the end of its name.
    pub fn of(name: &str) -> Option<Self> {
        let (_, end) = name.rsplit_once('.')?;
        Some(match end.to_lowercase().as_str() {
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            "xlsx" => Self::Xlsx,
            "toml" => Self::Toml,
            "json" => Self::Original,
            _ => return None,
        })
    }
}

/// What was read, or everything that is wrong with it: whoever mends one cell is to see the others,
/// too.
fn finished(mut sheets: Sheets, problems: Vec<Problem>) -> Result<Sheets, Vec<Problem>> {
    let is_wrong = problems.iter().any(Problem::is_error);
    sheets.remarks = problems;
    match is_wrong {
        false => Ok(sheets),
        true if sheets.all().is_empty() => Err(sheets.remarks),
        true => Err(crate::check::check(&sheets)),
    }
}

/// The kind of a field whose cell names none: what is least in the way of other findings.
fn kind_in(sheet: SheetKind) -> FieldKind {
    match sheet {
        SheetKind::Task => FieldKind::Input,
        SheetKind::Kb | SheetKind::Row => FieldKind::Internal,
    }
}

/// The most bytes of a file of sheets.
pub const LARGEST: usize = 16 << 20;

/// Reads sheets. What is odd but readable is among the problems of [`crate::check`].
pub fn read(bytes: &[u8], format: Format) -> Result<Sheets, Vec<Problem>> {
    if bytes.len() > LARGEST {
        let message = format!("the file has more than {} MiB", LARGEST >> 20);
        return Err(vec![Problem::error("too-large", "", message)]);
    }
    match format {
        Format::Csv => csv::read(bytes, b','),
        Format::Tsv => csv::read(bytes, b'\t'),
        Format::Xlsx => xlsx::read(bytes),
        Format::Toml => toml::read(bytes),
        Format::Original => original::read(bytes),
    }
}
