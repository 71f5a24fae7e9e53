//! Where the rows of a table begin, and where its quotes do not fit: a reader of CSV takes any
//! text, and an unclosed quote swallows what follows it.

use super::cell_name;
use crate::problem::Problem;

/// Follows the cells of a table byte by byte, as RFC 4180 has them.
pub(super) struct Scan {
    delimiter: u8,
    line: usize,
    row: usize,
    column: usize,
    at: Within,
    /// Whether the last byte was a carriage return.
    returned: bool,
    /// The line at which the present cell begins.
    start: usize,
    scanned: Scanned,
}

/// What a table is found to be.
#[derive(Default)]
pub(super) struct Scanned {
    /// The line and the row of everything but blank lines, from 1.
    pub(super) rows: Vec<(usize, usize)>,
    /// What is odd, but read as it was meant.
    pub(super) problems: Vec<Problem>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// At the start of a cell, perhaps behind blanks.
    Start {
        blanks: bool,
    },
    /// In a cell that begins with no quote; whether it has an odd number of them.
    Plain {
        odd: bool,
    },
    Quoted,
    /// Behind a quote in a quoted cell: it closes the cell, or a second one follows.
    Closed,
}

impl Scan {
    pub(super) fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            line: 1,
            row: 1,
            column: 0,
            at: Within::Start { blanks: false },
            returned: false,
            start: 1,
            scanned: Scanned::default(),
        }
    }

    /// A problem of the byte that comes next.
    pub(super) fn here(&self, problem: Problem) -> Problem {
        problem.at(self.line, cell_name(self.column, self.row))
    }

    /// Reads on. A quote that does not fit is an error, behind which nothing can be told.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        bytes.iter().try_for_each(|&byte| self.byte(byte))
    }

    /// The table is over.
    pub(super) fn end(mut self) -> Result<Scanned, Problem> {
        if self.at == Within::Quoted {
            let message = "the quote that begins this cell is never closed, so that the rest of \
                           the file is in this cell; close it, or double quotes that belong to \
                           the text";
            return Err(self.error("unclosed-quote", message));
        }
        self.stray();
        Ok(self.scanned)
    }

    fn byte(&mut self, byte: u8) -> Result<(), Problem> {
        let after_return = std::mem::replace(&mut self.returned, byte == b'\r');
        let ends_line = byte == b'\n' || byte == b'\r';
        let is_second = byte == b'\n' && after_return;
        let is_first = self.column == 0 && self.at == Within::Start { blanks: false };
        if is_first && !ends_line {
            self.scanned.rows.push((self.line, self.row));
        }
        self.line += usize::from(ends_line && !is_second);
        if self.at == Within::Quoted {
            if byte == b'"' {
                self.at = Within::Closed;
            }
            return Ok(());
        }
        if byte == self.delimiter || ends_line {
            if !is_second {
                self.next_cell(ends_line);
            }
            return Ok(());
        }
        self.at = match (self.at, byte) {
            (Within::Start { blanks: false }, b'"') => Within::Quoted,
            (Within::Start { blanks: true }, b'"') if self.delimiter == b',' => {
                let message = "blanks stand before the quote that begins this cell, so that a \
                               delimiter in it would end it; remove the blanks";
                return Err(self.error("blank-before-quote", message));
            }
            (Within::Start { .. }, b' ' | b'\t') => Within::Start { blanks: true },
            (Within::Closed, b'"') => Within::Quoted,
            (Within::Closed, b' ' | b'\t') => Within::Closed,
            (Within::Closed, _) => {
                let message = format!(
                    "more text follows the quote that closes this cell, on line {}; double quotes \
                     that belong to the text, or close the cell where it ends",
                    self.line
                );
                return Err(self.error("text-after-quote", message));
            }
            (Within::Plain { odd }, _) => Within::Plain {
                odd: odd != (byte == b'"'),
            },
            _ => Within::Plain { odd: byte == b'"' },
        };
        Ok(())
    }

    fn next_cell(&mut self, row: bool) {
        self.stray();
        if row {
            self.row += 1;
            self.column = 0;
        } else {
            self.column += 1;
        }
        self.at = Within::Start { blanks: false };
        self.start = self.line;
    }

    /// Pairs of quotes are read as they stand. A single one is what a comma within a pair leaves
    /// of it; between tabs, where spreadsheets quote nothing, it may well be meant.
    fn stray(&mut self) {
        if self.at == (Within::Plain { odd: true }) && self.delimiter == b',' {
            let message = "the cell has a quote without a second one; if a comma between them \
                           ended the cell, put the whole cell in quotes and double those in it";
            let problem = self.of_cell(Problem::warning("stray-quote", "", message));
            self.scanned.problems.push(problem);
        }
    }

    fn error(&self, rule: &'static str, message: impl Into<String>) -> Problem {
        self.of_cell(Problem::error(rule, "", message))
    }

    /// A problem of the present cell, where it begins.
    fn of_cell(&self, problem: Problem) -> Problem {
        problem.at(self.start, cell_name(self.column, self.row))
    }
}
