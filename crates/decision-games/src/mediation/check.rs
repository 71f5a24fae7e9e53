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
    user.flights.iter().try_for_each(flight)
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
