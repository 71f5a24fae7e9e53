//! The calls of programs of the mediator: they read flights and calendars, and ask a solver that
//! knows nothing but the given costs.

use serde_json::{Value, json};

use super::score::hours_between;
use super::solver::View;
use super::{Mediation, view};
use crate::illegal::Illegal;
use crate::programs::{self, Arguments};

pub(super) fn of(game: &Mediation, seat: usize) -> Option<Box<dyn programs::Library>> {
    let view = || Box::new(Lists(View::of(game.world()))) as Box<dyn programs::Library>;
    (seat == 2).then(view)
}

/// The stubs of what it answers, and of the calls that note facts.
pub(super) fn stub(seat: usize) -> &'static str {
    match seat {
        2 => include_str!("../../data/programs/mediation.pyi"),
        _ => "",
    }
}

struct Lists(View);

impl programs::Library for Lists {
    fn answer(&self, name: &str, given: &Value) -> Result<Value, Illegal> {
        let arguments = Arguments::of(name, given);
        match name {
            "flights" => {
                let flights = self.0.flights[arguments.below("user", 2, "0 or 1")?].iter();
                let shown = flights.enumerate().map(|(id, flight)| {
                    json!({
                        "id": id, "carrier": flight.carrier, "price": flight.price,
                        "start": flight.start, "end": flight.end,
                    })
                });
                Ok(shown.collect())
            }
            "calendar" => {
                let meetings = self.0.shared[arguments.below("user", 2, "0 or 1")?].iter();
                let shown = meetings.enumerate().map(|(id, (start, end))| {
                    let times = view::times(*start, *end, false);
                    json!({"id": id, "start": start, "end": end, "times": times})
                });
                Ok(shown.collect())
            }
            "best" => self.best(&arguments),
            _ => Err(programs::unknown(name)),
        }
    }
}

impl Lists {
    /// The first of the cheapest pairs.
    fn best(&self, arguments: &Arguments<'_>) -> Result<Value, Illegal> {
        let costs = |argument: &str, user: usize| -> Result<Vec<i64>, Illegal> {
            let count = self.0.flights[user].len();
            let expected = format!("a list of {count} costs, one for each flight");
            let list = arguments.value(argument, &expected)?.as_array();
            let list = list.filter(|list| list.len() == count);
            let list = list.ok_or_else(|| arguments.wrong(argument, &expected))?;
            let costs = list
                .iter()
                .map(|cost| arguments.thousandths(cost, argument));
            costs.collect()
        };
        let (a, b) = (costs("costs0", 0)?, costs("costs1", 1)?);
        let hour = match arguments.get("hour") {
            Some(hour) => arguments.thousandths(hour, "hour")?,
            None => 0,
        };
        let [first, second] = &self.0.flights;
        let cost =
            |i: usize, j: usize| a[i] + b[j] + hour * hours_between(first[i].end, second[j].end);
        let pairs = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
        let all = pairs.map(|(i, j)| (cost(i, j), i, j));
        // A game has at least one flight for each user.
        let (cost, i, j) = all.min().unwrap_or_default();
        Ok(json!({"decision": Mediation::decision([i, j]), "value": -cost as f64 / 1000.0}))
    }
}
