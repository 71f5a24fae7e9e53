//! Every recorded game replays, and rows without a model have the published means.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod games;

use std::collections::BTreeMap;

use decision_games::{Rules, rows};

/// Two games were recorded by a server that counted an unmet wish for a category as nothing.
const LEGACY: [u32; 1] = [10];

#[test]
fn every_recorded_game_replays_to_its_recorded_score() {
    let (mut late, mut replaced) = (0, 0);
    for recorded in games::all() {
        let name = format!("{} {}", recorded.game, recorded.index);
        let game = recorded.open(Rules::default()).unwrap();
        let replay = recorded
            .replay(game)
            .unwrap_or_else(|illegal| panic!("{name}: {illegal}"));
        let decision = replay
            .decision
            .unwrap_or_else(|| panic!("{name}: nothing was accepted"));
        let figures = recorded.recorded.unwrap();
        assert_eq!(
            (decision.best, decision.worst),
            (figures.best, figures.worst),
            "{name}"
        );
        if recorded.game != "planning" || !LEGACY.contains(&recorded.index) {
            assert_eq!(decision.score, figures.score, "{name}");
            assert!((decision.norm() - figures.norm).abs() < 1e-9, "{name}");
        }
        let released = recorded
            .open(Rules {
                legacy_categories: true,
                ..Rules::default()
            })
            .unwrap();
        let decision = recorded.replay(released).unwrap().decision.unwrap();
        assert_eq!(decision.score, figures.score, "{name}, as released");
        late += replay.late_answers;
        replaced += replay.replaced;
    }
    assert_eq!((games::all().len(), late, replaced), (272, 117, 27));
}

#[test]
fn rows_without_a_model_have_the_published_means() {
    let mut sums: BTreeMap<(&str, &str), (f64, usize)> = BTreeMap::new();
    for recorded in games::all() {
        for row in rows::rows(recorded).unwrap() {
            let sum = sums.entry((&recorded.game, row.name)).or_default();
            *sum = (sum.0 + row.norm, sum.1 + 1);
        }
    }
    let mut wrong = Vec::new();
    for (game, row, expected) in [
        ("optimization", "random", 0.6107),
        ("optimization", "worst", 0.2477),
        ("optimization", "optimum", 1.0),
        ("optimization", "silent", 0.8258),
        ("optimization", "pooled", 0.9977),
        ("optimization", "five words", 0.9959),
        ("optimization", "human first", 0.8967),
        ("optimization", "human final", 0.9188),
        ("planning", "random", 0.5114),
        ("planning", "silent", 0.7921),
        ("planning", "all wishes", 0.9353),
        ("planning", "human first", 0.7865),
        ("planning", "human final", 0.8918),
        ("mediation", "random", 0.5945),
        ("mediation", "silent", 0.9755),
        ("mediation", "calendars", 0.9915),
        ("mediation", "human first", 0.9152),
        ("mediation", "human final", 0.9721),
    ] {
        let (sum, count) = sums[&(game, row)];
        let mean = sum / count as f64;
        if (mean - expected).abs() > 0.0005 {
            wrong.push(format!("{game} {row}: {mean:.4}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
