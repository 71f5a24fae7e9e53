//! How long the solvers take in worlds of the paper's size and in worlds ten times as large.
//!
//! Target, in release on a quiet machine: at most 10 ms for the paper's size. Times of one run
//! are compared, so that the ratio means something on any machine.
#![allow(clippy::print_stdout, reason = "the times are the output")]

use std::time::{Duration, Instant};

use decision_games::{Chance, Mind, Rules, generate, open};
use serde_json::{Value, json};

/// The median time to suggest three proposals.
fn time(game: &str, seat: usize, world: &Value, rounds: usize) -> Duration {
    let game = open(game, world, Rules::default()).expect("a world");
    let mind = Mind::new(game.solver(seat).expect("a solver"));
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let started = Instant::now();
            assert_eq!(mind.suggest(3).len(), 3);
            started.elapsed()
        })
        .collect();
    times.sort();
    times[rounds / 2]
}

/// Eighty reviewers and papers.
fn optimization(chance: &mut Chance, n: usize) -> Value {
    let mut square = |below: usize| -> Vec<Vec<usize>> {
        (0..n)
            .map(|_| (0..n).map(|_| chance.below(below)).collect())
            .collect()
    };
    let names = |what: &str| (0..n).map(|i| format!("{what} {i}")).collect::<Vec<_>>();
    json!({
        "reviewers": names("Reviewer"), "papers": names("Paper"), "table": square(100),
        "known": [square(2), square(2)], "scales": [2.0, 3.0],
    })
}

/// The same city ten times, each copy a little elsewhere.
fn planning(world: &Value, chance: &mut Chance) -> Value {
    let mut large = world.clone();
    let mut sites = Vec::new();
    for copy in 0..10 {
        for site in world["sites"].as_array().into_iter().flatten() {
            let mut site = site.clone();
            site["name"] = json!(format!(
                "{} {copy}",
                site["name"].as_str().unwrap_or_default()
            ));
            for axis in 0..2 {
                let moved = site["loc"][axis].as_f64().unwrap_or(0.0) + 0.05 * chance.unit();
                site["loc"][axis] = json!(moved);
            }
            sites.push(site);
        }
    }
    large["sites"] = json!(sites);
    large
}

/// The same flights ten times.
fn mediation(world: &Value) -> Value {
    let mut large = world.clone();
    for user in 0..2 {
        let flights = world["users"][user]["flights"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        large["users"][user]["flights"] = json!(vec![flights; 10].concat());
    }
    large
}

fn main() {
    let mut chance = Chance::new(1);
    let (city, flights) = (generate("planning", 1), generate("mediation", 1));
    let (city, flights) = (city.expect("a world"), flights.expect("a world"));
    for (game, seat, small, large) in [
        (
            "optimization",
            0,
            optimization(&mut chance, 8),
            optimization(&mut chance, 80),
        ),
        ("planning", 1, city.clone(), planning(&city, &mut chance)),
        ("mediation", 2, flights.clone(), mediation(&flights)),
    ] {
        let (small, large) = (time(game, seat, &small, 51), time(game, seat, &large, 5));
        let ratio = large.as_secs_f64() / small.as_secs_f64();
        println!("{game}: {small:?}, ten times as large {large:?}, {ratio:.0} times as long");
    }
    let started = Instant::now();
    for seed in 0..20 {
        generate("optimization", seed).expect("a world");
    }
    let each = started.elapsed() / 20;
    println!(
        "generate optimization: {each:?} a world, {:?} for 1,000 on two cores",
        each * 500
    );
}
