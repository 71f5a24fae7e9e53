//! The small language of predicates and validations (section 1.5): read from Python's syntax,
//! evaluated here, never run as Python.

mod eval;
mod parse;

pub(crate) use eval::{Scope, View};

use std::fmt;

/// An expression of the predicate language.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate(Option<Expr>);

/// Why a cell is no expression of the predicate language, for its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    Or(Vec<Expr>),
    And(Vec<Expr>),
    Not(Box<Expr>),
    Compare(Box<Expr>, Vec<(Op, Expr)>),
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Expr>),
    Name(String),
    Attribute(Box<Expr>, String),
    Len(Box<Expr>),
    Done(String),
    Minus(Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    In,
    NotIn,
}

impl Predicate {
    /// Reads a cell. An empty one and `TRUE` hold.
    ///
    /// ```
    /// use worksheets::Predicate;
    ///
    /// assert!(Predicate::parse("1 <= value <= 20").is_ok());
    /// let refused = Predicate::parse("self.x.lower() == 'b'").unwrap_err();
    /// assert_eq!(refused.to_string(), "only len(…) and done(…) can be called");
    /// ```
    pub fn parse(cell: &str) -> Result<Self, Unreadable> {
        match cell.trim() {
            "" | "TRUE" => Ok(Self(None)),
            cell => parse::expression(cell).map(Some).map(Self),
        }
    }

    /// Whether it holds without being looked at.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The names of fields and records that it reads, each once, in order.
    pub fn names(&self) -> Vec<String> {
        let (mut out, mut open) = (Vec::new(), Vec::new());
        open.extend(&self.0);
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Or(all) | Expr::And(all) | Expr::List(all) => open.extend(all.iter().rev()),
                Expr::Not(inner) | Expr::Len(inner) | Expr::Minus(inner) => open.push(inner),
                Expr::Compare(left, rest) => {
                    open.extend(rest.iter().rev().map(|(_, expr)| expr));
                    open.push(left);
                }
                Expr::Attribute(of, name) if **of == Expr::Name("self".to_owned()) => {
                    push(&mut out, name);
                }
                Expr::Attribute(of, _) => open.push(of),
                Expr::Name(name) if name != "self" => push(&mut out, name),
                Expr::Done(sheet) => push(&mut out, sheet),
                _ => {}
            }
        }
        out
    }

    /// The value of a literal, or of a list of literals.
    pub(crate) fn literal(&self) -> Option<serde_json::Value> {
        fn of(expr: &Expr) -> Option<serde_json::Value> {
            Some(match expr {
                Expr::None => serde_json::Value::Null,
                Expr::Bool(value) => (*value).into(),
                Expr::Int(value) => (*value).into(),
                Expr::Float(value) => (*value).into(),
                Expr::Text(text) => text.as_str().into(),
                Expr::Minus(inner) => match **inner {
                    Expr::Int(value) => value.checked_neg()?.into(),
                    Expr::Float(value) => (-value).into(),
                    _ => return None,
                },
                Expr::List(all) => all.iter().map(of).collect::<Option<Vec<_>>>()?.into(),
                _ => return None,
            })
        }
        self.0.as_ref().and_then(of)
    }

    /// The texts and integers that it compares with.
    pub(crate) fn literals(&self) -> Vec<serde_json::Value> {
        let (mut out, mut open) = (Vec::new(), Vec::new());
        open.extend(&self.0);
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Or(all) | Expr::And(all) | Expr::List(all) => open.extend(all.iter().rev()),
                Expr::Not(inner)
                | Expr::Len(inner)
                | Expr::Minus(inner)
                | Expr::Attribute(inner, _) => open.push(inner),
                Expr::Compare(left, rest) => {
                    open.extend(rest.iter().rev().map(|(_, expr)| expr));
                    open.push(left);
                }
                Expr::Int(value) => out.push((*value).into()),
                Expr::Text(text) => out.push(text.as_str().into()),
                _ => {}
            }
        }
        out
    }

    /// The sheets that `done(…)` names.
    pub(crate) fn sheets(&self) -> Vec<&str> {
        let (mut out, mut open) = (Vec::new(), Vec::new());
        open.extend(&self.0);
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Or(all) | Expr::And(all) | Expr::List(all) => open.extend(all),
                Expr::Not(inner)
                | Expr::Len(inner)
                | Expr::Minus(inner)
                | Expr::Attribute(inner, _) => open.push(inner),
                Expr::Compare(left, rest) => {
                    open.push(left);
                    open.extend(rest.iter().map(|(_, expr)| expr));
                }
                Expr::Done(sheet) => out.push(sheet.as_str()),
                _ => {}
            }
        }
        out
    }
}

fn push(out: &mut Vec<String>, name: &str) {
    if !out.iter().any(|known| known == name) {
        out.push(name.to_owned());
    }
}
