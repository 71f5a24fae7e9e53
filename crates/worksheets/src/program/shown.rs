use ruff_python_ast::token::{Token, TokenKind, Tokens};
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{ArgOrKeyword, Expr};
use ruff_python_parser::parse_module;
use ruff_text_size::{Ranged, TextRange};

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
    let mut out = code.to_owned();
    stacker::grow(64 << 20, || {
        let Ok(parsed) = parse_module(code) else {
            return;
        };
        let mut found = Queries(Vec::new());
        found.visit_body(parsed.suite());
        // From the last one on, so that the places before it stay what they are.
        found.0.sort_unstable_by_key(Ranged::start);
        for query in found.0.into_iter().rev() {
            out.replace_range(with_comma(parsed.tokens(), query).to_std_range(), "");
        }
    });
    out
}

/// An argument with the comma before it. What is first in its call, or follows a comment, goes with
/// the comma behind it.
fn with_comma(tokens: &Tokens, argument: TextRange) -> TextRange {
    let is_comma = |token: &&Token| token.kind() == TokenKind::Comma;
    let mut before = tokens.before(argument.start()).iter().rev();
    let before = before.find(|token| token.kind() != TokenKind::NonLogicalNewline);
    if let Some(comma) = before.filter(is_comma) {
        return argument.cover(comma.range());
    }
    let after = tokens.after(argument.end()).iter();
    let mut after = after.filter(|token| !token.kind().is_trivia());
    let next = after.next().filter(is_comma).and_then(|_| after.next());
    next.map_or(argument, |next| argument.cover_offset(next.start()))
}

/// The places of the formal queries.
struct Queries(Vec<TextRange>);

impl<'a> Visitor<'a> for Queries {
    fn visit_expr(&mut self, expr: &'a Expr) {
        let Expr::Call(call) = expr else {
            return walk_expr(self, expr);
        };
        let asks = call
            .func
            .as_name_expr()
            .is_some_and(|name| name.id == "answer");
        self.visit_expr(&call.func);
        for argument in call.arguments.arguments_source_order() {
            match argument {
                // What stands in a query goes with it.
                ArgOrKeyword::Keyword(keyword)
                    if asks && keyword.arg.as_ref().is_some_and(|arg| arg == "sql") =>
                {
                    self.0.push(keyword.range());
                }
                _ => self.visit_expr(argument.value()),
            }
        }
    }
}
