//! Random choices. The same seed makes the same choices.

use minijinja::value::{Object, ValueKind};
use minijinja::{Error, ErrorKind, State, Value};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::sync::{Arc, Mutex, PoisonError};

/// A source of chance. Templates know it as `random`: `random.pick(list)`,
/// `random.some(list, count)`, `random.number(least, most)` and `random.percent(share)`.
#[derive(Debug)]
pub struct Chance(Mutex<ChaCha8Rng>);

impl Chance {
    /// A source of its own for each part of a set, whatever is drawn for the others.
    pub fn of(seed: u64, part: &str, number: usize, attempt: usize) -> Arc<Self> {
        let text = format!("{seed}/{part}/{number}/{attempt}");
        let key = blake3::hash(text.as_bytes());
        Arc::new(Chance(Mutex::new(ChaCha8Rng::from_seed(*key.as_bytes()))))
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&self, end: usize) -> usize {
        let drawn = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next_u32();
        usize::try_from((u128::from(drawn) * end as u128) >> 32).unwrap_or(0)
    }

    /// True in so many cases of a hundred.
    pub fn percent(&self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of these; `None` if there are none.
    pub fn pick<'a, T>(&self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// One of these, each as often as its weight says.
    pub fn weighted<'a, T>(&self, from: &'a [(T, usize)]) -> Option<&'a T> {
        let mut drawn = self.below(from.iter().map(|(_, weight)| weight).sum());
        for (one, weight) in from {
            if drawn < *weight {
                return Some(one);
            }
            drawn -= weight;
        }
        None
    }

    fn some(&self, list: &Value, count: usize) -> Result<Value, Error> {
        let mut left: Vec<Value> = list.try_iter()?.collect();
        let mut chosen = Vec::new();
        while chosen.len() < count && !left.is_empty() {
            chosen.push(left.swap_remove(self.below(left.len())));
        }
        Ok(Value::from(chosen))
    }
}

impl Object for Chance {
    fn call_method(
        self: &Arc<Self>,
        _: &mut State<'_, '_>,
        method: &str,
        args: &[Value],
    ) -> Result<Value, Error> {
        match (method, args) {
            ("pick", [list]) => {
                let list: Vec<Value> = list.try_iter()?.collect();
                let none = || Error::new(ErrorKind::InvalidOperation, "nothing to pick from");
                self.pick(&list).cloned().ok_or_else(none)
            }
            ("some", [list, count]) => self.some(list, usize::try_from(count.clone())?),
            ("number", [least, most]) => {
                let (least, most) = (i64::try_from(least.clone())?, i64::try_from(most.clone())?);
                let span = i128::from(most) - i128::from(least) + 1;
                let span = usize::try_from(span).unwrap_or(0);
                Ok(Value::from(least.wrapping_add(self.below(span) as i64)))
            }
            ("percent", [share]) if share.kind() == ValueKind::Number => {
                Ok(Value::from(self.percent(usize::try_from(share.clone())?)))
            }
            _ => Err(Error::new(
                ErrorKind::UnknownMethod,
                format!(
                    "random has pick(list), some(list, count), number(least, most) and percent(share), not {method} of these"
                ),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_more_than_32_bits() {
        let chance = Chance::of(1, "numbers", 0, 0);
        let drawn: Vec<usize> = (0..20).map(|_| chance.below(1 << 40)).collect();
        assert!(drawn.iter().all(|it| *it < 1 << 40), "{drawn:?}");
        assert!(drawn.iter().any(|it| *it >= 1 << 32), "{drawn:?}");
    }
}
