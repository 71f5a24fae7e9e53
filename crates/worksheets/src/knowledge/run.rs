use rusqlite::types::ValueRef;
use serde_json::{Map, Value as Json};
use sqlparser::ast::{BinaryOperator, Expr, GroupByExpr, Ident, SelectItem, SetExpr};
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;

use super::Knowledge;
use super::load::{columns, index, index_column, row_number, texts};
use super::reader::{Reader, any_of};
use super::required::{Source, column};
use super::statement::{Parsed, call_of};
use crate::agenda::Effect;
use crate::sheets::Type;
use crate::text::counted;

/// How hidden columns begin: the texts that conditions and the select list read.
const HIDDEN: &str = "__text_";
/// The hidden column with the row's number, by which ranks are looked up.
const ROW: &str = "__row";
/// The most rows that are ranked before the first ones are read.
const RANKED: usize = 10_000;

/// A column of the select list that is read from a text.
struct Read {
    hidden: String,
    name: String,
    question: String,
}

impl<'s> Knowledge<'s> {
    pub(super) fn select(
        &mut self,
        sql: &str,
        mut parsed: Parsed,
        reader: &mut dyn Reader,
    ) -> Result<Effect, String> {
        let sources = self.sources(&parsed)?;
        let tables: Vec<String> = sources.iter().map(|s| s.sheet.name.clone()).collect();
        let missing = self.missing(&parsed, &sources);
        if !missing.is_empty() {
            return Ok(Effect::Missing { tables, missing });
        }
        let limit = parsed
            .limit
            .unwrap_or(self.limits.rows)
            .min(self.limits.rows);
        let reads = reads(&mut parsed)?;
        add_key(&mut parsed, &sources);
        for (at, filter) in parsed.texts.iter().enumerate() {
            let name = format!("{HIDDEN}filter_{at}");
            parsed
                .select
                .projection
                .push(hidden(filter.column.clone(), &name));
        }
        let all = conjunction(&parsed.structural);
        parsed.select.selection = all;
        let total = if parsed.texts.is_empty() {
            Some(self.count(&parsed)?)
        } else {
            None
        };
        let (mut rows, total) = match total {
            Some(total) => (self.run(&parsed, Some(limit), &sources)?, total),
            None => self.filtered(&mut parsed, &sources, limit, reader)?,
        };
        for row in &mut rows {
            for read in &reads {
                let text = row.get(&read.hidden).and_then(Json::as_str).unwrap_or("");
                let answer = if text.trim().is_empty() {
                    "no information".to_owned()
                } else {
                    reader.answer(&[text.to_owned()], &read.question)?
                };
                row.insert(read.name.clone(), answer.into());
            }
            row.retain(|name, _| !name.starts_with("__"));
        }
        Ok(Effect::Rows {
            tables,
            sql: Some(sql.to_owned()),
            rows,
            total,
        })
    }

