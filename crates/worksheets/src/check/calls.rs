use std::collections::HashSet;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Alias, Expr, Parameter, Stmt};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;

use super::Found;
use super::name::BUILTINS;
use crate::problem::Problem;
use crate::program::LENGTH;
use crate::sheets::{Column, Sheets};

/// The calls in cells of code that `lacking` has a sentence against, each with the rule
/// `unknown-call`. It is asked about names that are neither sheets nor built-ins nor the cell's own:
/// whether the owner's functions are among them, only the host knows.
///
/// ```
/// use worksheets::{Format, check_calls, read};
///
/// let csv = "WS Name,Kind,Type,Name\nA,task,,book(self.x)\n,input,str,x\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let problems = check_calls(&sheets, &|name| Some(format!("there is no function {name}")));
/// assert_eq!(
///     problems[0].to_string(),
///     "error[unknown-call] line 2, cell D2, A: there is no function book",
/// );
/// ```
pub fn check_calls(sheets: &Sheets, lacking: &dyn Fn(&str) -> Option<String>) -> Vec<Problem> {
    each_call(sheets, &|_, name| {
        lacking(name).map(|message| Problem::error("unknown-call", "", message))
    })
}

/// The calls in actions of functions that `writes`, each with the rule `unconfirmed-call`: no form
/// asks before an action.
///
/// ```
/// use worksheets::{Format, check_actions, read};
///
/// let csv = "WS Name,Kind,Type,Name,Actions\nA,task,,,\n,input,str,x,book(self.x)\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let problems = check_actions(&sheets, &|name| name == "book");
/// assert_eq!(
///     problems[0].to_string(),
///     "warning[unconfirmed-call] line 3, cell E3, A.x: the action calls book, which writes: no form \
///      is confirmed before it, so every plan is asked about; make it the call of a sheet with a \
///      confirm field",
/// );
/// ```
pub fn check_actions(sheets: &Sheets, writes: &dyn Fn(&str) -> bool) -> Vec<Problem> {
    each_call(sheets, &|column, name| {
        let is_booked = column != Column::Name && writes(name);
        is_booked.then(|| {
            let message = format!(
                "the action calls {name}, which writes: no form is confirmed before it, so every \
                 plan is asked about; make it the call of a sheet with a confirm field"
            );
            Problem::warning("unconfirmed-call", "", message)
        })
    })
}

/// What a judgement says of each name that a cell calls, once a cell.
fn each_call(sheets: &Sheets, judge: &dyn Fn(Column, &str) -> Option<Problem>) -> Vec<Problem> {
    let mut found = Found {
        sheets,
        problems: Vec::new(),
    };
    for sheet in sheets.all() {
        // In brackets, line breaks of an expression are blanks.
        let backend = format!("({}\n)", sheet.backend);
        let action = sheet.action.clone();
        let cells = [
            (sheet.name.clone(), sheet.at, Column::Name, backend),
            (sheet.name.clone(), sheet.at, Column::SheetAction, action),
        ];
        let fields = sheet.fields.iter().map(|field| {
            let place = format!("{}.{}", sheet.name, field.name);
            (place, field.at, Column::Action, field.action.clone())
        });
        for (place, at, column, code) in cells.into_iter().chain(fields) {
            let mut asked = HashSet::new();
            for (_, name) in unknown_calls(sheets, &code) {
                if !asked.insert(name.clone()) {
                    continue;
                }
                if let Some(problem) = judge(column, &name) {
                    let place = place.clone();
                    found.push(Problem { place, ..problem }, at, column);
                }
            }
        }
    }
    found.problems
}

/// What code calls by a name that is neither a sheet nor a built-in nor its own, with the line of the
/// code. Code that cannot be read calls nothing.
pub fn unknown_calls(sheets: &Sheets, code: &str) -> Vec<(usize, String)> {
    if code.len() > LENGTH {
        return Vec::new();
    }
    stacker::grow(64 << 20, || {
        let Ok(parsed) = parse_module(code) else {
            return Vec::new();
        };
        let mut names = Names::default();
        names.visit_body(parsed.suite());
        if names.is_open {
            return Vec::new();
        }
        let mut unknown = Vec::new();
        for (at, name) in &names.called {
            let is_own = names.bound.contains(name) || sheets.task(name).is_some();
            if !is_own && !is_built_in(name) {
                let before = code.get(..*at).unwrap_or_default();
                unknown.push((before.matches('\n').count() + 1, (*name).to_owned()));
            }
        }
        unknown
    })
}

/// The functions and classes of Python that code can call. Exceptions are known by their ends.
const PYTHON: &str = "abs all any ascii bin bool bytearray bytes callable chr classmethod compile \
    complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals \
    hasattr hash hex id int isinstance issubclass iter list locals map max memoryview min next object \
    oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod \
    str sum super tuple type vars zip";

/// Exceptions whose names do not end as those of others.
const EXCEPTIONS: &[&str] = &[
    "ChitChat",
    "ClosedWorksheet",
    "EndDialog",
    "FAQ",
    "KeyboardInterrupt",
    "StopIteration",
    "SystemExit",
];

fn is_built_in(name: &str) -> bool {
    let ends = ["Error", "Exception", "Warning"];
    BUILTINS.contains(&name)
        || PYTHON.split(' ').any(|known| known == name)
        || EXCEPTIONS.contains(&name)
        || ends.iter().any(|end| name.ends_with(end))
}

/// The names that code binds, in whatever block, and those that it calls.
#[derive(Default)]
struct Names<'a> {
    bound: HashSet<&'a str>,
    /// Each with its place.
    called: Vec<(usize, &'a str)>,
    /// Whether it imports names that it does not spell out.
    is_open: bool,
}

impl<'a> Visitor<'a> for Names<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.bound.insert(function.name.as_str());
            }
            Stmt::ClassDef(class) => {
                self.bound.insert(class.name.as_str());
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx.is_store() => {
                self.bound.insert(name.id.as_str());
            }
            Expr::Call(call) => {
                if let Expr::Name(name) = &*call.func {
                    let at = usize::from(name.start());
                    self.called.push((at, name.id.as_str()));
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.bound.insert(parameter.name.as_str());
    }

    fn visit_alias(&mut self, alias: &'a Alias) {
        let name = alias.asname.as_ref().unwrap_or(&alias.name);
        self.is_open |= name.as_str() == "*";
        self.bound.insert(name.as_str());
    }
}
