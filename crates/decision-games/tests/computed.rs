//! What the records have beside the worlds, and what can be computed from these, is the same.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod games;

use std::fmt::Write;

use decision_games::mediation::{self, Mediation, MediationWorld};
use decision_games::optimization::OptimizationWorld;
use decision_games::planning::{self, PlanningWorld};
use decision_games::{Recorded, Rules};
use serde_json::json;
use sha2::{Digest, Sha256};

fn of(kind: &str) -> impl Iterator<Item = &'static Recorded> {
    games::all().iter().filter(move |game| game.game == kind)
}

#[test]
fn each_player_sees_what_it_saw() {
    let mut views = 0;
    for recorded in of("optimization") {
        let world: OptimizationWorld = serde_json::from_value(recorded.world.clone()).unwrap();
        for player in 0..2 {
            let seen = json!(world.seen(player));
            assert_eq!(seen, recorded.world["views"][player], "{}", recorded.index);
            views += 1;
        }
    }
    assert_eq!(views, 178);
}

/// The distances between all sites, in miles.
fn distances(recorded: &Recorded) -> String {
    let world: PlanningWorld = serde_json::from_value(recorded.world.clone()).unwrap();
    let mut text = String::new();
    for a in &world.sites {
        let row = world
            .sites
            .iter()
            .map(|b| format!("{:.1}", planning::miles(a.loc, b.loc)));
        text += &(row.collect::<Vec<_>>().join(" ") + "\n");
    }
    text
}

/// The meetings that each proposed flight misses.
fn conflicts(recorded: &Recorded) -> String {
    let world: MediationWorld = serde_json::from_value(recorded.world.clone()).unwrap();
    let (mut text, game) = (String::new(), recorded.open(Rules::default()).unwrap());
    let made = recorded.turns.iter();
    for decision in made.filter_map(|turn| turn.decision(game.as_ref())) {
        let flights = Mediation::flights(decision);
        for (number, (user, flight)) in world.users.iter().zip(flights).enumerate() {
            for event in mediation::conflicts(user, &user.flights[flight]) {
                let [start, end] = [event.start, event.end].map(|time| json!(time));
                let (start, end) = (start.as_str().unwrap(), end.as_str().unwrap());
                _ = writeln!(text, "{number} {start} {end} {}", event.importance);
            }
        }
    }
    text
}

/// The published records have a table of distances for each game, and the conflicts of each proposal.
/// They are too long for `datasets`; the file has the beginnings of their SHA-256.
#[test]
fn distances_and_conflicts_are_those_of_the_records() {
    let mut got = String::new();
    for (kind, compute) in [
        ("planning", distances as fn(&Recorded) -> String),
        ("mediation", conflicts),
    ] {
        for recorded in of(kind) {
            let digest = Sha256::digest(compute(recorded));
            let hex: String = digest
                .iter()
                .take(8)
                .map(|byte| format!("{byte:02x}"))
                .collect();
            got += &format!("{kind} {} {hex}\n", recorded.index);
        }
    }
    assert_eq!(got, include_str!("data/computed.txt"));
}
