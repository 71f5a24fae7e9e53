use ruff_python_ast::Expr;
use ruff_python_parser::{parse_expression, parse_module};

use super::Found;
use crate::problem::{At, Problem};
use crate::program::LENGTH;
use crate::sheets::{Column, Sheet};

impl Found<'_> {
    /// Cells of code are Python, and a backend cell is a call: a function's bare name would
    /// never be called.
    pub(super) fn code(&mut self, sheet: &Sheet) {
        if !sheet.backend.is_empty() {
            let problem = match is_call(&sheet.backend) {
                Ok(true) => None,
                Ok(false) => Some((
                    "backend-not-a-call",
                    "the backend is a call, such as book(self.date)".to_owned(),
                )),
                Err(why) => Some(("unreadable-code", why)),
            };
            if let Some((rule, message)) = problem {
                let problem = Problem::error(rule, &sheet.name, message);
                self.push(problem, sheet.at, Column::Name);
            }
        }
        self.action(
            &sheet.action,
            sheet.name.clone(),
            sheet.at,
            Column::SheetAction,
        );
        for field in &sheet.fields {
            let place = format!("{}.{}", sheet.name, field.name);
            self.action(&field.action, place, field.at, Column::Action);
        }
    }

    fn action(&mut self, code: &str, place: String, at: At, column: Column) {
        if code.is_empty() {
            return;
        }
        let read = limited(code).and_then(|()| {
            stacker::grow(64 << 20, || parse_module(code).map(|_| ())).map_err(|error| {
                let before = &code[..usize::from(error.location.start()).min(code.len())];
                let line = before.matches('\n').count() + 1;
                format!("line {line} of the cell is no Python: {}", error.error)
            })
        });
        if let Err(why) = read {
            self.push(Problem::error("unreadable-code", place, why), at, column);
        }
    }
}

fn limited(code: &str) -> Result<(), String> {
    if code.len() > LENGTH {
        return Err(format!("the cell is longer than {LENGTH} characters"));
    }
    Ok(())
}

fn is_call(code: &str) -> Result<bool, String> {
    limited(code)?;
    let text = format!("({code}\n)");
    stacker::grow(64 << 20, || match parse_expression(&text) {
        Ok(parsed) => Ok(matches!(parsed.expr(), Expr::Call(_))),
        Err(error) => Err(format!(
            "the backend is no Python expression: {}",
            error.error
        )),
    })
}
