use std::cmp::Ordering;

use super::{Val, View};
use crate::predicate::Op;

impl View<'_> {
    /// Comparisons keep types apart, except integers and floats (section 1.5).
    pub(super) fn compare(&self, op: Op, left: &Val<'_>, right: &Val<'_>) -> bool {
        let order = || order(left, right);
        match op {
            Op::Equal => self.equal(left, right),
            Op::Unequal => !self.equal(left, right),
            Op::Less => order() == Some(Ordering::Less),
            Op::AtMost => matches!(order(), Some(Ordering::Less | Ordering::Equal)),
            Op::Greater => order() == Some(Ordering::Greater),
            Op::AtLeast => matches!(order(), Some(Ordering::Greater | Ordering::Equal)),
            Op::In => self.contains(right, left),
            Op::NotIn => !self.contains(right, left),
        }
    }

    fn equal(&self, left: &Val<'_>, right: &Val<'_>) -> bool {
        match (left, right) {
            (Val::None, Val::None) => true,
            (Val::Bool(left), Val::Bool(right)) => left == right,
            (Val::Int(left), Val::Int(right)) => left == right,
            (Val::Text(left), Val::Text(right)) => left == right,
            (Val::List(left), Val::List(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(l, r)| self.equal(l, r))
            }
            (Val::Record(left), Val::Record(right)) => left == right,
            (Val::Row(..), Val::Row(..)) => self.columns(left) == self.columns(right),
            (Val::Object(left), Val::Object(right)) => left == right,
            _ => numbers(left, right).is_some_and(|(left, right)| left == right),
        }
    }

    fn contains(&self, whole: &Val<'_>, part: &Val<'_>) -> bool {
        match (whole, part) {
            (Val::Text(whole), Val::Text(part)) => whole.contains(part.as_ref()),
            (Val::List(items), part) => items.iter().any(|item| self.equal(item, part)),
            _ => false,
        }
    }
}

fn order(left: &Val<'_>, right: &Val<'_>) -> Option<Ordering> {
    match (left, right) {
        (Val::Int(left), Val::Int(right)) => Some(left.cmp(right)),
        (Val::Text(left), Val::Text(right)) => Some(left.cmp(right)),
        (Val::Bool(left), Val::Bool(right)) => Some(left.cmp(right)),
        (Val::List(left), Val::List(right)) => {
            for (left, right) in left.iter().zip(right) {
                match order(left, right)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(left.len().cmp(&right.len()))
        }
        _ => numbers(left, right).and_then(|(left, right)| left.partial_cmp(&right)),
    }
}

/// Both as floats, if both are numbers. Two integers are compared exactly before this.
fn numbers(left: &Val<'_>, right: &Val<'_>) -> Option<(f64, f64)> {
    Some((number(left)?, number(right)?))
}

#[allow(
    clippy::cast_precision_loss,
    reason = "an integer beside a float is compared as one, as in Python up to 2^53"
)]
fn number(value: &Val<'_>) -> Option<f64> {
    match value {
        Val::Int(value) => Some(*value as f64),
        Val::Float(value) => Some(*value),
        _ => None,
    }
}
