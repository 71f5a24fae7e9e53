//! What a predicate comes to where only some of what it reads is known: in a dialogue in which
//! nothing has been said, some names can have no value, and the others may have any.

use super::{Raised, Scope, Val, View};
use crate::predicate::{Expr, Op, Predicate};

/// What is known of an expression.
enum Known<'a> {
    Value(Val<'a>),
    /// Only whether it is true, unless it raises.
    Truth(bool),
    /// It raises.
    Raises,
    Nothing,
}

impl Known<'_> {
    fn truth(&self) -> Option<bool> {
        match self {
            Self::Value(value) => Some(value.is_true()),
            Self::Truth(truth) => Some(*truth),
            Self::Raises => Some(false),
            Self::Nothing => None,
        }
    }
}

impl<'a> View<'a> {
    /// Whether a predicate cannot hold, whatever those names are that `absent` does not say to
    /// be without a value. The state of the view is empty.
    pub(crate) fn never_holds(
        &self,
        predicate: &'a Predicate,
        absent: &dyn Fn(&Expr) -> bool,
    ) -> bool {
        let expr = predicate.0.as_ref();
        expr.is_some_and(|expr| self.known(expr, absent).truth() == Some(false))
    }

    fn known(&self, expr: &'a Expr, absent: &dyn Fn(&Expr) -> bool) -> Known<'a> {
        let known = |expr| self.known(expr, absent);
        match expr {
            Expr::Or(all) => decided(all.iter().map(known), true),
            Expr::And(all) => decided(all.iter().map(known), false),
            Expr::Not(inner) => match known(inner) {
                Known::Raises => Known::Raises,
                inner => inner.truth().map_or(Known::Nothing, |t| Known::Truth(!t)),
            },
            Expr::Compare(left, rest) => {
                let (mut left, mut open) = (known(left), false);
                for (op, right) in rest {
                    let right = known(right);
                    match self.compared(*op, &left, &right) {
                        Some(false) => return Known::Truth(false),
                        Some(true) => {}
                        None => open = true,
                    }
                    left = right;
                }
                if open {
                    Known::Nothing
                } else {
                    Known::Truth(true)
                }
            }
            Expr::Attribute(of, _) if **of == Expr::Name("self".to_owned()) => {
                self.read(expr, absent)
            }
            Expr::Attribute(of, _) => match known(of) {
                Known::Value(Val::None) => Known::Value(Val::None),
                Known::Raises => Known::Raises,
                _ => Known::Nothing,
            },
            Expr::Name(name) if name == "NA" => self.literal(expr),
            Expr::Name(_) | Expr::Done(_) => self.read(expr, absent),
            Expr::Len(of) | Expr::Minus(of) => match known(of) {
                Known::Value(Val::None) | Known::Raises => Known::Raises,
                _ => Known::Nothing,
            },
            Expr::List(all)
                if all
                    .iter()
                    .any(|expr| !matches!(known(expr), Known::Value(_))) =>
            {
                Known::Nothing
            }
            _ => self.literal(expr),
        }
    }

    /// A name, an attribute of `self` or `done(…)`: what the empty state has, if it is absent.
    fn read(&self, expr: &'a Expr, absent: &dyn Fn(&Expr) -> bool) -> Known<'a> {
        match absent(expr) {
            true => self.literal(expr),
            false => Known::Nothing,
        }
    }

    fn literal(&self, expr: &'a Expr) -> Known<'a> {
        match self.eval(expr, Scope::default()) {
            Ok(value) => Known::Value(value),
            Err(Raised) => Known::Raises,
        }
    }

    fn compared(&self, op: Op, left: &Known<'a>, right: &Known<'a>) -> Option<bool> {
        let none = |known: &Known<'a>| matches!(known, Known::Value(Val::None));
        match (op, left, right) {
            (_, Known::Raises, _) | (_, _, Known::Raises) => Some(false),
            (_, Known::Value(left), Known::Value(right)) => Some(self.compare(op, left, right)),
            (Op::Less | Op::AtMost | Op::Greater | Op::AtLeast, _, _)
                if none(left) || none(right) =>
            {
                Some(false)
            }
            (Op::In, _, right) if none(right) => Some(false),
            _ => None,
        }
    }
}

/// What `or` (decided by a true one) and `and` (by a false one) come to.
fn decided<'a>(all: impl Iterator<Item = Known<'a>>, by: bool) -> Known<'a> {
    let (mut open, mut only_values) = (false, true);
    let mut last = Known::Truth(!by);
    for known in all {
        match known.truth() {
            // It may not be reached: then an `or` is true, an `and` is not.
            _ if matches!(known, Known::Raises) => {
                return match (open, by) {
                    (false, _) => Known::Raises,
                    (true, true) => Known::Nothing,
                    (true, false) => Known::Truth(false),
                };
            }
            Some(truth) if truth == by => {
                return match open || !only_values {
                    true => Known::Truth(by),
                    false => known,
                };
            }
            Some(_) => only_values &= matches!(known, Known::Value(_)),
            None => open = true,
        }
        last = known;
    }
    match open {
        true => Known::Nothing,
        false => last,
    }
}
