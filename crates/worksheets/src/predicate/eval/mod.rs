mod compare;
mod names;
mod partial;
mod view;

pub(crate) use view::View;

use serde_json::Value as Json;

use super::{Expr, Predicate};
use crate::state::Value;

/// Where an expression is read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Scope<'v> {
    /// The record that `self` names.
    pub(crate) me: Option<usize>,
    /// What `value` names, in validations.
    pub(crate) value: Option<&'v Value>,
}

/// A value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Val<'a> {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(std::borrow::Cow<'a, str>),
    List(Vec<Val<'a>>),
    /// A record of the state, by its place.
    Record(usize),
    /// A row: its query's place, and which.
    Row(usize, usize),
    /// An object of a result.
    Object(&'a serde_json::Map<String, Json>),
}

/// An expression that has no value, such as `len(None)`. What raises does not hold.
pub(super) struct Raised;

impl<'a> Val<'a> {
    fn of(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::None,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(int) => Self::Int(int),
                None => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(text) => Self::Text(text.into()),
            Json::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Json::Object(map) => Self::Object(map),
        }
    }

    fn is_true(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Record(_) | Self::Row(..) => true,
            Self::Object(map) => !map.is_empty(),
        }
    }
}

impl<'a> View<'a> {
    /// Whether a predicate holds. One that could not be read, or raises, does not.
    pub(crate) fn holds<E>(&self, predicate: &'a Result<Predicate, E>, scope: Scope<'a>) -> bool {
        match predicate {
            Ok(Predicate(None)) => true,
            Ok(Predicate(Some(expr))) => {
                matches!(self.eval(expr, scope), Ok(value) if value.is_true())
            }
            Err(_) => false,
        }
    }

    fn eval(&self, expr: &'a Expr, scope: Scope<'a>) -> Result<Val<'a>, Raised> {
        Ok(match expr {
            Expr::Or(all) => {
                let mut last = Val::None;
                for expr in all {
                    last = self.eval(expr, scope)?;
                    if last.is_true() {
                        break;
                    }
                }
                last
            }
            Expr::And(all) => {
                let mut last = Val::None;
                for expr in all {
                    last = self.eval(expr, scope)?;
                    if !last.is_true() {
                        break;
                    }
                }
                last
            }
            Expr::Not(inner) => Val::Bool(!self.eval(inner, scope)?.is_true()),
            Expr::Compare(left, rest) => {
                let mut left = self.eval(left, scope)?;
                for (op, right) in rest {
                    let right = self.eval(right, scope)?;
                    if !self.compare(*op, &left, &right) {
                        return Ok(Val::Bool(false));
                    }
                    left = right;
                }
                Val::Bool(true)
            }
            Expr::None => Val::None,
            Expr::Bool(value) => Val::Bool(*value),
            Expr::Int(value) => Val::Int(*value),
            Expr::Float(value) => Val::Float(*value),
            Expr::Text(text) => Val::Text(text.into()),
            Expr::List(all) => Val::List(
                all.iter()
                    .map(|expr| self.eval(expr, scope))
                    .collect::<Result<_, _>>()?,
            ),
            Expr::Name(name) => self.name(name, scope),
            Expr::Attribute(of, name) if **of == Expr::Name("self".to_owned()) => {
                self.field_named(name, scope.me).unwrap_or(Val::None)
            }
            Expr::Attribute(of, name) => self.attribute(&self.eval(of, scope)?, name),
            Expr::Len(of) => match self.eval(of, scope)? {
                Val::Text(text) => length(text.chars().count()),
                Val::List(items) => length(items.len()),
                _ => return Err(Raised),
            },
            Expr::Done(sheet) => Val::Bool(self.is_done(sheet).ok_or(Raised)?),
            Expr::Minus(of) => match self.eval(of, scope)? {
                Val::Int(value) => Val::Int(value.checked_neg().ok_or(Raised)?),
                Val::Float(value) => Val::Float(-value),
                _ => return Err(Raised),
            },
        })
    }
}

fn length<'a>(count: usize) -> Val<'a> {
    Val::Int(i64::try_from(count).unwrap_or(i64::MAX))
}
