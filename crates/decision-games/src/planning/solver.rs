//! The best itinerary by what the user said.

use serde_json::{Value, json};

use super::beliefs::{Wish, suggest_several};
use super::site::{Site, miles};
use super::{Planning, PlanningWorld, proposal};
use crate::game::Decision;
use crate::illegal::{Code, Illegal};
use crate::mind::{self, Reason, Suggestion};

pub(super) fn of(game: &Planning, seat: usize) -> Option<Box<dyn mind::Solver>> {
    (seat == 1).then(|| Box::new(Solver(city(game))) as Box<dyn mind::Solver>)
}

/// What the agent sees: the sites.
pub(super) fn city(game: &Planning) -> PlanningWorld {
    PlanningWorld {
        sites: game.world().sites.clone(),
        preferences: Vec::new(),
        legacy_at_least_one: false,
    }
}

struct Solver(PlanningWorld);

impl Solver {
    fn read(&self, fact: &Value) -> Result<Wish, Illegal> {
        const FORMS: &str = r#"{"feature", "like", "dislike", "weight"}, {"budget", "weight"}, {"visit", "must", "weight"}, {"category", "must", "weight"}, {"travel"}, {"keep"} and {"exclude"}"#;
        let mut wish: Wish = mind::read_fact(fact, FORMS)?;
        let finite = |weight: &Option<f64>| weight.is_none_or(|weight| weight.abs() <= 1e6);
        let good = match &mut wish {
            Wish::Visit {
                visit: names,
                weight,
                ..
            } => {
                self.resolve(names)?;
                finite(weight)
            }
            Wish::Keep { keep: names } | Wish::Exclude { exclude: names } => {
                self.resolve(names)?;
                true
            }
            Wish::Category {
                category, weight, ..
            } => {
                if !self.0.sites.iter().any(|site| site.kind == *category) {
                    let text = format!("No site is a {category:?}.");
                    return Err(Code::UnknownField.because(text));
                }
                finite(weight)
            }
            Wish::Feature { weight, .. } | Wish::Budget { weight, .. } => finite(weight),
            Wish::Travel { travel } => finite(&Some(*travel)),
        };
        match good {
            true => Ok(wish),
            false => Err(Code::BadQuery.because("A weight is a number of points.")),
        }
    }

    fn resolve(&self, names: &mut [String]) -> Result<(), Illegal> {
        for name in names {
            let site = proposal::find(&self.0, name)?;
            name.clone_from(&self.0.sites[site].name);
        }
        Ok(())
    }

    fn wishes(&self, facts: &[Value]) -> Vec<Wish> {
        facts
            .iter()
            .filter_map(|fact| self.read(fact).ok())
            .collect()
    }

    /// The value under each wish alone, then what the prior adds.
    fn explain(&self, wishes: &[Wish], stops: [usize; 3]) -> Suggestion {
        let value = |wishes: &[Wish], prior| {
            super::beliefs::value(&self.0.sites, wishes, prior, stops) as f64 / 10_000.0
        };
        let mut reasons: Vec<Reason> = wishes
            .iter()
            .map(|wish| (words(wish), value(std::slice::from_ref(wish), false)))
            .filter(|(_, points)| *points != 0.0)
            .map(|(what, points)| Reason { what, points })
            .collect();
        let all = value(wishes, true);
        let known: f64 = reasons.iter().map(|reason| reason.points).sum();
        let site = |place: usize| &self.0.sites[stops[place]];
        let leg = |a: &Site, b: &Site| miles(a.loc, b.loc);
        let way = leg(site(0), site(1)) + leg(site(1), site(2));
        reasons.push(Reason {
            what: format!("{way:.1} miles, and what users usually want"),
            points: all - known,
        });
        Suggestion {
            decision: proposal::decision(&self.0, &stops.map(Some)),
            value: all,
            reasons,
        }
    }
}

fn words(wish: &Wish) -> String {
    let list = |values: &[super::Feature]| {
        values
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    match wish {
        Wish::Feature {
            feature,
            like,
            dislike,
            ..
        } => match (like.is_empty(), dislike.is_empty()) {
            (false, true) => format!("{feature}: likes {}", list(like)),
            (true, _) => format!("{feature}: dislikes {}", list(dislike)),
            _ => format!(
                "{feature}: likes {}, dislikes {}",
                list(like),
                list(dislike)
            ),
        },
        Wish::Budget { budget, .. } => format!("budget of ${budget}"),
        Wish::Visit { visit, .. } => format!("visit {}", visit.join(" or ")),
        Wish::Category { category, .. } => format!("at least one {category}"),
        Wish::Travel { .. } => "short ways".to_owned(),
        Wish::Keep { keep } => format!("keep {}", keep.join(", ")),
        Wish::Exclude { exclude } => format!("leave out {}", exclude.join(", ")),
    }
}

impl mind::Solver for Solver {
    fn check(&self, fact: &Value) -> Result<Value, Illegal> {
        Ok(json!(self.read(fact)?))
    }

    fn suggest(&self, facts: &[Value], count: usize) -> Vec<Suggestion> {
        let wishes = self.wishes(facts);
        let found = suggest_several(&self.0.sites, &wishes, true, count);
        found
            .into_iter()
            .map(|found| self.explain(&wishes, found.stops))
            .collect()
    }

    fn weigh(&self, facts: &[Value], decision: &Decision) -> Option<Suggestion> {
        let decision = proposal::check(&self.0, decision, false).ok()?;
        let [Some(a), Some(b), Some(c)] = proposal::stops(&self.0, &decision) else {
            return None;
        };
        Some(self.explain(&self.wishes(facts), [a, b, c]))
    }
}
