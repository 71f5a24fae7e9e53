//! What programs of a declared game can ask: its options.

use serde_json::{Value, json};

use super::world::View;
use crate::illegal::Illegal;
use crate::programs;

/// The stubs of what it answers, and of the calls by which a seat that proposes notes facts.
pub(super) fn stub(proposes: bool) -> &'static str {
    const OPTIONS: &str = include_str!("../../data/programs/options.pyi");
    match proposes {
        true => concat!(
            include_str!("../../data/programs/declared.pyi"),
            "\n",
            include_str!("../../data/programs/options.pyi")
        ),
        false => OPTIONS,
    }
}

pub(super) struct Options(pub View);

impl programs::Library for Options {
    fn answer(&self, name: &str, _: &Value) -> Result<Value, Illegal> {
        match name {
            "options" => {
                let mut options = json!(self.0.options);
                for (option, points) in self.0.points.iter().flatten().enumerate() {
                    options[option]["points"] = json!(points);
                }
                Ok(options)
            }
            _ => Err(programs::unknown(name)),
        }
    }
}
