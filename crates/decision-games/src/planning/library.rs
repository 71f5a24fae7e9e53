//! The calls of programs of the agent of planning: they read the city, and ask a solver that knows
//! nothing but the given points.

use serde_json::{Value, json};

use super::itinerary::Terms;
use super::site::{miles, tenths};
use super::solver::city;
use super::{Planning, PlanningWorld, proposal, search};
use crate::illegal::{Code, Illegal};
use crate::programs::{self, Arguments};

pub(super) fn of(game: &Planning, seat: usize) -> Option<Box<dyn programs::Library>> {
    (seat == 1).then(|| Box::new(City(city(game))) as Box<dyn programs::Library>)
}

/// The stubs of what it answers, and of the calls that note facts.
pub(super) fn stub(seat: usize) -> &'static str {
    match seat {
        1 => include_str!("../../data/programs/planning.pyi"),
        _ => "",
    }
}

struct City(PlanningWorld);

impl programs::Library for City {
    fn answer(&self, name: &str, given: &Value) -> Result<Value, Illegal> {
        let arguments = Arguments::of(name, given);
        match name {
            "sites" => Ok(json!(self.0.sites)),
            "search" => {
                let query = arguments.text("query", "a text such as Search(fields=[name])")?;
                search::answer(&self.0, query, false).map(Value::from)
            }
            "distance" => {
                let site = |argument: &str| {
                    let name = arguments.text(argument, "the name of a site")?;
                    Ok(self.0.sites[proposal::find(&self.0, name)?].loc)
                };
                Ok(miles(site("a")?, site("b")?).into())
            }
            "best" => self.best(&arguments),
            _ => Err(programs::unknown(name)),
        }
    }
}

impl City {
    /// The best itinerary by these points for sites and miles alone.
    fn best(&self, arguments: &Arguments<'_>) -> Result<Value, Illegal> {
        let sites = &self.0.sites;
        let scores = arguments.value("scores", "a dict of points by site")?;
        let scores = scores.as_object();
        let scores = scores.ok_or_else(|| arguments.wrong("scores", "a dict of points by site"))?;
        let mut points = vec![0; sites.len()];
        for (name, score) in scores {
            let site = proposal::find(&self.0, name)?;
            // The sums are in 10,000ths of a point.
            points[site] = 10 * arguments.thousandths(score, "scores")?;
        }
        let travel = match arguments.get("travel") {
            Some(travel) => arguments.thousandths(travel, "travel")?,
            None => 0,
        };
        let leg = |a, b| -travel * tenths(a, b);
        let legs = sites
            .iter()
            .map(|a| sites.iter().map(|b| leg(a.loc, b.loc)).collect());
        let terms = Terms {
            site: points,
            leg: legs.collect(),
            group: Vec::new(),
            price: sites.iter().map(|site| site.price).collect(),
        };
        let (found, _) = terms.best(1, &|_| true);
        let (value, stops) = found
            .first()
            .ok_or_else(|| Code::BadQuery.because("There are too few sites."))?;
        Ok(json!({
            "decision": proposal::decision(&self.0, &stops.map(Some)),
            "value": *value as f64 / 10_000.0,
        }))
    }
}
