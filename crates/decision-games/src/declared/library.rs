//! What programs of a declared game can ask: its options.

use serde_json::{Value, json};

use super::View;
use crate::illegal::Illegal;
use crate::programs;

/// The stubs of what it answers, and of the calls that note facts.
pub(super) fn stub(_: usize) -> &'static str {
    include_str!("../../data/programs/declared.pyi")
}

pub(super) struct Options(pub View);

impl programs::Library for Options {
    fn answer(&self, name: &str, _: &Value) -> Result<Value, Illegal> {
        match name {
            "options" => Ok(json!(self.0.options)),
            _ => Err(programs::unknown(name)),
        }
    }
}
