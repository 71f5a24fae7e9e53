//! The best pair of flights by what the agent sees and by what it was told.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::score::{conflict_times, hours_between};
use super::{Flight, Mediation, MediationWorld, Time};
use crate::game::Decision;
use crate::illegal::{Code, Illegal};
use crate::mind::{self, Reason, Suggestion};
use crate::text::counted;

/// What the agent sees of both travellers.
#[derive(Clone)]
pub(super) struct View {
    pub flights: [Vec<Flight>; 2],
    /// The shared meetings.
    pub shared: [Vec<(Time, Time)>; 2],
}

impl View {
    pub fn of(world: &MediationWorld) -> View {
        let times = |event: &super::Event| (event.start, event.end);
        View {
            flights: [0, 1].map(|user| world.users[user].flights.clone()),
            shared: [0, 1].map(|user| world.users[user].shared.iter().map(times).collect()),
        }
    }
}

/// Something that one of the travellers said.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Fact {
    /// A meeting that the agent does not see.
    Meeting {
        user: usize,
        start: Time,
        end: Time,
        importance: f64,
    },
    /// How important a shared meeting is; `event` counts from 0.
    Importance {
        user: usize,
        event: usize,
        importance: f64,
    },
    /// How much the price counts, from 1 to 20.
    Price { user: usize, price: f64 },
    /// How much three hours between the arrivals cost each.
    Arrival { arrival: f64 },
    /// A flight that is out of the question.
    Exclude { user: usize, exclude: usize },
    /// A pair that was rejected.
    Rejected { rejected: [usize; 2] },
}

pub(super) fn of(game: &Mediation, seat: usize) -> Option<Box<dyn mind::Solver>> {
    (seat == 2).then(|| Box::new(Solver(View::of(game.world()))) as Box<dyn mind::Solver>)
}

/// A meeting as it counts: twice its importance, in whole numbers.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    pub start: Time,
    pub end: Time,
    pub halves: i64,
}

/// The costs of pairs as whole numbers: points, multiplied by 24 and by the sums of all prices.
pub(super) struct Costs {
    /// For each flight: meetings, price.
    flights: [Vec<(i128, i128)>; 2],
    hour: i128,
    unit: i128,
    excluded: Vec<(usize, usize)>,
    rejected: Vec<[usize; 2]>,
}

impl Costs {
    /// Costs of flights with these meetings, weights of prices (10.5 is usual) and weight of
    /// arrivals (5.5 is usual).
    ///
    /// A price counts 13/12 of the weight times its ratio to the mean of the list: the mean price
    /// is on average 13/12 of the number from which prices are drawn.
    pub fn of(
        flights: [&[Flight]; 2],
        meetings: [&[Meeting]; 2],
        price: [f64; 2],
        arrival: f64,
    ) -> Costs {
        let sums = flights.map(|list| -> i128 {
            list.iter()
                .map(|flight| i128::from(flight.price))
                .sum::<i128>()
                .max(1)
        });
        let unit = sums[0] * sums[1];
        let cost = |user: usize, flight: &Flight| {
            let missed = meetings[user]
                .iter()
                .filter(|meeting| conflict_times(meeting.start, meeting.end, flight));
            let halves: i64 = missed.map(|meeting| meeting.halves).sum();
            let weight = (26.0 * price[user]).round() as i128;
            let count = flights[user].len() as i128;
            let price = weight * i128::from(flight.price) * count * sums[1 - user];
            (12 * i128::from(halves) * unit, price)
        };
        Costs {
            flights: [0, 1].map(|user| flights[user].iter().map(|f| cost(user, f)).collect()),
            hour: (16.0 * arrival).round() as i128 * unit,
            unit: 24 * unit,
            excluded: Vec::new(),
            rejected: Vec::new(),
        }
    }

    fn fits(&self, pair: [usize; 2]) -> bool {
        let out = |user: usize| self.excluded.contains(&(user, pair[user]));
        !out(0) && !out(1) && !self.rejected.contains(&pair)
    }

    /// The `count` cheapest pairs, of equal ones the first, and how many cost the least.
    pub fn cheapest(&self, flights: [&[Flight]; 2], count: usize) -> (Vec<[usize; 2]>, usize) {
        let mut all = Vec::new();
        for (i, a) in flights[0].iter().enumerate() {
            for (j, b) in flights[1].iter().enumerate() {
                let [(x, y), (z, w)] = [self.flights[0][i], self.flights[1][j]];
                let hours = i128::from(hours_between(a.end, b.end));
                all.push((x + y + z + w + self.hour * hours, [i, j]));
            }
        }
        let left: Vec<_> = all
            .iter()
            .copied()
            .filter(|(_, pair)| self.fits(*pair))
            .collect();
        if !left.is_empty() {
            all = left;
        }
        all.sort_unstable();
        let least = all.first().map(|(cost, _)| *cost);
        let ties = all
            .iter()
            .take_while(|(cost, _)| Some(*cost) == least)
            .count();
        (
            all.into_iter().take(count).map(|(_, pair)| pair).collect(),
            ties,
        )
    }
}

struct Solver(View);

