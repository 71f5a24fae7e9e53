//! The agent's decision in mediation before anybody has spoken.

use super::costs::{Costs, Meeting};
use super::{Event, MediationWorld, User};

/// The pair that costs least by what the agent sees and by what is usual, and how many pairs
/// cost that little.
pub fn silent(world: &MediationWorld) -> ([usize; 2], usize) {
    // The importance of a meeting is 5.5 on average.
    cheapest(world, |user| &user.shared, |_| 11)
}

/// As [`silent`], with the true importance of all meetings.
pub fn calendars(world: &MediationWorld) -> ([usize; 2], usize) {
    cheapest(world, |user| &user.calendar, |event| 2 * event.importance)
}

fn cheapest(
    world: &MediationWorld,
    events: impl Fn(&User) -> &Vec<Event>,
    halves: impl Fn(&Event) -> i64,
) -> ([usize; 2], usize) {
    let meeting = |event: &Event| Meeting {
        start: event.start,
        end: event.end,
        halves: halves(event),
    };
    let meetings: [Vec<Meeting>; 2] =
        [0, 1].map(|user| events(&world.users[user]).iter().map(meeting).collect());
    let flights = [0, 1].map(|user| world.users[user].flights.as_slice());
    let costs = Costs::of(flights, [&meetings[0], &meetings[1]], [10.5; 2], 5.5);
    let (pairs, ties) = costs.cheapest(flights, 1);
    (pairs.first().copied().unwrap_or([0, 0]), ties)
}
