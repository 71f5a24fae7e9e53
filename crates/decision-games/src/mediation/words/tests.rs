use serde_json::{Value, json};

use super::*;
use crate::mediation::MediationWorld;

/// A traveller has one shared meeting, Thursday from 9 to 11, and two flights: over it, and on Friday
/// from 14 to 18. The other one has the same.
fn view() -> View {
    let flight = |start: &str, end: &str| json!({"carrier": "Delta", "price": 50, "start": start, "end": end});
    let shared = json!([{"start": "2023-06-01T09:00", "end": "2023-06-01T11:00", "importance": 1}]);
    let user = json!({
        "price_weight": 1, "mean_price": 50, "calendar": shared, "shared": shared, "private": [],
        "flights": [
            flight("2023-06-01T08:00", "2023-06-01T10:00"),
            flight("2023-06-02T14:00", "2023-06-02T18:00"),
        ],
    });
    let world: MediationWorld =
        serde_json::from_value(json!({"arrival_weight": 1, "users": [user, user]}))
            .expect("a world");
    View::of(&world)
}

/// The facts of a talk, one a line.
fn facts(read: &str) -> String {
    let facts = Words(view()).facts("", read).expect("facts");
    let show = |fact: &Value| {
        let time = |name: &str| {
            fact[name]
                .as_str()
                .map(|time| &time[8..])
                .unwrap_or_default()
                .to_owned()
        };
        let worth = fact["importance"]
            .as_f64()
            .or(fact["suits"].as_f64())
            .unwrap_or_default();
        match (&fact["event"], fact["suits"].is_null()) {
            (Value::Null, true) => format!("{} {} meeting {worth}", time("start"), time("end")),
            (Value::Null, false) => format!("{} {} suits {worth}", time("start"), time("end")),
            (event, _) => format!("event {event} {worth}"),
        }
    };
    facts.iter().map(show).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_people_write_of_their_days_becomes_facts() {
    for (said, expected) in [
        (
            "Friday afternoon would be great!",
            "02T12:00 02T17:00 suits 3",
        ),
        ("I have something important Thursday morning", "event 0 8"),
        (
            "My meeting at 9am on Thursday is low importance",
            "event 0 2",
        ),
        ("can't do Friday 1 to 3", "02T13:00 02T15:00 meeting 9"),
        (
            "I can skip the Thursday morning meeting but Friday from 3-5 is important",
            "event 0 4; 02T15:00 02T17:00 meeting 9",
        ),
        ("I want it cheap, and near my friend", ""),
        ("6/4 is bad", ""),
        (
            "I have 6/2 8 PM - 10 PM (high)",
            "02T20:00 02T22:00 meeting 9",
        ),
        ("99999999999999999999 to 7:99 am on 99/99", ""),
    ] {
        assert_eq!(
            facts(&format!("User 0: [message] {said}")),
            expected,
            "{said}"
        );
    }
}

#[test]
fn answers_are_about_the_flight_that_was_proposed() {
    let first = "You to all: [propose] user 0: id 0, user 1: id 1";
    for (said, expected) in [
        ("User 0: [accept]", "01T08:00 01T10:00 suits 4.5"),
        ("User 0: [reject]", ""),
        (
            "User 0: [message] That overlaps a very important meeting",
            "event 0 7",
        ),
        (
            "User 1: [message] I have something important then",
            "02T14:01 02T18:00 meeting 3.5",
        ),
        ("User 0: [message] That one can be missed", "event 0 2"),
    ] {
        assert_eq!(facts(&format!("{first}\n{said}")), expected, "{said}");
    }
}
