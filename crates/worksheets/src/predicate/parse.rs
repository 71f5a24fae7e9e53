use ruff_python_ast::{BoolOp, CmpOp, Expr as Python, Number, UnaryOp};
use ruff_python_parser::parse_expression;

use super::{Expr, Op, Unreadable};

/// The most characters of a predicate.
const LENGTH: usize = 4_000;
/// The most expressions within expressions.
const DEPTH: usize = 60;

/// Reads an expression. Whatever the language lacks is refused by name.
pub(super) fn expression(cell: &str) -> Result<Expr, Unreadable> {
    if cell.len() > LENGTH {
        return refused(format!("it is longer than {LENGTH} characters"));
    }
    // A cell may have line breaks; one pair of brackets around it makes them blanks.
    let text = format!("({cell}\n)");
    // The parser recurses, and a test thread has a small stack.
    stacker::grow(64 << 20, || {
        let parsed = parse_expression(&text)
            .map_err(|error| Unreadable(format!("it is no Python expression: {}", error.error)))?;
        convert(parsed.expr(), 0)
    })
}

fn refused<T>(why: impl Into<String>) -> Result<T, Unreadable> {
    Err(Unreadable(why.into()))
}

fn convert(expr: &Python, depth: usize) -> Result<Expr, Unreadable> {
    if depth > DEPTH {
        return refused(format!("it nests more than {DEPTH} expressions"));
    }
    let below = |expr: &Python| convert(expr, depth + 1);
    let all = |list: &[Python]| list.iter().map(below).collect::<Result<Vec<_>, _>>();
    Ok(match expr {
        Python::BoolOp(op) => {
            let values = all(&op.values)?;
            match op.op {
                BoolOp::Or => Expr::Or(values),
                BoolOp::And => Expr::And(values),
            }
        }
        Python::UnaryOp(unary) => match unary.op {
            UnaryOp::Not => Expr::Not(Box::new(below(&unary.operand)?)),
            UnaryOp::USub => Expr::Minus(Box::new(below(&unary.operand)?)),
            _ => return refused("of arithmetic there is only a leading minus"),
        },
        Python::Compare(compare) => {
            let rest = compare
                .ops
                .iter()
                .zip(&compare.comparators)
                .map(|(op, right)| Ok((operator(*op), below(right)?)))
                .collect::<Result<Vec<_>, Unreadable>>()?;
            Expr::Compare(Box::new(below(&compare.left)?), rest)
        }
        Python::NoneLiteral(_) => Expr::None,
        Python::BooleanLiteral(literal) => Expr::Bool(literal.value),
        Python::StringLiteral(literal) => Expr::Text(literal.value.to_str().to_owned()),
        Python::NumberLiteral(literal) => match &literal.value {
            Number::Int(int) => match int.as_i64() {
                Some(int) => Expr::Int(int),
                None => {
                    return refused(format!(
                        "the number {int} is too large; write it as a float, such as 1e20"
                    ));
                }
            },
            Number::Float(float) => Expr::Float(*float),
            Number::Complex { .. } => return refused("a complex number is no value"),
        },
        Python::List(list) => Expr::List(all(&list.elts)?),
        Python::Name(name) => Expr::Name(name.id.to_string()),
        Python::Attribute(attribute) => Expr::Attribute(
            Box::new(below(&attribute.value)?),
            attribute.attr.to_string(),
        ),
        Python::Call(call) => {
            let arguments = &call.arguments;
            let name = call.func.as_name_expr().map(|name| name.id.as_str());
            match (name, &*arguments.args) {
                (Some("len"), [of]) if arguments.keywords.is_empty() => {
                    Expr::Len(Box::new(below(of)?))
                }
                (Some("done"), [Python::Name(sheet)]) if arguments.keywords.is_empty() => {
                    Expr::Done(sheet.id.to_string())
                }
                (Some("done"), _) => return refused("done(…) takes the name of a sheet"),
                (Some("len"), _) => return refused("len(…) takes one value"),
                _ => return refused("only len(…) and done(…) can be called"),
            }
        }
        Python::BinOp(_) => return refused("of arithmetic there is only a leading minus"),
        Python::Tuple(_) => return refused("write a list, [a, b], in the place of a tuple"),
        Python::FString(_) | Python::TString(_) => {
            return refused("a text is written without f or t before it");
        }
        Python::Subscript(_) => return refused("there is no x[…]; a field is read as self.field"),
        Python::If(_) => return refused("there is no `a if b else c`; write and, or"),
        _ => return refused("it has something that predicates lack"),
    })
}

fn operator(op: CmpOp) -> Op {
    match op {
        CmpOp::Eq | CmpOp::Is => Op::Equal,
        CmpOp::NotEq | CmpOp::IsNot => Op::Unequal,
        CmpOp::Lt => Op::Less,
        CmpOp::LtE => Op::AtMost,
        CmpOp::Gt => Op::Greater,
        CmpOp::GtE => Op::AtLeast,
        CmpOp::In => Op::In,
        CmpOp::NotIn => Op::NotIn,
    }
}
