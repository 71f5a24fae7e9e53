//! Wishes of the partner: from words to the best option.

use serde_json::{Value, json};

use super::{View, Wish, gain};
use crate::game::Decision;
use crate::illegal::{Code, Illegal};
use crate::mind::{self, Reason, Suggestion};
use crate::text::{find, heard, sentences, words};

/// What a wish counts that was said without points.
pub(super) const USUAL: i64 = 5;

pub(super) struct Solver(pub View);

impl Solver {
    fn read(&self, fact: &Value) -> Result<Wish, Illegal> {
        let wish: Wish = mind::read_fact(fact, r#"{"attribute": …, "value": …, "points": …}"#)?;
        let has = |option: &super::Choice| option.values.contains_key(&wish.attribute);
        if !self.0.options.iter().any(has) {
            return Err(Code::UnknownField.because(format!("No option has {:?}.", wish.attribute)));
        }
        match wish.points.abs() <= 1_000_000 {
            true => Ok(wish),
            false => Err(Code::BadQuery.because("Points are at most 1,000,000.")),
        }
    }

    fn explain(&self, option: usize, wishes: &[Wish]) -> Suggestion {
        let option = &self.0.options[option];
        let reason = |(whose, wish): (&str, &Wish)| {
            let points = gain(option, std::slice::from_ref(wish));
            (points != 0).then(|| Reason {
                what: format!("{whose} wish for {} {}", wish.attribute, wish.value),
                points: points as f64,
            })
        };
        let own = self.0.own.iter().map(|wish| ("your", wish));
        let theirs = wishes.iter().map(|wish| ("the partner's", wish));
        let reasons: Vec<Reason> = own.chain(theirs).filter_map(reason).collect();
        Suggestion {
            decision: json!(option.name),
            value: reasons.iter().map(|reason| reason.points).sum(),
            reasons,
        }
    }

    fn wishes(&self, facts: &[Value]) -> Vec<Wish> {
        facts
            .iter()
            .filter_map(|fact| self.read(fact).ok())
            .collect()
    }
}

impl mind::Solver for Solver {
    fn check(&self, fact: &Value) -> Result<Value, Illegal> {
        Ok(json!(self.read(fact)?))
    }

    fn suggest(&self, facts: &[Value], count: usize) -> Vec<Suggestion> {
        let wishes = self.wishes(facts);
        let mut all: Vec<Suggestion> = (0..self.0.options.len())
            .map(|option| self.explain(option, &wishes))
            .collect();
        // The sort keeps the order of the world among equal ones.
        all.sort_by(|a, b| b.value.total_cmp(&a.value));
        all.truncate(count);
        all
    }

    fn weigh(&self, facts: &[Value], decision: &Decision) -> Option<Suggestion> {
        let option = self
            .0
            .options
            .iter()
            .position(|option| *decision == *option.name)?;
        Some(self.explain(option, &self.wishes(facts)))
    }
}

/// Finds values of attributes in the partner's words, with the numbers behind them.
pub(super) struct Words(pub View);

impl mind::Extractor for Words {
    fn facts(&mut self, _view: &str, read: &str) -> Result<Vec<Value>, mind::Unread> {
        let mut facts: Vec<Wish> = Vec::new();
        let messages = heard(read)
            .into_iter()
            .filter(|heard| heard.tag == "message");
        for heard in messages.filter(|heard| !heard.from.starts_with("You")) {
            for sentence in sentences(&heard.content) {
                // A question only asks.
                if sentence.trim_end().ends_with('?') {
                    continue;
                }
                for clause in words(&sentence).split(|word| word == "," || word == "and") {
                    self.clause(clause, &mut facts);
                }
            }
        }
        Ok(facts.into_iter().map(|wish| json!(wish)).collect())
    }
}

impl Words {
    fn clause(&self, clause: &[String], facts: &mut Vec<Wish>) {
        for option in &self.0.options {
            for (attribute, value) in &option.values {
                let named = find(clause, &words(value).join(" ")).is_some();
                // Two attributes may have one value: then the attribute must be named, too.
                let shared = self.0.options.iter().flat_map(|option| &option.values);
                let unclear = shared
                    .clone()
                    .any(|(other, same)| other != attribute && same == value);
                if !named || (unclear && find(clause, &words(attribute).join(" ")).is_none()) {
                    continue;
                }
                let points = clause
                    .iter()
                    .rev()
                    .find_map(|word| word.parse().ok())
                    .unwrap_or(USUAL);
                facts.retain(|wish| wish.attribute != *attribute || wish.value != *value);
                facts.push(Wish {
                    attribute: attribute.clone(),
                    value: value.clone(),
                    points,
                });
            }
        }
    }
}
