//! The same replies have the same claims, to the byte, however often they are checked.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use typed_claims::{Catalogue, Tracker, report, report_with, restaurant};

const RUNS: usize = 1_000;

/// A dialogue with names of two rows, a list, a count, a denial, a new name and a correction.
const TURNS: [(&str, &str); 5] = [
    (
        "a cheap place in the west or the north?",
        "There are 3 cheap places: Royal Spice, The Varsity Restaurant and Pizza Hut. They are in \
         the north, and Pizza Hut's phone number is 01223 323737.",
    ),
    (
        "Is there Portuguese or Peruvian food?",
        "There are no Peruvian restaurants. Nandos and Nandos City Centre serve Portuguese food; \
         both are cheap, in the centre or the south.",
    ),
    (
        "And the second one?",
        "The Jade Lantern is open until 11 pm. Graffiti is at Hotel Felix, in the east.",
    ),
    (
        "Sure?",
        "I apologise, Graffiti is in the west, not in the east. Its postcode is c.b 3, 0 l.x.",
    ),
    (
        "Book it for 2",
        "I have booked a table for 2 people. Your reference number is AB12CD34.",
    ),
];

#[test]
fn a_dialogue_has_the_same_claims_a_thousand_times() {
    let said = |catalogue: &Catalogue, schema, lexicon| {
        let mut tracker = Tracker::new(schema, lexicon, catalogue, catalogue.full());
        let turns = TURNS.iter().map(|(user, reply)| {
            tracker.hear(user);
            format!("{:?}\n", tracker.check(reply, None))
        });
        turns.collect::<String>()
    };
    let schema = restaurant::schema().unwrap();
    let lexicon = restaurant::lexicon("en", &schema).unwrap();
    let catalogue = || Catalogue::new(restaurant::rows().unwrap(), &schema, &lexicon).unwrap();
    let first = said(&catalogue(), &schema, &lexicon);
    assert!(first.matches("Claim {").count() > 20, "{first}");
    let mut known = catalogue();
    for run in 1..RUNS {
        if run % 100 == 0 {
            known = catalogue();
        }
        assert!(said(&known, &schema, &lexicon) == first, "run {run}");
    }
}

#[test]
fn a_report_has_the_same_bytes_a_thousand_times() {
    let rows =
        br#"{"name": "royal spice", "area": "north", "food": "indian", "pricerange": "cheap"}
{"name": "meze bar", "area": "south", "food": "turkish", "pricerange": "expensive"}"#;
    let reply =
        b"Royal Spice and Meze Bar are the cheap ones in the south, and there are 2 others.";
    let schema = b"key = 'name'\nnames = 'exact'\n[slots]\narea = { kind = 'value' }";
    let told = || {
        let restaurants = report(rows, reply, "en").unwrap();
        let own = report_with(rows, b"royal spice is in the north", "en", schema).unwrap();
        (restaurants, own)
    };
    let first = told();
    for run in 1..RUNS {
        assert!(told() == first, "run {run}");
    }
}
