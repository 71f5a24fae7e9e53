//! How a model writes down what a partner of a declared game wishes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::world::{OPTION, View};
use crate::illegal::Illegal;
use crate::reading::{self, Form};

const GUIDE: &str = include_str!("../../data/reading/declared.txt");

pub(super) fn of(view: View) -> Box<dyn reading::Forms> {
    Box::new(Forms(view))
}

struct Forms(View);

impl reading::Forms for Forms {
    fn guide(&self) -> String {
        let mut known: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (attribute, value) in self.0.options.iter().flat_map(|option| &option.values) {
            let values = known.entry(attribute).or_default();
            if !values.contains(&value.as_str()) {
                values.push(value);
            }
        }
        if self.0.points.is_some() {
            let names = self.0.options.iter().map(|option| option.name.as_str());
            known.insert(OPTION, names.collect());
        }
        let lines = known.iter();
        let lines = lines.map(|(attribute, values)| format!("{attribute}: {}", values.join(", ")));
        GUIDE.replace("VALUES", &lines.collect::<Vec<_>>().join("\n"))
    }

    fn calls(&self) -> &'static [Form] {
        &[Form {
            name: "wish",
            places: &["attribute", "value", "points"],
        }]
    }

    fn tidy(&self, mut fact: Value) -> Result<Value, Illegal> {
        if fact["points"].is_null() {
            fact["points"] = json!(super::mind::USUAL);
        }
        Ok(fact)
    }

    fn topic(&self, fact: &Value) -> String {
        format!("{}:{}", fact["attribute"], fact["value"])
    }
}
