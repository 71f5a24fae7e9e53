//! How long the solvers take in worlds of the paper's size and in worlds ten times as large.
//!
//! Targets, in release: at most 10 ms for the paper's size, and 10 s for 1,000 generated worlds. Times
//! are those of the processor where the system tells them, so that others on the machine change little.
#![allow(clippy::print_stdout, reason = "the times are the output")]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use decision_games::{Chance, Mind, Rules, generate, open};
use serde_json::{Value, json};

/// How long this thread has run: by the clock where the system does not say it.
fn now() -> Duration {
    static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = told.and_then(|text| text.split(' ').next()?.parse().ok());
    first.map_or_else(|| STARTED.elapsed(), Duration::from_nanos)
}

/// The mean time to suggest three proposals.
fn time(game: &str, seat: usize, world: &Value, rounds: u32) -> Duration {
    let game = open(game, world, Rules::default()).expect("a world");
    let mind = Mind::new(game.solver(seat).expect("a solver"));
    let started = now();
    for _ in 0..rounds {
        assert_eq!(mind.suggest(3).len(), 3);
    }
    (now() - started) / rounds
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
        let (small, large) = (
            time(game, seat, &small, 5_000),
            time(game, seat, &large, 10),
        );
        let ratio = large.as_secs_f64() / small.as_secs_f64();
        println!("{game}: {small:?}, ten times as large {large:?}, {ratio:.0} times as long");
    }
    for game in ["optimization", "planning", "mediation"] {
        let started = now();
        for seed in 0..100 {
            generate(game, seed).expect("a world");
        }
        let each = (now() - started) / 100;
        println!(
            "generate {game}: {each:?} a world, {:?} for 1,000",
            each * 1_000
        );
    }
}
