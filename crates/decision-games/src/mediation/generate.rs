//! Worlds of mediation from a seed.

use jiff::ToSpan;
use jiff::civil::{DateTime, date};

use super::score::conflict;
use super::{Event, Flight, MediationWorld, Time, User};
use crate::chance::Chance;

const CARRIERS: [&str; 6] = [
    "JetBlue",
    "American",
    "Delta",
    "Southwest",
    "United",
    "Alaska",
];

/// The minutes from the start of the window to its end.
const WINDOW: i64 = 3_480;

const FLIGHTS: usize = 30;

fn first() -> DateTime {
    date(2023, 5, 31).at(9, 0, 0, 0)
}

fn after(start: DateTime, minutes: i64) -> DateTime {
    start.saturating_add(minutes.minutes())
}

/// Draws two travellers.
pub fn generate(chance: &mut Chance) -> MediationWorld {
    loop {
        let users = [(); 2].map(|()| user(chance));
        let arrival_weight = chance.between(1, 10);
        // Whoever has no flight left cannot travel.
        if users.iter().all(|user| !user.flights.is_empty()) {
            return MediationWorld {
                arrival_weight,
                users,
            };
        }
    }
}

fn user(chance: &mut Chance) -> User {
    let calendar = calendar(chance);
    let mut order: Vec<usize> = (0..calendar.len()).collect();
    chance.shuffle(&mut order);
    let private = order.split_off(calendar.len() * 3 / 4);
    let events = |order: Vec<usize>| order.into_iter().map(|i| calendar[i].clone()).collect();
    let (shared, mut private): (_, Vec<Event>) = (events(order), events(private));
    private.sort_by_key(|event| event.start);
    let duration = 60 * chance.between(1, 10);
    let mean_price = chance.between(50, 999);
    let mut flights: Vec<Flight> = (0..FLIGHTS)
        .map(|_| flight(duration, mean_price, chance))
        .collect();
    flights.sort_by_key(|flight| flight.end);
    // A flight that conflicts with nothing would make the choice easy.
    flights.retain(|flight| calendar.iter().any(|event| conflict(event, flight)));
    User {
        price_weight: chance.between(1, 20),
        mean_price,
        calendar,
        shared,
        private,
        flights,
    }
}

fn calendar(chance: &mut Chance) -> Vec<Event> {
    let mut events = Vec::new();
    let mut free = first();
    for half in 0..WINDOW / 30 {
        let start = after(first(), 30 * half);
        if !(9..=20).contains(&start.hour()) || start < free || !chance.with_probability(0.35) {
            continue;
        }
        free = after(start, *chance.pick(&[30, 60, 120, 240]));
        events.push(Event {
            start: Time(start),
            end: Time(free),
            importance: chance.between(1, 10),
        });
    }
    events
}

fn flight(base: i64, mean_price: i64, chance: &mut Chance) -> Flight {
    let start = after(first(), chance.below(WINDOW as usize) as i64);
    let minutes = base + chance.exponential(1.0) as i64;
    let mean = mean_price as f64;
    Flight {
        price: (chance.normal(mean, mean).round() as i64).max(50),
        carrier: (*chance.pick(&CARRIERS)).to_owned(),
        start: Time(start),
        end: Time(after(start, minutes)),
        duration: format!("{} hr {} min", minutes / 60, minutes % 60),
    }
}
