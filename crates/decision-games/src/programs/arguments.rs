//! The arguments of a call.

use serde_json::Value;

use crate::illegal::{Code, Illegal};

/// Arguments by name, with refusals that say what is expected.
pub(crate) struct Arguments<'a> {
    name: &'a str,
    given: &'a Value,
}

impl<'a> Arguments<'a> {
    pub fn of(name: &'a str, given: &'a Value) -> Arguments<'a> {
        Arguments { name, given }
    }

    /// The argument; none if it was left out or is None.
    pub fn get(&self, argument: &str) -> Option<&'a Value> {
        self.given.get(argument).filter(|value| !value.is_null())
    }

    /// The refusal of an argument.
    pub fn wrong(&self, argument: &str, expected: &str) -> Illegal {
        Code::BadQuery.because(format!("{}: {argument} is {expected}.", self.name))
    }

    pub fn value(&self, argument: &str, expected: &str) -> Result<&'a Value, Illegal> {
        let value = self.get(argument);
        value.ok_or_else(|| self.wrong(argument, expected))
    }

    pub fn text(&self, argument: &str, expected: &str) -> Result<&'a str, Illegal> {
        let text = self.get(argument).and_then(Value::as_str);
        text.ok_or_else(|| self.wrong(argument, expected))
    }

    /// A whole number below `limit`.
    pub fn below(&self, argument: &str, limit: usize, expected: &str) -> Result<usize, Illegal> {
        let number = self.get(argument).and_then(Value::as_u64);
        let number = number.and_then(|number| usize::try_from(number).ok());
        let number = number.filter(|number| *number < limit);
        number.ok_or_else(|| self.wrong(argument, expected))
    }

    /// A number of points in thousandths, so that solvers stay exact.
    pub fn thousandths(&self, value: &Value, argument: &str) -> Result<i64, Illegal> {
        let number = value.as_f64().filter(|number| number.abs() <= 1e6);
        number
            .map(|number| (number * 1000.0).round() as i64)
            .ok_or_else(|| self.wrong(argument, "made of numbers up to 1,000,000"))
    }
}
