//! What travellers and agent read.

use super::score::{Costs, conflicts};
use super::{Event, Flight, MediationWorld, Time, User};

pub(super) fn of_user(user: &User) -> String {
    let mut lines = Vec::new();
    flights(user, &mut lines);
    for (title, events) in [
        ("Private calendar:", &user.private),
        ("Shared calendar (visible to assistant):", &user.shared),
    ] {
        lines.push(title.to_owned());
        lines.push("id | importance | times".to_owned());
        for (id, event) in events.iter().enumerate() {
            lines.push(format!(
                "{id} | ({}) | {}",
                event.importance,
                event_times(event)
            ));
        }
    }
    lines.join("\n")
}

pub(super) fn of_agent(world: &MediationWorld) -> String {
    let mut lines = Vec::new();
    for (which, user) in world.users.iter().enumerate() {
        lines.push(format!("User {which} Information"));
        flights(user, &mut lines);
        lines.push("Calendar:".to_owned());
        lines.push("id | times".to_owned());
        for (id, event) in user.shared.iter().enumerate() {
            lines.push(format!("{id} | {}", event_times(event)));
        }
    }
    lines.join("\n")
}

fn flights(user: &User, lines: &mut Vec<String>) {
    lines.push("Flights:".to_owned());
    lines.push("id | carrier | price | times".to_owned());
    lines.extend(
        user.flights
            .iter()
            .enumerate()
            .map(|(id, flight)| line(id, flight)),
    );
}

fn line(id: usize, flight: &Flight) -> String {
    let times = times(flight.start, flight.end, true);
    format!("{id} | {} | {} | {times}", flight.carrier, flight.price)
}

/// What a traveller reads about a proposal.
pub(super) fn scorecard(user: &User, id: usize, costs: &Costs) -> String {
    let flight = &user.flights[id];
    let mut lines = vec![line(id, flight)];
    let missed: Vec<&Event> = conflicts(user, flight).collect();
    if missed.is_empty() {
        lines.push("Conflicting meetings: none".to_owned());
    } else {
        lines.push("Conflicting meetings:".to_owned());
        lines.push("importance | times".to_owned());
        lines.extend(
            missed
                .iter()
                .map(|event| format!("({}) | {}", event.importance, event_times(event))),
        );
    }
    lines.push("Score:".to_owned());
    lines.push(format!(
        "- ({}) Try not to skip important meetings",
        costs.calendar
    ));
    lines.push(format!(
        "- ({}) Get a good deal on the flight price",
        costs.price
    ));
    lines.push(format!(
        "- ({}) Have everyone arrive around the same time",
        costs.arrival_time
    ));
    lines.push(format!("Total score: {}", costs.total()));
    lines.join("\n")
}

/// What the agent reads about its own proposal.
pub(super) fn echo(world: &MediationWorld, flights: [usize; 2]) -> String {
    let [a, b] = flights;
    let shown = |which: usize| line(flights[which], &world.users[which].flights[flights[which]]);
    format!(
        "user 0: id {a}, user 1: id {b}\nFlight for user 0: {}\nFlight for user 1: {}",
        shown(0),
        shown(1)
    )
}

pub(super) fn event_times(event: &Event) -> String {
    times(event.start, event.end, false)
}

/// Start and end; `(+1)` for an end on a later day. Without `minutes` a full hour has none.
pub(super) fn times(start: Time, end: Time, minutes: bool) -> String {
    let clock = |time: Time| match !minutes && time.0.minute() == 0 {
        true => time.0.strftime("%-I %p").to_string(),
        false => time.0.strftime("%-I:%M %p").to_string(),
    };
    let later = if end.0.date() > start.0.date() {
        " (+1)"
    } else {
        ""
    };
    let (month, day) = (start.0.month(), start.0.day());
    format!("{month}/{day} {} - {}{later}", clock(start), clock(end))
}
