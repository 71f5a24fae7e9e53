//! Worlds from seeds never change, and are as the rules say.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::optimization::{Optimization, OptimizationWorld};
use decision_games::{Game, Kinds, Rules, generate, mediation, open, planning, solve};
use sha2::{Digest, Sha256};

#[test]
fn the_first_twenty_worlds_of_each_game_are_what_they_were() {
    let expected = include_str!("data/generated.txt");
    let mut got = String::new();
    for game in Kinds::default().names() {
        for seed in 0..20 {
            let world = generate(game, seed).unwrap().to_string();
            let digest = Sha256::digest(world);
            let hex: String = digest
                .iter()
                .take(8)
                .map(|byte| format!("{byte:02x}"))
                .collect();
            got += &format!("{game} {seed} {hex}\n");
        }
    }
    assert_eq!(got, expected);
}

/// The true value of the best assignment by the cells that a player knows; it takes the others for 50.
fn alone(world: &OptimizationWorld, player: usize) -> i64 {
    let known = &world.known[player];
    let cell = |(value, known): (&i64, &u8)| if *known == 0 { 50 } else { *value };
    let row = |(row, known): (&Vec<i64>, &Vec<u8>)| row.iter().zip(known).map(cell).collect();
    let expected: Vec<Vec<i64>> = world.table.iter().zip(known).map(row).collect();
    let columns = solve::assign(&expected).columns;
    world
        .table
        .iter()
        .zip(columns)
        .map(|(row, column)| row[column])
        .sum()
}

#[test]
fn in_optimization_neither_player_alone_comes_near_the_best() {
    for seed in 0..20 {
        let world = generate("optimization", seed).unwrap();
        let world: OptimizationWorld = serde_json::from_value(world).unwrap();
        let best = solve::assign(&world.table).value;
        for player in 0..2 {
            // 1.25 times its value is below the best.
            let value = alone(&world, player);
            assert!(
                5 * value < 4 * best,
                "seed {seed}, player {player}: {value} of {best}"
            );
        }
        let game = Optimization::new(world, Rules::default()).unwrap();
        assert_eq!(game.points(&game.best()).norm(), 1.0);
    }
}

#[test]
fn in_planning_users_have_at_most_eleven_wishes_and_sites_five_features() {
    let mut full = 0;
    for seed in 0..200 {
        let world: planning::PlanningWorld =
            serde_json::from_value(generate("planning", seed).unwrap()).unwrap();
        assert_eq!(world.sites.len(), 39);
        assert!(world.sites.iter().all(|site| site.features.len() == 5));
        assert!(world.preferences.len() <= 11);
        full += usize::from(world.preferences.len() == 11);
    }
    // 77 % of the worlds have eleven.
    assert!((130..180).contains(&full), "{full}");
}

#[test]
fn in_mediation_every_flight_conflicts_with_something() {
    let mut flights = 0;
    for seed in 0..100 {
        let world = generate("mediation", seed).unwrap();
        let game = open("mediation", &world, Rules::default()).unwrap();
        assert_eq!(game.points(&game.best()).norm(), 1.0);
        let world: mediation::MediationWorld = serde_json::from_value(world).unwrap();
        flights += world
            .users
            .iter()
            .map(|user| user.flights.len())
            .sum::<usize>();
    }
    // 22.4 on average.
    assert!((20..25).contains(&(flights / 200)), "{}", flights / 200);
}