    /// How many rows there are without the limit.
    fn count(&self, parsed: &Parsed) -> Result<u64, String> {
        let text = text(parsed, None);
        let count = format!("SELECT count(*) FROM ({text})");
        let failed = |error: rusqlite::Error| explain(&error);
        let count: i64 = self
            .connection
            .query_row(&count, [], |row| row.get(0))
            .map_err(failed)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    fn run(
        &self,
        parsed: &Parsed,
        limit: Option<usize>,
        sources: &[Source<'s>],
    ) -> Result<Vec<Map<String, Json>>, String> {
        let failed = |error: rusqlite::Error| explain(&error);
        let mut statement = self
            .connection
            .prepare(&text(parsed, limit))
            .map_err(failed)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut found = statement.query([]).map_err(failed)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(failed)? {
            let mut out = Map::new();
            for (at, name) in names.iter().enumerate() {
                let value = json(row.get_ref(at).map_err(failed)?);
                let ty = sources
                    .iter()
                    .find_map(|source| columns(source.sheet).find(|f| f.name == *name));
                out.insert(name.clone(), typed(value, ty.map(|field| &field.ty)));
            }
            rows.push(out);
        }
        Ok(rows)
    }

    /// The rows that hold by their texts, at most `limit`: by the ORDER BY if there is one,
    /// else by the rank of their texts, and those that do not match last.
    fn filtered(
        &mut self,
        parsed: &mut Parsed,
        sources: &[Source<'s>],
        limit: usize,
        reader: &mut dyn Reader,
    ) -> Result<(Vec<Map<String, Json>>, u64), String> {
        let ranks = match &parsed.query.order_by {
            Some(_) => None,
            None => self.ranks(parsed, sources)?,
        };
        let most = if ranks.is_some() {
            RANKED
        } else {
            self.limits.free_text_rows
        };
        let mut rows = self.run(parsed, Some(most), sources)?;
        if let Some(ranks) = ranks {
            let place = |row: &Map<String, Json>| {
                let number = row.get(ROW).and_then(Json::as_i64);
                ranks.iter().position(|ranked| Some(*ranked) == number)
            };
            rows.sort_by_cached_key(|row| place(row).unwrap_or(usize::MAX));
            rows.truncate(self.limits.free_text_rows);
        }
        let mut held = Vec::new();
        for row in rows {
            if held.len() >= limit {
                break;
            }
            let mut holds = true;
            for (at, filter) in parsed.texts.iter().enumerate() {
                let text = row
                    .get(&format!("{HIDDEN}filter_{at}"))
                    .and_then(Json::as_str);
                let text = text.unwrap_or("").to_owned();
                let key = (text, filter.question.clone());
                let yes = match self.judged.get(&key) {
                    Some(known) => *known,
                    None if key.0.trim().is_empty() => false,
                    None => reader.holds(&key.0, &key.1)?,
                };
                self.judged.insert(key, yes);
                holds &= yes == filter.yes;
                if !holds {
                    break;
                }
            }
            if holds {
                held.push(row);
            }
        }
        let total = held.len() as u64;
        Ok((held, total))
    }

    /// The numbers of the rows whose texts match the first question, best first.
    fn ranks(
        &self,
        parsed: &mut Parsed,
        sources: &[Source<'s>],
    ) -> Result<Option<Vec<i64>>, String> {
        let Some(filter) = parsed.texts.first() else {
            return Ok(None);
        };
        let (Some((table, name)), Some(words)) = (column(&filter.column), any_of(&filter.question))
        else {
            return Ok(None);
        };
        let found = sources.iter().find_map(|source| {
            let here = table
                .as_ref()
                .is_none_or(|table| table.eq_ignore_ascii_case(&source.alias));
            let at = texts(source.sheet).position(|text| text.eq_ignore_ascii_case(&name))?;
            here.then_some((source, at, row_number(source.sheet)?))
        });
        let Some((source, at, number)) = found else {
            return Ok(None);
        };
        let number = Expr::CompoundIdentifier(vec![
            Ident::with_quote('"', &source.alias),
            Ident::new(number),
        ]);
        parsed.select.projection.push(hidden(number, ROW));
        let index = index(source.sheet);
        let ranked = format!("SELECT rowid FROM {index} WHERE {index} MATCH ? ORDER BY rank");
        let failed = |error: rusqlite::Error| explain(&error);
        let mut ranked = self.connection.prepare(&ranked).map_err(failed)?;
        let words = format!("{} : ({words})", index_column(at));
        let found = ranked
            .query_map([words], |row| row.get(0))
            .map_err(failed)?;
        found.collect::<Result<_, _>>().map(Some).map_err(failed)
    }
}

/// Takes `answer(…)` and `summary(…)` out of the select list; their texts stand there hidden.
fn reads(parsed: &mut Parsed) -> Result<Vec<Read>, String> {
    let mut reads = Vec::new();
    for item in &mut parsed.select.projection {
        let (expr, alias) = match &*item {
            SelectItem::UnnamedExpr(expr) => (expr, None),
            SelectItem::ExprWithAlias { expr, alias } => (expr, Some(alias.value.clone())),
            _ => continue,
        };
        let Some((of, question)) = call_of(expr, &["answer", "summary"]) else {
            continue;
        };
        let summary = call_of(expr, &["summary"]).is_some();
        let question = match (question, summary) {
            (Some(question), false) => question,
            (None, true) => "what is the summary of this document?".to_owned(),
            _ => return Err("write answer(column, 'question') or summary(column)".to_owned()),
        };
        let name = alias.unwrap_or_else(|| if summary { "summary" } else { "answer" }.to_owned());
        let place = format!("{HIDDEN}read_{}", reads.len());
        *item = hidden(of, &place);
        reads.push(Read {
            hidden: place,
            name,
            question,
        });
    }
    Ok(reads)
}

fn hidden(expr: Expr, name: &str) -> SelectItem {
    SelectItem::ExprWithAlias {
        expr,
        alias: Ident::with_quote('"', name),
    }
}

/// The key of the one table, at the end, so that rows can be spoken of later.
fn add_key(parsed: &mut Parsed, sources: &[Source<'_>]) {
    let [source] = sources else { return };
    let grouped =
        !matches!(&parsed.select.group_by, GroupByExpr::Expressions(all, _) if all.is_empty());
    let aggregated = parsed.select.projection.iter().any(|item| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
            call_of(
                expr,
                &["count", "sum", "avg", "min", "max", "total", "group_concat"],
            )
            .is_some()
                || expr.to_string().to_lowercase().contains("count(*)")
        }
        _ => false,
    });
    if grouped || aggregated || parsed.select.distinct.is_some() {
        return;
    }
    let Some(key) = columns(source.sheet).find(|field| field.primary) else {
        return;
    };
    let there = parsed.select.projection.iter().any(|item| match item {
        SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => true,
        SelectItem::UnnamedExpr(expr) => {
            column(expr).is_some_and(|(_, name)| name.eq_ignore_ascii_case(&key.name))
        }
        SelectItem::ExprWithAlias { alias, .. } => alias.value == key.name,
        SelectItem::ExprWithAliases { .. } => false,
    });
    if !there {
        let name = Ident::with_quote('"', &key.name);
        let item = SelectItem::UnnamedExpr(Expr::Identifier(name));
        parsed.select.projection.push(item);
    }
}

fn conjunction(conditions: &[Expr]) -> Option<Expr> {
    let nested = |expr: &Expr| Expr::Nested(Box::new(expr.clone()));
    conditions
        .iter()
        .map(nested)
        .reduce(|left, right| Expr::BinaryOp {
            left: Box::new(left),
            op: BinaryOperator::And,
            right: Box::new(right),
        })
}

fn text(parsed: &Parsed, limit: Option<usize>) -> String {
    let mut query = parsed.query.clone();
    *query.body = SetExpr::Select(Box::new(parsed.select.clone()));
    query.limit_clause = None;
    let text = query.to_string();
    // What is written is read once more: it is still one query.
    debug_assert!(
        Parser::parse_sql(&SQLiteDialect {}, &text).is_ok(),
        "{text}"
    );
    match limit {
        Some(limit) => format!("{text} LIMIT {limit}"),
        None => text,
    }
}

/// SQLite's message as a sentence for the model that wrote the query.
fn explain(error: &rusqlite::Error) -> String {
    let text = error.to_string();
    if text.contains("no such function: answer") || text.contains("no such function: summary") {
        return "answer(…) and summary(…) stand as a condition of their own in WHERE, joined by \
                AND, or in the select list; not under OR, in subqueries, in ON or HAVING"
            .to_owned();
    }
    if text.contains("interrupted") {
        return "the query takes too long; ask for less".to_owned();
    }
    if text.contains("not authorized") || text.contains("prohibited") {
        return format!("the query reads what it may not: {text}");
    }
    text
}

fn json(value: ValueRef<'_>) -> Json {
    match value {
        ValueRef::Null => Json::Null,
        ValueRef::Integer(int) => int.into(),
        ValueRef::Real(real) => real.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
        ValueRef::Blob(bytes) => counted(bytes.len(), "byte").into(),
    }
}

/// What SQLite has no type for.
fn typed(value: Json, ty: Option<&Type>) -> Json {
    match (ty, &value) {
        (Some(Type::Bool), Json::Number(number)) => (number.as_i64() != Some(0)).into(),
        (Some(Type::List(_)), Json::String(text)) => serde_json::from_str(text).unwrap_or(value),
        (Some(Type::Float), Json::Number(number)) => match number.as_f64() {
            Some(real) if real.fract() == 0.0 && real.abs() < 9.0e15 => {
                serde_json::from_str(&format!("{real:.0}")).unwrap_or(value)
            }
            _ => value,
        },
        _ => value,
    }
}
