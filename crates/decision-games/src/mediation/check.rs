//! What a traveller may be.

use super::{Event, Flight, Time, User};
use crate::bounds::{self, POINTS, PRICE};

/// A sentence says what is wrong with a traveller.
pub(super) fn user(user: &User) -> Result<(), String> {
    bounds::count("flights of a traveller", user.flights.len(), 1)?;
    bounds::within("price_weight", user.price_weight, 0, POINTS)?;
    bounds::within("mean_price", user.mean_price, 1, PRICE)?;
    for events in [&user.calendar, &user.shared, &user.private] {
        bounds::count("meetings in a calendar", events.len(), 0)?;
        events.iter().try_for_each(event)?;
    }
    divided(user)?;
    user.flights.iter().try_for_each(flight)
}

/// Each meeting is shared or private, and counts as the calendar has it.
fn divided(user: &User) -> Result<(), String> {
    let order = |event: &Event| (event.start, event.end, event.importance);
    let mut rest = user.calendar.clone();
    rest.sort_by_key(order);
    for (list, events) in [("shared", &user.shared), ("private", &user.private)] {
        for event in events {
            let found = rest.binary_search_by_key(&order(event), order);
            rest.remove(found.map_err(|_| {
                let (from, to) = (event.start.0, event.end.0);
                format!(
                    "the calendar has no meeting from {from} to {to} of importance {} for {list}, \
                     or it is listed twice",
                    event.importance
                )
            })?);
        }
    }
    match rest.first() {
        None => Ok(()),
        Some(event) => Err(format!(
            "the meeting from {} to {} is neither shared nor private",
            event.start.0, event.end.0
        )),
    }
}

fn event(event: &Event) -> Result<(), String> {
    bounds::within("the importance of a meeting", event.importance, 0, POINTS)?;
    ordered("a meeting", event.start, event.end)
}

fn flight(flight: &Flight) -> Result<(), String> {
    bounds::line("the carrier", &flight.carrier)?;
    bounds::within("the price of a flight", flight.price, 0, PRICE)?;
    ordered("a flight", flight.start, flight.end)
}

fn ordered(what: &str, start: Time, end: Time) -> Result<(), String> {
    match start < end {
        true => Ok(()),
        false => Err(format!(
            "{what} from {} to {} must end after its start",
            start.0, end.0
        )),
    }
}
