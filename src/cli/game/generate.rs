//! Worlds in bulk.

use crate::cli::{Exit, terminal};
use crate::error::{Error, Result};
use decision_games::{Rules, open};
use serde_json::json;

/// Prints worlds of consecutive seeds, one a line.
pub fn generate(game: &str, seed: u64, count: u64) -> Result<Exit> {
    for seed in (seed..).take(usize::try_from(count).unwrap_or(usize::MAX)) {
        let world = decision_games::generate(game, seed).map_err(Error::Usage)?;
        let opened = open(game, &world, Rules::default()).map_err(Error::World)?;
        let best = opened.best();
        let points = opened.points(&best);
        let silent: serde_json::Map<_, _> = opened
            .seats()
            .iter()
            .enumerate()
            .filter(|(_, seat)| seat.may_propose)
            .map(|(place, seat)| {
                let decision = opened.silent(place);
                let norm = opened.points(&decision).norm();
                (
                    seat.name.to_owned(),
                    json!({ "decision": decision, "norm": norm }),
                )
            })
            .collect();
        let line = json!({
            "game": game,
            "seed": seed,
            "world": world,
            "best": { "decision": best, "score": points.score },
            "worst": points.worst,
            "silent": silent,
        });
        terminal::print(format_args!("{line}\n"))?;
    }
    Ok(Exit::Done)
}
