use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ExprCall};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;

use super::LENGTH;

/// A program as models are shown it: the formal queries that recorded programs have beside their
/// questions are taken out, since a parser of its own writes them. A program that cannot be read
/// stays as it is.
///
/// ```
/// use worksheets::program;
///
/// let recorded = "order.house = answer(\"one in the south\", sql=\"SELECT name FROM houses\")";
/// assert_eq!(program::without_sql(recorded), "order.house = answer(\"one in the south\")");
/// ```
pub fn without_sql(code: &str) -> String {
    if code.len() > LENGTH || !code.contains("sql") {
        return code.to_owned();
    }
    let mut found = Queries(Vec::new());
    stacker::grow(64 << 20, || {
        if let Ok(parsed) = parse_module(code) {
            found.visit_body(parsed.suite());
        }
    });
    let mut out = code.to_owned();
    // From the last one on, so that the places before it stay what they are.
    found.0.sort_unstable();
    for (from, to) in found.0.into_iter().rev() {
        let before = code.get(..from).unwrap_or_default().trim_end();
        let before = before.strip_suffix(',').unwrap_or(before);
        out.replace_range(before.len()..to, "");
    }
    out
}

/// The places of the formal queries.
struct Queries(Vec<(usize, usize)>);

impl<'a> Visitor<'a> for Queries {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(ExprCall {
            func, arguments, ..
        }) = expr
            && func.as_name_expr().is_some_and(|name| name.id == "answer")
        {
            let sql = arguments.keywords.iter();
            let sql = sql.filter(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == "sql"));
            self.0.extend(sql.map(|keyword| {
                let range = keyword.range().to_std_range();
                (range.start, range.end)
            }));
        }
        walk_expr(self, expr);
    }
}
