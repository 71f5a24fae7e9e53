use super::{cell, finished, kind_in};
use crate::problem::{At, Problem};
use crate::sheets::{Column, Field, FieldKind, Sheet, SheetKind, Sheets, Type};

/// One row of a table, with its trimmed cells.
pub(super) struct Row {
    /// The line of the file, from 1; 0 where a file has none.
    pub(super) line: usize,
    /// The row as spreadsheets count, from 1.
    pub(super) row: usize,
    pub(super) cells: Vec<String>,
}

/// Makes sheets of a table whose first row is the header. What was odd in the file before its
/// cells were read stands among the remarks.
pub(super) fn sheets(rows: &[Row], odd: Vec<Problem>) -> Result<Sheets, Vec<Problem>> {
    let mut rows = rows
        .iter()
        .filter(|row| row.cells.iter().any(|cell| !cell.is_empty()))
        .peekable();
    let Some(first) = rows.peek() else {
        let message = "the file is empty; its first row has the names of the columns";
        return Err(vec![Problem::error("no-header", "", message)]);
    };
    let mut table = Table {
        columns: columns(first)?,
        problems: odd,
        ..Table::default()
    };
    // Without a single known header the original's order holds. Its first row is one of
    // headers all the same, unless it opens a sheet.
    let known = first.cells.iter().any(|cell| Column::of(cell).is_some());
    if known || !table.opens_sheet(first) {
        rows.next();
    }
    for row in rows {
        table.row(row);
    }
    let mut sheets = Sheets::new(table.list);
    sheets.columns = table.columns;
    finished(sheets, table.problems)
}

fn columns(header: &Row) -> Result<Vec<Option<Column>>, Vec<Problem>> {
    let found: Vec<Option<Column>> = header.cells.iter().map(|cell| Column::of(cell)).collect();
    if found.iter().all(Option::is_none) {
        return Ok(Column::ALL.into_iter().map(Some).collect());
    }
    let mut problems = Vec::new();
    for (at, (cell, column)) in header.cells.iter().zip(&found).enumerate() {
        let place = cell_name(at, header.row);
        match column {
            None if !cell.is_empty() => {
                let known: Vec<&str> = Column::ALL.iter().map(|column| column.header()).collect();
                let message = format!("there is no column {cell:?}, but {}", known.join(", "));
                let problem = Problem::error("unknown-header", "", message);
                problems.push(problem.at(header.line, place));
            }
            Some(column) if found[..at].contains(&Some(*column)) => {
                let message = format!("the column {} stands twice", column.header());
                let problem = Problem::error("duplicate-header", "", message);
                problems.push(problem.at(header.line, place));
            }
            _ => {}
        }
    }
    if problems.is_empty() {
        Ok(found)
    } else {
        Err(problems)
    }
}

/// A cell as spreadsheets name it, `E12`.
pub(crate) fn cell_name(column: usize, row: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    format!("{}{row}", letters.iter().rev().collect::<String>())
}

#[derive(Default)]
struct Table {
    columns: Vec<Option<Column>>,
    list: Vec<Sheet>,
    problems: Vec<Problem>,
}

/// The columns that a sheet's row uses, those of a field's, those of an option's.
const ON_SHEET: &[Column] = &[
    Column::SheetPredicate,
    Column::SheetName,
    Column::Kind,
    Column::Type,
    Column::Name,
    Column::Description,
    Column::SheetAction,
];
const ON_FIELD: &[Column] = &[
    Column::Predicate,
    Column::Kind,
    Column::Type,
    Column::Name,
    Column::Options,
    Column::Description,
    Column::DontAsk,
    Column::Required,
    Column::Confirm,
    Column::Action,
    Column::Validation,
    Column::Default,
    Column::Reset,
];