impl Solver {
    fn read(&self, fact: &Value) -> Result<Fact, Illegal> {
        const FORMS: &str = r#"{"user", "start", "end", "importance"}, {"user", "event", "importance"}, {"user", "price"}, {"arrival"}, {"user", "exclude"} and {"rejected": [flight, flight]}"#;
        let fact: Fact = mind::read_fact(fact, FORMS)?;
        let count = |user: usize| self.0.flights.get(user).map_or(0, Vec::len);
        let within = |number: &f64| (0.0..=1000.0).contains(number);
        let good = match &fact {
            Fact::Meeting {
                user,
                start,
                end,
                importance,
            } => *user < 2 && start <= end && within(importance),
            Fact::Importance {
                user,
                event,
                importance,
            } => *user < 2 && *event < self.0.shared[*user].len() && within(importance),
            Fact::Price { user, price } => *user < 2 && within(price),
            Fact::Arrival { arrival } => within(arrival),
            Fact::Exclude { user, exclude } => *user < 2 && *exclude < count(*user),
            Fact::Rejected { rejected: [a, b] } => *a < count(0) && *b < count(1),
        };
        match good {
            true => Ok(fact),
            false => Err(Code::BadQuery.because(
                "Users are 0 and 1, events and flights count from 0, weights are from 0 to 1000.",
            )),
        }
    }

    fn costs(&self, facts: &[Value]) -> (Costs, [Vec<Meeting>; 2]) {
        // The importance of a meeting is 5.5 on average.
        let mut meetings = [0, 1].map(|user| -> Vec<Meeting> {
            let usual = |(start, end): &(Time, Time)| Meeting {
                start: *start,
                end: *end,
                halves: 11,
            };
            self.0.shared[user].iter().map(usual).collect()
        });
        let (mut price, mut arrival) = ([10.5; 2], 5.5);
        let (mut excluded, mut refused) = (Vec::new(), Vec::new());
        for fact in facts.iter().filter_map(|fact| self.read(fact).ok()) {
            let halves = |importance: f64| (2.0 * importance).round() as i64;
            match fact {
                Fact::Meeting {
                    user,
                    start,
                    end,
                    importance,
                } => {
                    let same = |known: &&mut Meeting| known.start == start && known.end == end;
                    let halves = halves(importance);
                    match meetings[user].iter_mut().find(same) {
                        Some(known) => known.halves = halves,
                        None => meetings[user].push(Meeting { start, end, halves }),
                    }
                }
                Fact::Importance {
                    user,
                    event,
                    importance,
                } => {
                    meetings[user][event].halves = halves(importance);
                }
                Fact::Price {
                    user,
                    price: weight,
                } => price[user] = weight,
                Fact::Arrival { arrival: weight } => arrival = weight,
                Fact::Exclude { user, exclude } => excluded.push((user, exclude)),
                Fact::Rejected { rejected } => refused.push(rejected),
            }
        }
        let [a, b] = &self.0.flights;
        let mut costs = Costs::of([a, b], [&meetings[0], &meetings[1]], price, arrival);
        (costs.excluded, costs.rejected) = (excluded, refused);
        (costs, meetings)
    }

    fn explain(&self, costs: &Costs, meetings: &[Vec<Meeting>; 2], pair: [usize; 2]) -> Suggestion {
        let points = |cost: i128| -(cost as f64) / costs.unit as f64;
        let mut reasons = Vec::new();
        for user in 0..2 {
            let flight = &self.0.flights[user][pair[user]];
            let (missed, price) = costs.flights[user][pair[user]];
            let count = meetings[user]
                .iter()
                .filter(|meeting| conflict_times(meeting.start, meeting.end, flight))
                .count();
            reasons.push(Reason {
                what: format!("user {user} misses {}", counted(count, "meeting")),
                points: points(missed),
            });
            let what = format!("user {user} pays ${}", flight.price);
            reasons.push(Reason {
                what,
                points: points(price),
            });
        }
        let [a, b] = [0, 1].map(|user| self.0.flights[user][pair[user]].end);
        let hours = hours_between(a, b);
        let hour = usize::try_from(hours).unwrap_or_default();
        let what = format!("{} between the arrivals", counted(hour, "hour"));
        reasons.push(Reason {
            what,
            points: points(costs.hour * i128::from(hours)),
        });
        Suggestion {
            decision: Mediation::decision(pair),
            value: reasons.iter().map(|reason| reason.points).sum(),
            reasons,
        }
    }
}

impl mind::Solver for Solver {
    fn check(&self, fact: &Value) -> Result<Value, Illegal> {
        Ok(json!(self.read(fact)?))
    }

    fn suggest(&self, facts: &[Value], count: usize) -> Vec<Suggestion> {
        let (costs, meetings) = self.costs(facts);
        let [a, b] = &self.0.flights;
        let (pairs, _) = costs.cheapest([a, b], count);
        pairs
            .into_iter()
            .map(|pair| self.explain(&costs, &meetings, pair))
            .collect()
    }

    fn weigh(&self, facts: &[Value], decision: &Decision) -> Option<Suggestion> {
        let pair = Mediation::flights(decision);
        let known = decision.as_array().is_some_and(|pair| pair.len() == 2)
            && (0..2).all(|user| pair[user] < self.0.flights[user].len());
        let (costs, meetings) = self.costs(facts);
        known.then(|| self.explain(&costs, &meetings, pair))
    }
}
