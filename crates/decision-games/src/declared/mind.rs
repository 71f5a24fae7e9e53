//! Wishes of the partner: the best option by them.

use serde_json::{Value, json};

use super::world::{Choice, MOST, View, Wish, gain};
use crate::game::Decision;
use crate::illegal::{Code, Illegal};
use crate::mind::{self, Reason, Suggestion};

/// What a wish counts that was said without points.
pub(super) const USUAL: i64 = 5;

pub(super) struct Solver(pub View);

impl Solver {
    fn read(&self, fact: &Value) -> Result<Wish, Illegal> {
        let wish: Wish = mind::read_fact(fact, r#"{"attribute": …, "value": …, "points": …}"#)?;
        let has = |option: &Choice| option.value(&wish.attribute).is_some();
        if !self.0.options.iter().any(has) {
            return Err(Code::UnknownField.because(format!("No option has {:?}.", wish.attribute)));
        }
        match (-MOST..=MOST).contains(&wish.points) {
            true => Ok(wish),
            false => Err(Code::BadQuery.because("Points are at most 1,000,000.")),
        }
    }

    fn explain(&self, option: usize, wishes: &[Wish]) -> Suggestion {
        let place = option;
        let option = &self.0.options[place];
        let reason = |(whose, wish): (&str, &Wish)| {
            let points = gain(option, std::slice::from_ref(wish));
            (points != 0).then(|| Reason {
                what: format!("{whose} wish for {} {}", wish.attribute, wish.value),
                points: points as f64,
            })
        };
        let own: Vec<Reason> = match &self.0.points {
            Some(points) => vec![Reason {
                what: "your points".to_owned(),
                points: points[place] as f64,
            }],
            None => self
                .0
                .own
                .iter()
                .filter_map(|wish| reason(("your", wish)))
                .collect(),
        };
        let theirs = wishes.iter().map(|wish| ("the partner's", wish));
        let reasons: Vec<Reason> = own.into_iter().chain(theirs.filter_map(reason)).collect();
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
