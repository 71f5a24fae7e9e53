use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, LimitClause,
    ObjectName, Query, Select, SetExpr, Statement as Sql, Value,
};
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;

/// The most characters of a query, and the most brackets within brackets.
const LENGTH: usize = 10_000;
const DEPTH: usize = 40;

pub(super) enum Statement {
    /// `answer(collection, 'question')`.
    Collection {
        name: String,
        question: String,
    },
    Select(Box<Parsed>),
}

/// A `SELECT` in its parts.
pub(super) struct Parsed {
    pub(super) query: Query,
    pub(super) select: Select,
    /// The conditions that the database judges.
    pub(super) structural: Vec<Expr>,
    /// The conditions that somebody has to read texts for.
    pub(super) texts: Vec<TextFilter>,
    /// The `LIMIT`, if there is one.
    pub(super) limit: Option<usize>,
}

/// `answer(column, 'question') = 'Yes'`.
pub(super) struct TextFilter {
    pub(super) column: Expr,
    pub(super) question: String,
    /// Whether the answer is to be yes.
    pub(super) yes: bool,
}

/// Reads one statement; what is refused is refused by name.
pub(super) fn parse(sql: &str) -> Result<Statement, String> {
    let sql = sql.trim().trim_end_matches(';').trim_end();
    if sql.len() > LENGTH {
        return Err(format!("the query is longer than {LENGTH} characters"));
    }
    let dialect = SQLiteDialect {};
    let parser = || Parser::new(&dialect).with_recursion_limit(DEPTH);
    let unreadable = |error: sqlparser::parser::ParserError| format!("no SQL: {error}");
    if sql.to_lowercase().starts_with("answer") {
        let expr = parser().try_with_sql(sql).map_err(unreadable)?.parse_expr();
        let call = call_of(&expr.map_err(unreadable)?, &["answer"]);
        return match call {
            Some((Expr::Identifier(name), Some(question))) => Ok(Statement::Collection {
                name: name.value,
                question,
            }),
            _ => Err("write answer(collection, 'question')".to_owned()),
        };
    }
    let statements = parser()
        .try_with_sql(sql)
        .map_err(unreadable)?
        .parse_statements();
    let mut statements = statements.map_err(unreadable)?.into_iter();
    let (Some(statement), None) = (statements.next(), statements.next()) else {
        return Err("write exactly one SELECT".to_owned());
    };
    let Sql::Query(query) = statement else {
        return Err("only a SELECT is answered; nothing can be written".to_owned());
    };
    select(*query)
}

fn select(query: Query) -> Result<Statement, String> {
    if query.with.is_some() {
        return Err("WITH is not answered; write one SELECT".to_owned());
    }
    let SetExpr::Select(select) = query.body.as_ref() else {
        return Err("UNION and VALUES are not answered; write one SELECT".to_owned());
    };
    let mut select = select.as_ref().clone();
    if let [item] = select.projection.as_slice()
        && select.from.is_empty()
        && let sqlparser::ast::SelectItem::UnnamedExpr(expr) = item
        && let Some((Expr::Identifier(name), Some(question))) = call_of(expr, &["answer"])
    {
        let name = name.value;
        return Ok(Statement::Collection { name, question });
    }
    let mut conjuncts = Vec::new();
    let mut open: Vec<Expr> = select.selection.take().into_iter().collect();
    while let Some(expr) = open.pop() {
        match expr {
            Expr::BinaryOp {
                left,
                op: BinaryOperator::And,
                right,
            } => {
                open.push(*right);
                open.push(*left);
            }
            Expr::Nested(inner)
                if matches!(
                    *inner,
                    Expr::BinaryOp {
                        op: BinaryOperator::And,
                        ..
                    }
                ) =>
            {
                open.push(*inner);
            }
            other => conjuncts.push(other),
        }
    }
    let (mut structural, mut texts) = (Vec::new(), Vec::new());
    for expr in conjuncts {
        match text_filter(&expr)? {
            Some(filter) => texts.push(filter),
            None => structural.push(expr),
        }
    }
    let limit = limit(&query)?;
    Ok(Statement::Select(Box::new(Parsed {
        query,
        select,
        structural,
        texts,
        limit,
    })))
}

fn limit(query: &Query) -> Result<Option<usize>, String> {
    let limit = match &query.limit_clause {
        None => return Ok(None),
        Some(LimitClause::LimitOffset { limit: None, .. }) => return Ok(None),
        Some(LimitClause::LimitOffset {
            limit: Some(limit), ..
        })
        | Some(LimitClause::OffsetCommaLimit { limit, .. }) => limit,
    };
    let text = limit.to_string();
    text.parse()
        .map(Some)
        .map_err(|_| format!("LIMIT {text} is no number"))
}

/// `answer(column, 'question')` compared with a constant, as one condition of its own.
fn text_filter(expr: &Expr) -> Result<Option<TextFilter>, String> {
    if call_of(expr, &["answer", "summary"]).is_some() {
        return Err("compare answer(…) with 'Yes' or 'No'".to_owned());
    }
    let Expr::BinaryOp { left, op, right } = expr else {
        return Ok(None);
    };
    let (call, constant) = match (call_of(left, &["answer"]), call_of(right, &["answer"])) {
        (Some(call), None) => (call, right),
        (None, Some(call)) => (call, left),
        _ => return Ok(None),
    };
    let (column, Some(question)) = call else {
        return Err("write answer(column, 'question')".to_owned());
    };
    let wanted = text_of(constant).map(|text| text.to_lowercase());
    let yes = match (op, wanted.as_deref()) {
        (BinaryOperator::Eq, Some("yes")) | (BinaryOperator::NotEq, Some("no")) => true,
        (BinaryOperator::Eq, Some("no")) | (BinaryOperator::NotEq, Some("yes")) => false,
        _ => return Err("answer(…) is compared by = or != with 'Yes' or 'No'".to_owned()),
    };
    Ok(Some(TextFilter {
        column,
        question,
        yes,
    }))
}

/// The column and the question of a call of one of some functions.
pub(super) fn call_of(expr: &Expr, names: &[&str]) -> Option<(Expr, Option<String>)> {
    let Expr::Function(Function { name, args, .. }) = expr else {
        return None;
    };
    if !names.contains(&last(name)?.to_lowercase().as_str()) {
        return None;
    }
    let FunctionArguments::List(list) = args else {
        return None;
    };
    let mut args = list.args.iter().map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    });
    let column = args.next()??.clone();
    let question = args.next().flatten().and_then(text_of);
    Some((column, question))
}

/// The last part of a name.
pub(super) fn last(name: &ObjectName) -> Option<String> {
    let ident = name.0.last()?.as_ident()?;
    Some(ident.value.clone())
}

/// The text of a constant. SQLite takes "…" for one, too.
pub(super) fn text_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        Expr::Identifier(name) if name.quote_style == Some('"') => Some(name.value.clone()),
        _ => None,
    }
}
