//! What `check` says of sheets before anything runs (section 1.9).

mod calls;
mod circle;
mod code;
mod cycle;
mod field;
mod name;
mod waiting;

use std::collections::HashSet;

pub use calls::{check_actions, check_calls, unknown_calls};

use crate::predicate::{Predicate, Unreadable};
use crate::problem::{At, Problem};
use crate::sheets::{Column, Field, Sheet, SheetKind, Sheets, Type};

/// All problems of sheets, in their order: errors, with which they are not used, and
/// warnings. Each has a stable rule, a line and a cell, and can be written as JSON.
///
/// ```
/// use worksheets::{Format, check, read};
///
/// let csv = "WS Name,Kind,Type,Name\nA,task,,\n,input,colour,x\n";
/// let problems = check(&read(csv.as_bytes(), Format::Csv).unwrap());
/// assert_eq!(
///     problems[0].to_string(),
///     "error[unknown-type] line 3, cell C3, A.x: there is no type colour; it is str, text, \
///      int, float, bool, date, time, Enum, confirm, List[…] or a sheet's name",
/// );
/// ```
pub fn check(sheets: &Sheets) -> Vec<Problem> {
    let mut found = Found {
        sheets,
        problems: sheets.remarks.clone(),
    };
    let mut names = HashSet::new();
    for (at, sheet) in sheets.all().iter().enumerate() {
        if !names.insert(sheet.name.as_str()) {
            let message = format!("there are two sheets {}; give one another name", sheet.name);
            let problem = Problem::error("duplicate-sheet", &sheet.name, message);
            found.push(problem, sheet.at, Column::SheetName);
        }
        found.sheet(sheet);
        let compiled = sheets.compiled(at);
        let place = sheet.name.clone();
        found.predicate(&compiled.predicate, place, sheet.at, Column::SheetPredicate);
        let mut fields = HashSet::new();
        for (field, compiled) in sheet.fields.iter().zip(&compiled.fields) {
            let place = format!("{}.{}", sheet.name, field.name);
            if !fields.insert(field.name.as_str()) {
                let message = format!("{} has two fields {}", sheet.name, field.name);
                let problem = Problem::error("duplicate-field", &place, message);
                found.push(problem, field.at, Column::Name);
            }
            found.field(sheet, field, &place);
            let predicate = &compiled.predicate;
            found.predicate(predicate, place.clone(), field.at, Column::Predicate);
            found.validation(&compiled.validation, place, field);
        }
    }
    found.clashes();
    found.whole();
    found.problems
}

struct Found<'s> {
    sheets: &'s Sheets,
    problems: Vec<Problem>,
}

impl Found<'_> {
    fn push(&mut self, problem: Problem, at: At, column: Column) {
        let cell = self.sheets.cell(at, column);
        self.problems.push(problem.at(at.line, cell));
    }

    fn predicate(
        &mut self,
        predicate: &Result<Predicate, Unreadable>,
        place: String,
        at: At,
        column: Column,
    ) {
        match predicate {
            Ok(predicate) => self.names(predicate, place, at, column),
            Err(why) => {
                let message = format!("the predicate cannot be read: {why}");
                self.push(
                    Problem::error("unreadable-predicate", place, message),
                    at,
                    column,
                );
            }
        }
    }

    fn validation(
        &mut self,
        validation: &Result<Predicate, Unreadable>,
        place: String,
        field: &Field,
    ) {
        match validation {
            Ok(predicate) => self.names(predicate, place, field.at, Column::Validation),
            Err(why) => {
                let message = format!("the validation cannot be read: {why}");
                let problem = Problem::error("unreadable-validation", place, message);
                self.push(problem, field.at, Column::Validation);
            }
        }
    }

    fn sheet(&mut self, sheet: &Sheet) {
        self.name(
            &sheet.name,
            sheet.name.clone(),
            sheet.kind,
            sheet.at,
            Column::SheetName,
        );
        for row in &sheet.rows {
            if self
                .sheets
                .get(row)
                .is_none_or(|found| found.kind != SheetKind::Row)
            {
                let message = format!("there is no row type {row}");
                let problem = Problem::error("unknown-type", &sheet.name, message);
                self.push(problem, sheet.at, Column::Type);
            }
        }
        match sheet.kind {
            SheetKind::Task => {
                let confirms = sheet.fields.iter().any(|field| field.ty == Type::Confirm);
                if !sheet.backend.is_empty() && !confirms {
                    let message = "the backend is called without a confirm field: nobody is \
                                   asked before";
                    let problem = Problem::warning("unconfirmed-call", &sheet.name, message);
                    self.push(problem, sheet.at, Column::Name);
                }
            }
            SheetKind::Kb => {
                let key = sheet.fields.iter().any(|field| field.primary);
                if !sheet.fields.is_empty() && !key {
                    let message = "the table has no key; write `internal; primary` at one field";
                    let problem = Problem::warning("no-primary", &sheet.name, message);
                    self.push(problem, sheet.at, Column::SheetName);
                }
            }
            SheetKind::Row => {}
        }
        self.code(sheet);
    }

    fn whole(&mut self) {
        let task = |sheet: &&Sheet| sheet.kind == SheetKind::Task;
        let Some(first) = self.sheets.all().iter().find(task) else {
            let message = "there is no task sheet, so there is nothing to do";
            self.problems
                .push(Problem::error("no-task-sheet", "", message));
            return;
        };
        if self.sheets.main().is_none() {
            let message = "every task sheet is the type of a field, so that none can be opened";
            let problem = Problem::error("no-root-sheet", &first.name, message);
            self.push(problem, first.at, Column::SheetName);
        }
        self.cycles();
        self.waiting();
    }
}
