//! The agent's decision in mediation before anybody has spoken.

use super::score::{conflict, hours_apart};
use super::{Event, User, World, pairs};

/// The pair that costs least by what the agent sees and by what is usual, and how many pairs
/// cost that little.
pub fn silent(world: &World) -> ([usize; 2], usize) {
    // The importance of a meeting is 5.5 on average.
    cheapest(world, |user| &user.shared, |_| 11)
}

/// As [`silent`], with the true importance of all meetings.
pub fn calendars(world: &World) -> ([usize; 2], usize) {
    cheapest(world, |user| &user.calendar, |event| 2 * event.importance)
}

/// Costs are multiplied by 24 and by the sums of prices, so that they are whole numbers.
///
/// A price counts 11.375 times its ratio to the mean of the list: the mean weight, 10.5, and a
/// mean price that is 13/12 of the number from which prices are drawn. Hours count 11/3.
fn cheapest(
    world: &World,
    meetings: impl Fn(&User) -> &Vec<Event>,
    halves: impl Fn(&Event) -> i64,
) -> ([usize; 2], usize) {
    let sums = [0, 1].map(|which| -> i128 {
        let prices = world.users[which]
            .flights
            .iter()
            .map(|flight| i128::from(flight.price));
        prices.sum::<i128>().max(1)
    });
    let product = sums[0] * sums[1];
    let cost = |pair: [usize; 2]| -> i128 {
        let mut cost = 88 * i128::from(hours_apart(world, pair)) * product;
        for which in 0..2 {
            let user = &world.users[which];
            let flight = &user.flights[pair[which]];
            let missed = meetings(user)
                .iter()
                .filter(|event| conflict(event, flight));
            cost += 12 * i128::from(missed.map(&halves).sum::<i64>()) * product;
            let count = user.flights.len() as i128;
            cost += 273 * i128::from(flight.price) * count * sums[1 - which];
        }
        cost
    };
    let mut found = ([0, 0], i128::MAX, 0);
    for pair in pairs(world) {
        let cost = cost(pair);
        if cost < found.1 {
            found = (pair, cost, 1);
        } else if cost == found.1 {
            found.2 += 1;
        }
    }
    (found.0, found.2)
}
