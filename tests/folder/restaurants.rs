//! `datasets/restaurant`: its dialogues do what is recorded, its rows contradict no reply, and its
//! operations tell "there is none" from a value that there is not.

use super::lab::{cache, outcome, run};
use dialog2api::claims::{Evidence, Knowledge, doubtful};
use dialog2api::dataset::check::check;
use dialog2api::dataset::{Replayer, Set};
use dialog2api::domain::Domain;
use dialog2api::exec::Engine;
use dialog2api::folder;
use expect_test::{Expect, expect};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

const FOLDER: &str = "datasets/restaurant";

fn domain() -> Arc<Domain> {
    folder::load(Path::new(FOLDER), &cache()).unwrap()
}

/// Runs programs one after the other in a world, and shows what each returns or raises.
async fn answers(world: &str, programs: &[&str], expected: Expect) {
    let domain = domain();
    let world = domain.initial_world(world).unwrap();
    let mut seen = Vec::new();
    for program in programs {
        seen.push(outcome(&run(&domain, &world, program).await));
    }
    expected.assert_eq(&seen.join("\n"));
}

/// A dialogue whose programs give another outcome than the recorded one is a finding.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_dialogues() {
    let findings = folder::check(Path::new(FOLDER), &cache()).await.unwrap();
    assert_eq!(findings, []);
    let domain = domain();
    let set = Set::read(Path::new(FOLDER), &domain).unwrap();
    let engine = Engine::prepare(&domain.api.client, &cache(), &mut |_| ()).await;
    let engine = engine.unwrap().with_setup(&domain.api.setup);
    let replayer = Replayer::new(Arc::new(engine), &domain);
    let report = check(&set, &[], &replayer).await.unwrap();
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert_eq!(findings, [""; 0]);
    assert_eq!((set.dialogues.len(), set.unread.len()), (39, 0));
}

#[tokio::test]
async fn rows_contradict_no_reply_of_the_dialogues() {
    let domain = domain();
    let set = Set::read(Path::new(FOLDER), &domain).unwrap();
    let facts = domain.facts.as_ref().unwrap();
    let mut doubts = Vec::new();
    for dialogue in &set.dialogues {
        let world = set.world(dialogue).unwrap();
        let rows = facts.rows(&*world, "").await.unwrap();
        assert_eq!(rows.len(), 110);
        let known = Knowledge::read(facts.schema(), "en", rows).unwrap();
        let turns = &dialogue.transcript.turns;
        for at in 1..=turns.len() {
            let turns = &turns[..at];
            let reply = turns[at - 1].response.as_deref().unwrap();
            let evidence = Evidence::of(turns).with_facts(&domain.api.document);
            for claim in doubtful(reply, &evidence, Some(&known), turns) {
                let name = set.shown(&dialogue.path).display();
                doubts.push(format!(
                    "{name}, turn {at}: {}: {}",
                    claim.text,
                    claim.reason()
                ));
            }
        }
    }
    assert_eq!(doubts, [""; 0]);
}

#[tokio::test]
async fn a_value_that_there_is_not_is_refused_and_one_without_rows_finds_nothing() {
    answers(
        "full",
        &[
            "return [row['name'] for row in restaurants.find(food='Indian', area='north')]",
            "return restaurants.count(food='any', area='dontcare', pricerange=None)",
            "return restaurants.count(food='greek')",
            "return restaurants.find(food='chines')",
            "return restaurants.count(area='city centre')",
            "return len(restaurants.find()), len(restaurants.find(limit=None))",
            "return restaurants.find(limit=-1)",
        ],
        expect![[r#"
            ["royal spice","the nirala"]
            110
            0
            InvalidValue: food cannot be "chines". It can be african, asian oriental, british, chinese, european, french, gastropub, indian, international, italian, japanese, korean, lebanese, mediterranean, mexican, modern european, north american, portuguese, seafood, spanish, thai, turkish, vietnamese.
            InvalidValue: area cannot be "city centre". It can be centre, north, south, east, west.
            [20,110]
            InvalidValue: limit cannot be -1. It can be None or a number from 0 on."#]],
    )
    .await;
}

#[tokio::test]
async fn a_name_may_be_spelt_otherwise_and_what_is_not_known_is_left_out() {
    answers(
        "full",
        &[
            "return restaurants.get(\"Saint John's Chop House\")['area']",
            "return restaurants.get('nirala')['name'], restaurants.get('Nandos')['area']",
            "return sorted(restaurants.get('Ugly Duckling'))",
            "return restaurants.get('golden')",
            "return restaurants.get('the blue lantern')",
            "return [row['name'] for row in restaurants.find(name='golden')]",
        ],
        expect![[r#"
            "west"
            ["the nirala","south"]
            ["address","area","food","name","postcode","pricerange"]
            NoSuchRestaurant: There are several restaurants "golden": golden house, golden wok, the golden curry.
            NoSuchRestaurant: There is no restaurant "the blue lantern".
            ["golden house","golden wok","the golden curry"]"#]],
    )
    .await;
}

#[tokio::test]
async fn a_table_is_booked_but_at_refused_times_and_each_booking_has_its_reference() {
    answers(
        "full",
        &[
            "return restaurants.book('Meghna', 'Friday', '18:00', 4)",
            "return restaurants.book('Meghna', 'friday', '6pm', 4)",
            "return restaurants.book('Meghna', 'someday', '18:00', 4)",
            "return restaurants.book('Meghna', 'saturday', '18:00', 0)",
            "return list(restaurants.book('Meghna', 'Saturday', '18:00', 4).values())",
            "return restaurants.book('Meghna', 'Saturday', '18:00', 4)['reference']",
            "restaurants.cancel('ki1ihyu4')",
            "restaurants.cancel('KI1IHYU4')",
            "return [booking['reference'] for booking in restaurants.bookings()]",
        ],
        expect![[r#"
            NotAvailable: No table is free on friday at 18:00.
            InvalidValue: The time is not "6pm" but hours and minutes, such as 18:30.
            InvalidValue: day cannot be "someday". It can be monday, tuesday, wednesday, thursday, friday, saturday, sunday.
            InvalidValue: The number of people is not "0" but 1 to 99.
            ["KI1IHYU4","meghna","saturday","18:00",4]
            "N2CLMZ87"
            null
            NoSuchBooking: There is no booking KI1IHYU4.
            ["N2CLMZ87"]"#]],
    )
    .await;
}

/// A world may have some of the rows: its values are still those of all.
#[tokio::test]
async fn a_world_with_a_part_of_the_rows_knows_the_same_values() {
    let place = tempfile::tempdir().unwrap();
    let part = place.path().join("part.json");
    let row = json!({
        "name": "bedouin", "food": "african", "area": "centre", "pricerange": "expensive",
    });
    let state = json!({"restaurants": [row], "bookings": {}, "refused": [], "next": 7});
    std::fs::write(&part, state.to_string()).unwrap();
    answers(
        part.to_str().unwrap(),
        &[
            "return restaurants.count(food='korean'), restaurants.count()",
            "return restaurants.get('meghna')",
            "return restaurants.book('bedouin', 'friday', '18:00', 2)['people']",
        ],
        expect![[r#"
            [0,1]
            NoSuchRestaurant: There is no restaurant "meghna".
            2"#]],
    )
    .await;
}