impl Table {
    fn get<'r>(&self, row: &'r Row, column: Column) -> &'r str {
        let at = self.columns.iter().position(|known| *known == Some(column));
        at.and_then(|at| row.cells.get(at))
            .map_or("", String::as_str)
    }

    fn opens_sheet(&self, row: &Row) -> bool {
        let kind = |column| SheetKind::of(self.get(row, column)).is_some();
        !self.get(row, Column::SheetName).is_empty() && (kind(Column::Kind) || kind(Column::Type))
    }

    fn problem(&mut self, problem: Problem, row: &Row, column: Column) {
        let at = self.columns.iter().position(|known| *known == Some(column));
        let cell = cell_name(at.unwrap_or(0), row.row);
        self.problems.push(problem.at(row.line, cell));
    }

    fn row(&mut self, row: &Row) {
        let filled = |column| !self.get(row, column).is_empty();
        if filled(Column::SheetName) {
            self.sheet(row);
        } else if filled(Column::Type) || filled(Column::Name) {
            self.field(row);
        } else if filled(Column::Options) {
            self.option(row);
        } else {
            self.stray(row, &[]);
        }
    }

    fn sheet(&mut self, row: &Row) {
        self.stray(row, ON_SHEET);
        let name = cell::name(self.get(row, Column::SheetName));
        let (kind, ty) = (self.get(row, Column::Kind), self.get(row, Column::Type));
        let found = SheetKind::of(ty).or_else(|| SheetKind::of(kind));
        if found.is_none() {
            let message = format!(
                "the sheet has the kind {:?}; it is task, kb or type",
                if ty.is_empty() { kind } else { ty }
            );
            let column = if ty.is_empty() {
                Column::Kind
            } else {
                Column::Type
            };
            self.problem(Problem::error("unknown-kind", &name, message), row, column);
        }
        self.list.push(Sheet {
            predicate: cell::predicate(self.get(row, Column::SheetPredicate)),
            backend: cell::code(self.get(row, Column::Name)),
            action: cell::code(self.get(row, Column::SheetAction)),
            description: self.get(row, Column::Description).to_owned(),
            at: At {
                line: row.line,
                row: row.row,
            },
            ..Sheet::new(name, found.unwrap_or(SheetKind::Task))
        });
    }

    fn field(&mut self, row: &Row) {
        self.stray(row, ON_FIELD);
        self.flags(row);
        let name = self.get(row, Column::Name).to_owned();
        let ty = Type::of(self.get(row, Column::Type));
        let Some(sheet) = self.list.last() else {
            let message = "the row stands above the first sheet; give a sheet's name first";
            self.problem(
                Problem::error("no-sheet", "", message),
                row,
                Column::SheetName,
            );
            return;
        };
        let place = format!("{}.{name}", sheet.name);
        let of = sheet.kind;
        let cell = self.get(row, Column::Kind);
        let (kind, primary) = match FieldKind::of(cell) {
            Some(found) => found,
            None if cell.is_empty() => (FieldKind::Input, false),
            None => {
                let message =
                    format!("the field has the kind {cell:?}; it is input, internal or output");
                let problem = Problem::error("unknown-kind", &place, message);
                self.problem(problem, row, Column::Kind);
                (kind_in(of), false)
            }
        };
        if name.is_empty() {
            if let (FieldKind::Output, true, Type::Named(ty)) = (kind, of == SheetKind::Kb, &ty) {
                if let Some(sheet) = self.list.last_mut() {
                    sheet.rows.push(ty.clone());
                }
            } else {
                let message = "the field has no name; only output of a kb sheet has none";
                self.problem(Problem::error("no-name", place, message), row, Column::Name);
            }
            return;
        }
        let (validation, message) = cell::validation(self.get(row, Column::Validation));
        let mut field = Field {
            primary,
            predicate: cell::predicate(self.get(row, Column::Predicate)),
            description: self.get(row, Column::Description).to_owned(),
            dont_ask: cell::flag(self.get(row, Column::DontAsk)),
            required: cell::flag(self.get(row, Column::Required)),
            confirm: cell::flag(self.get(row, Column::Confirm)),
            action: cell::code(self.get(row, Column::Action)),
            validation,
            message,
            default: self.get(row, Column::Default).to_owned(),
            reset: cell::names(self.get(row, Column::Reset)),
            at: At {
                line: row.line,
                row: row.row,
            },
            ..Field::new(name, kind, ty)
        };
        let option = self.get(row, Column::Options);
        if !option.is_empty() {
            field.options.push(option.to_owned());
        }
        if let Some(sheet) = self.list.last_mut() {
            sheet.fields.push(field);
        }
    }

    fn option(&mut self, row: &Row) {
        self.stray(row, &[Column::Options]);
        let option = self.get(row, Column::Options).to_owned();
        let sheet = self.list.last_mut();
        match sheet.and_then(|sheet| sheet.fields.last_mut()) {
            Some(field) if *field.ty.item() == Type::Enum => field.options.push(option),
            _ => {
                let message = format!("the option {option:?} stands below no Enum field");
                self.problem(
                    Problem::error("stray-option", "", message),
                    row,
                    Column::Options,
                );
            }
        }
    }

    /// Only `TRUE` sets a mark: whoever writes `yes` means it, and does not get it.
    fn flags(&mut self, row: &Row) {
        for column in [Column::DontAsk, Column::Required, Column::Confirm] {
            let cell = self.get(row, column).to_lowercase();
            if !["", "true", "false", "no", "0"].contains(&cell.as_str()) {
                let cell = self.get(row, column);
                let header = column.header();
                let message = format!("{cell:?} in {header} means nothing; write TRUE");
                self.problem(Problem::warning("not-true", "", message), row, column);
            }
        }
    }

    /// Cells that mean nothing where they stand. `FALSE` is what a checkbox exports.
    fn stray(&mut self, row: &Row, used: &[Column]) {
        let columns = self.columns.clone();
        for (at, cell) in row.cells.iter().enumerate() {
            let column = columns.get(at).copied().flatten();
            let means = column.is_some_and(|column| used.contains(&column));
            if means || cell.is_empty() || cell.eq_ignore_ascii_case("false") {
                continue;
            }
            let header = column.map_or("a column without name", Column::header);
            let message = format!("{cell:?} in {header} means nothing in this row");
            let problem = Problem::warning("stray-cell", "", message);
            self.problems
                .push(problem.at(row.line, cell_name(at, row.row)));
        }
    }
}
