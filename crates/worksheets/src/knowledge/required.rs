use indexmap::IndexMap;
use serde_json::Value as Json;
use sqlparser::ast::{
    BinaryOperator, Expr, Ident, InTarget, TableFactor, UnaryOperator, Value as Sql,
};

use super::Knowledge;
use super::load::columns;
use super::statement::{Parsed, last};
use crate::sheets::Sheet;

/// A table of a query: its sheet, and the name that the query gives it.
pub(super) struct Source<'s> {
    pub(super) sheet: &'s Sheet,
    pub(super) alias: String,
}

impl<'s> Knowledge<'s> {
    /// The tables of FROM and its joins.
    pub(super) fn sources(&self, parsed: &Parsed) -> Result<Vec<Source<'s>>, String> {
        let mut out = Vec::new();
        for from in &parsed.select.from {
            let joined = from.joins.iter().map(|join| &join.relation);
            for factor in std::iter::once(&from.relation).chain(joined) {
                let TableFactor::Table { name, alias, .. } = factor else {
                    return Err("FROM takes tables, nothing else".to_owned());
                };
                let name = last(name).unwrap_or_default();
                let Some(sheet) = self.kb(&name) else {
                    let known = self.sheets.all().iter();
                    let known = known.filter(|s| s.kind == crate::sheets::SheetKind::Kb);
                    let known: Vec<&str> = known.map(|s| s.name.as_str()).collect();
                    return Err(format!(
                        "there is no table {name}, but {}",
                        known.join(", ")
                    ));
                };
                if sheet.fields.is_empty() {
                    return Err(format!(
                        "{name} is a collection of documents: write answer({name}, 'question')"
                    ));
                }
                let alias = alias
                    .as_ref()
                    .map_or(&sheet.name, |alias| &alias.name.value);
                out.push(Source {
                    sheet,
                    alias: alias.clone(),
                });
            }
        }
        if out.is_empty() {
            return Err("the query names no table".to_owned());
        }
        Ok(out)
    }

    /// Adds what the user said later: a column of a table is equal to a value.
    pub(super) fn constrain(
        &self,
        parsed: &mut Parsed,
        params: &IndexMap<String, Json>,
    ) -> Result<(), String> {
        let sources = self.sources(parsed)?;
        for (place, value) in params {
            let found = place.split_once('.').and_then(|(table, name)| {
                let source = sources.iter().find(|source| source.sheet.name == table)?;
                let field = columns(source.sheet).find(|field| field.name == name)?;
                Some([&source.alias, &field.name].map(|name| Ident::with_quote('"', name)))
            });
            let column = found.ok_or_else(|| format!("the query does not read {place}"))?;
            let value = match value {
                Json::String(text) => Sql::SingleQuotedString(text.replace('\'', "''")),
                Json::Bool(yes) => Sql::Number(u8::from(*yes).to_string(), false),
                other => Sql::Number(other.to_string(), false),
            };
            parsed.structural.push(Expr::BinaryOp {
                left: Box::new(Expr::CompoundIdentifier(column.to_vec())),
                op: BinaryOperator::Eq,
                right: Box::new(Expr::Value(value.into())),
            });
        }
        Ok(())
    }

    /// Required columns that WHERE compares with no constant, unless it does so with the key.
    pub(super) fn missing(&self, parsed: &Parsed, sources: &[Source<'s>]) -> Vec<String> {
        let compared = compared(&parsed.structural);
        let mut out = Vec::new();
        for source in sources {
            let is_compared = |column: &str| {
                compared.iter().any(|(table, name)| {
                    name.eq_ignore_ascii_case(column)
                        && table
                            .as_ref()
                            .is_none_or(|table| table.eq_ignore_ascii_case(&source.alias))
                })
            };
            let mut fields = columns(source.sheet);
            if fields.any(|field| field.primary && is_compared(&field.name)) {
                continue;
            }
            for field in columns(source.sheet).filter(|field| field.required) {
                let place = format!("{}.{}", source.sheet.name, field.name);
                if !is_compared(&field.name) && !out.contains(&place) {
                    out.push(place);
                }
            }
        }
        out
    }
}

/// The columns that are compared with a constant somewhere, with their tables if named.
fn compared(conditions: &[Expr]) -> Vec<(Option<String>, String)> {
    let mut out = Vec::new();
    let mut open: Vec<&Expr> = conditions.iter().collect();
    while let Some(expr) = open.pop() {
        match expr {
            Expr::BinaryOp {
                left,
                op: BinaryOperator::And | BinaryOperator::Or,
                right,
            } => open.extend([&**left, &**right]),
            Expr::BinaryOp { left, op, right } if is_comparison(op) => {
                if is_constant(right) {
                    out.extend(column(left));
                }
                if is_constant(left) {
                    out.extend(column(right));
                }
            }
            Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => open.push(inner),
            Expr::In {
                expr,
                target: InTarget::List(list),
                ..
            } if list.iter().all(is_constant) => {
                out.extend(column(expr));
            }
            Expr::Between {
                expr, low, high, ..
            } if is_constant(low) && is_constant(high) => out.extend(column(expr)),
            Expr::Like { expr, pattern, .. } if is_constant(pattern) => out.extend(column(expr)),
            _ => {}
        }
    }
    out
}

fn is_comparison(op: &BinaryOperator) -> bool {
    matches!(
        op,
        BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
    )
}

fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Value(_) => true,
        Expr::UnaryOp {
            op: UnaryOperator::Minus | UnaryOperator::Plus,
            expr,
        } => matches!(**expr, Expr::Value(_)),
        // SQLite takes "…" that is no column for a text.
        Expr::Identifier(name) => name.quote_style == Some('"'),
        _ => false,
    }
}

/// A column as written, also within lower(…) and the like.
pub(super) fn column(expr: &Expr) -> Option<(Option<String>, String)> {
    match expr {
        Expr::Identifier(Ident { value, .. }) => Some((None, value.clone())),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [table, name] => Some((Some(table.value.clone()), name.value.clone())),
            _ => None,
        },
        Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => column(inner),
        Expr::Function(function) => {
            let name = last(&function.name)?.to_lowercase();
            let (inner, _) = super::statement::call_of(expr, &["lower", "upper", "trim"])?;
            matches!(name.as_str(), "lower" | "upper" | "trim").then(|| column(&inner))?
        }
        _ => None,
    }
}
