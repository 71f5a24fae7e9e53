//! The best pair of flights by what the agent sees and by what it was told.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::costs::{Costs, Meeting};
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
    /// A time at which a traveller likes to fly, and what a flight then gains.
    Suits {
        user: usize,
        start: Time,
        end: Time,
        suits: f64,
    },
    /// A flight that is out of the question.
    Exclude { user: usize, exclude: usize },
    /// A pair that was rejected.
    Rejected { rejected: [usize; 2] },
}

pub(super) fn of(game: &Mediation, seat: usize) -> Option<Box<dyn mind::Solver>> {
    (seat == 2).then(|| Box::new(Solver(View::of(game.world()))) as Box<dyn mind::Solver>)
}

struct Solver(View);

impl Solver {
    fn read(&self, fact: &Value) -> Result<Fact, Illegal> {
        const FORMS: &str = r#"{"user", "start", "end", "importance"}, {"user", "event", "importance"}, {"user", "price"}, {"arrival"}, {"user", "start", "end", "suits"}, {"user", "exclude"} and {"rejected": [flight, flight]}"#;
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
            Fact::Suits {
                user,
                start,
                end,
                suits,
            } => *user < 2 && start <= end && within(suits),
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
        let mut times = [Vec::new(), Vec::new()];
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
                Fact::Suits {
                    user,
                    start,
                    end,
                    suits,
                } => times[user].push((start, end, halves(suits))),
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
        costs.welcome([a, b], times);
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
            let gain = costs.gains[user][pair[user]];
            if gain > 0 {
                reasons.push(Reason {
                    what: format!("user {user} flies at a time that suits"),
                    points: points(-gain),
                });
            }
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
