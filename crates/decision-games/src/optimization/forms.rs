//! How a model writes down what a partner of optimization claims.

use serde_json::{Value, json};

use super::partner::LEVELS;
use super::solver::View;
use super::words::put_forward;
use super::{Optimization, OptimizationWorld};
use crate::illegal::Illegal;
use crate::reading::{self, Form};

const GUIDE: &str = include_str!("../../data/reading/optimization.txt");

pub(super) fn of(game: &Optimization, seat: usize) -> Option<Box<dyn reading::Forms>> {
    Some(Box::new(Forms(View::of(game, seat)?.names)))
}

struct Forms(OptimizationWorld);

impl reading::Forms for Forms {
    fn guide(&self) -> String {
        let OptimizationWorld {
            reviewers, papers, ..
        } = &self.0;
        let name = |list: &[String], place: usize| {
            list.get(place)
                .or(list.first())
                .cloned()
                .unwrap_or_default()
        };
        GUIDE
            .replace("REVIEWERS", &reviewers.join(", "))
            .replace("PAPERS", &papers.join(", "))
            .replace("FIRST", &name(reviewers, 0))
            .replace("SECOND", &name(reviewers, 1))
            .replace("PAPER1", &name(papers, 0))
            .replace("PAPER2", &name(papers, 1))
    }

    fn calls(&self) -> &'static [Form] {
        &[Form {
            name: "claim",
            places: &["reviewer", "paper", "level"],
        }]
    }

    fn tidy(&self, mut fact: Value) -> Result<Value, Illegal> {
        let word = fact["level"].as_str().map(str::to_lowercase);
        let word = word.and_then(|word| LEVELS.iter().position(|level| *level == word));
        if let Some(place) = word {
            fact["level"] = json!(place + 1);
        }
        // A number that is no level is one of the partner's table.
        if let Some(number) = fact["level"].as_i64().filter(|level| *level > 5)
            && fact["number"].is_null()
        {
            (fact["number"], fact["level"]) = (json!(number), Value::Null);
        }
        if let Some(fields) = fact.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        Ok(fact)
    }

    fn topic(&self, fact: &Value) -> String {
        format!("{}:{}", fact["reviewer"], fact["paper"])
    }

    fn given(&self, read: &str) -> Vec<Value> {
        put_forward(&self.0, read)
    }
}
