//! The view for a page: calendars and flights.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::view::{event_times, times};
use super::{Event, Flight, Mediation, MediationWorld, Time, User};
use crate::board::{Board, Part, Picks, Span, Thing};

/// The most days that are drawn.
const DAYS: i64 = 14;

pub(super) fn of(world: &MediationWorld, seat: usize) -> Board {
    if let Some(user) = world.users.get(seat) {
        let private = user.private.iter().map(|event| (event, true));
        let shared = user.shared.iter().map(|event| (event, false));
        let events: Vec<(&Event, bool)> = private.chain(shared).collect();
        let title = "Your calendar, with how important each meeting is".to_owned();
        return Board {
            parts: vec![
                days(title, user, &events, true, 1),
                flights("Your flights".to_owned(), user, &events, Vec::new()),
            ],
            ..Board::default()
        };
    }
    let mut board = Board {
        slots: vec!["User 0".to_owned(), "User 1".to_owned()],
        ..Board::default()
    };
    for (which, user) in world.users.iter().enumerate() {
        let events: Vec<(&Event, bool)> = user.shared.iter().map(|event| (event, false)).collect();
        let title = format!("What you see of the calendar of User {which}");
        let choices = board.parts.len() + 1;
        board.parts.push(days(title, user, &events, false, choices));
        let title = format!("Flights of User {which}");
        board.parts.push(flights(title, user, &events, vec![which]));
    }
    board
}

/// The first and the last day of what is drawn.
fn reach(user: &User, events: &[(&Event, bool)]) -> (Date, Date) {
    let flights = user.flights.iter().map(|flight| (flight.start, flight.end));
    let meetings = events.iter().map(|(event, _)| (event.start, event.end));
    let all: Vec<(Time, Time)> = flights.chain(meetings).collect();
    let first = all.iter().map(|(start, _)| start.0.date()).min();
    let last = all.iter().map(|(_, end)| end.0.date()).max();
    let first = first.unwrap_or_default();
    (first, last.unwrap_or(first))
}

fn days_from(first: Date, day: Date) -> i64 {
    first
        .until(day)
        .map_or(0, |span| i64::from(span.get_days()))
}

fn minutes(first: Date, [start, end]: [Time; 2]) -> [i64; 2] {
    [start, end].map(|time| {
        let in_day = i64::from(time.0.hour()) * 60 + i64::from(time.0.minute());
        days_from(first, time.0.date()) * 24 * 60 + in_day
    })
}

fn days(
    title: String,
    user: &User,
    events: &[(&Event, bool)],
    weighs: bool,
    choices: usize,
) -> Part {
    let (first, last) = reach(user, events);
    let count = (days_from(first, last) + 1).clamp(1, DAYS);
    let day = |number: i64| {
        let day = first.saturating_add(jiff::Span::new().days(number));
        format!("{}/{}", day.month(), day.day())
    };
    let spans = events.iter().map(|(event, private)| Span {
        span: minutes(first, [event.start, event.end]),
        text: event_times(event),
        weight: weighs.then_some(event.importance),
        private: *private,
    });
    Part::Days {
        title,
        days: (0..count).map(day).collect(),
        spans: spans.collect(),
        choices,
    }
}

fn flights(title: String, user: &User, events: &[(&Event, bool)], slots: Vec<usize>) -> Part {
    let (first, _) = reach(user, events);
    let thing = |(id, flight): (usize, &Flight)| Thing {
        name: format!("{id} {}", flight.carrier),
        cells: vec![
            format!("${}", flight.price),
            times(flight.start, flight.end, true),
        ],
        span: Some(minutes(first, [flight.start, flight.end])),
        ..Thing::default()
    };
    Part::Things {
        title,
        slots,
        columns: ["price", "times"].map(str::to_owned).into(),
        things: user.flights.iter().enumerate().map(thing).collect(),
    }
}

pub(super) fn picked(picks: &Picks) -> Value {
    json!(picks)
}

pub(super) fn picks(decision: &Value) -> Picks {
    Mediation::flights(decision).map(Some).into()
}
