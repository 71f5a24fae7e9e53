//! How a model writes down what a user of planning wants.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::solver::city;
use super::weights::Complaint;
use super::words::{between, put_together};
use super::{Feature, Planning, PlanningWorld, TYPES};
use crate::illegal::{Code, Illegal};
use crate::reading::{self, Form};
use crate::text::Heard;

const GUIDE: &str = include_str!("../../data/reading/planning.txt");

pub(super) fn of(game: &Planning, seat: usize) -> Option<Box<dyn reading::Forms>> {
    (seat == 1).then(|| Box::new(Forms::new(city(game))) as Box<dyn reading::Forms>)
}

struct Forms {
    city: PlanningWorld,
    /// The features of all sites, with the values that occur.
    features: BTreeMap<String, Vec<Feature>>,
}

impl Forms {
    fn new(city: PlanningWorld) -> Forms {
        let mut features: BTreeMap<String, Vec<Feature>> = BTreeMap::new();
        for (name, value) in city.sites.iter().flat_map(|site| &site.features) {
            let known = features.entry(name.clone()).or_default();
            if !known.contains(value) {
                known.push(value.clone());
            }
        }
        for values in features.values_mut() {
            values.sort_by_key(ToString::to_string);
        }
        Forms { city, features }
    }

    /// A value of a feature from one that was written loosely: `"yes"` for True.
    fn value(known: &[Feature], written: &Value) -> Option<Value> {
        let text = match written {
            Value::String(text) => text.trim().to_lowercase(),
            other => other.to_string(),
        };
        let text = match text.as_str() {
            "yes" => "true",
            "no" => "false",
            text => text,
        };
        let same = |value: &&Feature| value.to_string().to_lowercase() == text;
        let found = known.iter().find(same).map(|value| json!(value));
        // A city may lack what a user likes, and a wish for it is one all the same.
        let open = |value: &Feature| !matches!(value, Feature::Flag(_));
        found.or_else(|| {
            known.iter().all(open).then(|| match written {
                Value::Number(number) => json!(number),
                _ => json!(text),
            })
        })
    }

    fn feature(&self, mut fact: Value) -> Result<Value, Illegal> {
        let name = fact["feature"].as_str().unwrap_or_default();
        let name = name.replace('_', " ").trim().to_lowercase();
        let Some(known) = self.features.get(&name) else {
            let names: Vec<&str> = self.features.keys().map(String::as_str).collect();
            let text = format!("There is no property {name:?}, only {}.", names.join(", "));
            return Err(Code::UnknownField.because(text));
        };
        if let Some(least) = fact["at_least"].as_f64() {
            return Ok(json!({
                "feature": name, "like": between(least, 5.5), "dislike": between(1.0, 2.75),
            }));
        }
        for field in ["like", "dislike"] {
            let written = match fact[field].take() {
                Value::Null => Vec::new(),
                Value::Array(list) => list,
                one => vec![one],
            };
            let values = written.iter().map(|value| {
                Self::value(known, value).ok_or_else(|| {
                    let all: Vec<String> = known.iter().map(ToString::to_string).collect();
                    let text = format!("{name} has no value {value}, only {}.", all.join(", "));
                    Code::UnknownField.because(text)
                })
            });
            fact[field] = values.collect::<Result<Vec<_>, _>>()?.into();
        }
        fact["feature"] = name.into();
        match fact["like"] == json!([]) && fact["dislike"] == json!([]) {
            true => Err(Code::BadQuery.because("Name values to like or to dislike.")),
            false => Ok(fact),
        }
    }
}

impl Forms {
    /// The features with their values, a line each.
    fn listed(&self) -> String {
        let line = |(name, values): (&String, &Vec<Feature>)| {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!("{name}: {}", values.join(", "))
        };
        self.features
            .iter()
            .map(line)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl reading::Forms for Forms {
    fn names(&self) -> String {
        let places = self.city.sites.iter().map(|site| site.name.as_str());
        format!(
            "Features and their values:\n{}\nTypes: {}\nNames: {}",
            self.listed(),
            TYPES.join(", "),
            places.collect::<Vec<_>>().join(", ")
        )
    }

    fn guide(&self) -> String {
        let places: Vec<&str> = self
            .city
            .sites
            .iter()
            .map(|site| site.name.as_str())
            .collect();
        GUIDE
            .replace("FEATURES", &self.listed())
            .replace("TYPES", &TYPES.join(", "))
            .replace("PLACES", &places.join(", "))
            .replace("EXAMPLE", places.first().unwrap_or(&"a place"))
    }

    fn calls(&self) -> &'static [Form] {
        &[Form {
            name: "wish",
            places: &[],
        }]
    }

    fn tidy(&self, mut fact: Value) -> Result<Value, Illegal> {
        for list in ["visit", "keep", "exclude"] {
            if fact[list].is_string() {
                fact[list] = json!([fact[list]]);
            }
        }
        if let Some(category) = fact["category"].as_str() {
            fact["category"] = category.trim().to_lowercase().into();
        }
        if fact["travel"] == json!(true) {
            fact["travel"] = json!(5.5);
        }
        // Indexing for writing adds what is missing.
        if let Some(fields) = fact.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        match fact["feature"].is_string() {
            true => self.feature(fact),
            false => Ok(fact),
        }
    }

    fn topic(&self, fact: &Value) -> String {
        let named = ["feature", "category"].into_iter();
        let mut named =
            named.filter_map(|field| Some(format!("{field}:{}", fact[field].as_str()?)));
        let others = ["budget", "visit", "travel", "keep", "exclude"].into_iter();
        let mut others = others.filter(|field| !fact[*field].is_null());
        named
            .next()
            .or_else(|| others.next().map(str::to_owned))
            .unwrap_or_default()
    }

    fn join(&self, old: &Value, new: Value) -> Value {
        put_together(old, new)
    }

    fn hides(&self, heard: &Heard) -> bool {
        Complaint::is(&heard.content)
    }
}
