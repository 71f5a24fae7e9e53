//! What a pair of flights costs the travellers.

use serde_json::{Value, json};

use super::{Event, Flight, MediationWorld, Time, User, pairs};

/// The costs of a pair of flights for one traveller, as negative numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// By meetings that are missed.
    pub calendar: i64,
    /// By the price; a cheap flight gains.
    pub price: i64,
    /// By hours between the arrivals.
    pub arrival_time: i64,
}

impl Costs {
    /// The sum.
    pub fn total(&self) -> i64 {
        self.calendar + self.price + self.arrival_time
    }
}

/// The costs of a pair of flights, for both travellers.
pub fn costs(world: &MediationWorld, flights: [usize; 2]) -> [Costs; 2] {
    let hours = hours_apart(world, flights);
    [0, 1].map(|which| {
        let user = &world.users[which];
        let flight = &user.flights[flights[which]];
        Costs {
            calendar: -conflicts(user, flight)
                .map(|event| event.importance)
                .sum::<i64>(),
            price: price(user, flight),
            arrival_time: -(world.arrival_weight * hours / 3),
        }
    })
}

/// The sum for both travellers.
pub(super) fn total(world: &MediationWorld, flights: [usize; 2]) -> i64 {
    costs(world, flights).iter().map(Costs::total).sum()
}

/// The costs of a pair of flights and what they come from, in the form of the records.
pub(super) fn parts(world: &MediationWorld, flights: [usize; 2]) -> Value {
    let costs = costs(world, flights);
    let missed = [0, 1].map(|which| {
        let user = &world.users[which];
        conflicts(user, &user.flights[flights[which]]).collect::<Vec<_>>()
    });
    let each = costs.map(|costs| {
        json!({
            "calendar": costs.calendar, "price": costs.price,
            "arrival_time": costs.arrival_time, "total": costs.total(),
        })
    });
    json!({
        "recorded": each,
        "player_rewards": costs.map(|costs| costs.total()),
        "total": total(world, flights),
        "conflicts": missed,
        "delta_hours": hours_apart(world, flights),
    })
}

/// The mean of all pairs.
pub fn mean(world: &MediationWorld) -> f64 {
    let all = pairs(world).map(|pair| total(world, pair));
    let (sum, count) = all.fold((0, 0), |(sum, count), value| (sum + value, count + 1));
    sum as f64 / f64::from(count)
}

/// Whole hours between the arrivals.
pub fn hours_apart(world: &MediationWorld, flights: [usize; 2]) -> i64 {
    let [a, b] = [0, 1].map(|which| world.users[which].flights[flights[which]].end);
    hours_between(a, b)
}

/// Whole hours between two times.
pub(super) fn hours_between(a: Time, b: Time) -> i64 {
    a.0.duration_until(b.0).as_hours().abs()
}

/// In f64 and in this order, then toward zero: recorded scores depend on it.
fn price(user: &User, flight: &Flight) -> i64 {
    let (weight, mean) = (user.price_weight as f64, user.mean_price as f64);
    (-weight * ((flight.price as f64 - mean) / mean)) as i64
}

/// The meetings of the whole calendar that a flight makes its traveller miss.
pub fn conflicts<'a>(user: &'a User, flight: &'a Flight) -> impl Iterator<Item = &'a Event> {
    user.calendar.iter().filter(|event| conflict(event, flight))
}

/// Whether one begins while the other is under way. Equal starts are no conflict.
pub(super) fn conflict(event: &Event, flight: &Flight) -> bool {
    conflict_times(event.start, event.end, flight)
}

/// [`conflict`] with a meeting of these times.
pub(super) fn conflict_times(start: Time, end: Time, flight: &Flight) -> bool {
    let during = |start, begin, end| begin < start && start < end;
    during(start, flight.start, flight.end) || during(flight.start, start, end)
}
