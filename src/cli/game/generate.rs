//! Worlds in bulk.

use crate::cli::{Exit, terminal};
use crate::domain::counted;
use crate::error::{Error, Result};
use decision_games::{Kinds, Rules};
use serde_json::json;
use std::panic::resume_unwind;
use std::thread;

/// How many worlds a thread draws before they are printed.
const AT_ONCE: u64 = 16;

/// Prints worlds of consecutive seeds, one a line. All processors draw.
pub fn generate(
    (kinds, game): &(Kinds, String),
    seed: u64,
    count: u64,
    rules: Rules,
) -> Result<Exit> {
    let threads = thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let end = seed.checked_add(count).ok_or_else(|| {
        Error::usage(format!(
            "{} from {seed} on would go beyond the last one, {}",
            counted(count, "seed"),
            u64::MAX - 1
        ))
    })?;
    let mut next = seed;
    while next < end {
        let starts: Vec<u64> = (0..threads)
            .map(|thread| next.saturating_add(thread * AT_ONCE).min(end))
            .collect();
        let lines: Vec<std::result::Result<String, Error>> = thread::scope(|scope| {
            let draw = |start: &u64| {
                let start = *start;
                let seeds = start..start.saturating_add(AT_ONCE).min(end);
                scope.spawn(move || {
                    seeds
                        .map(|seed| line(kinds, game, seed, rules))
                        .collect::<Vec<_>>()
                })
            };
            let running: Vec<_> = starts.iter().map(draw).collect();
            let joined = running.into_iter().map(|thread| match thread.join() {
                Ok(lines) => lines,
                Err(panic) => resume_unwind(panic),
            });
            joined.flatten().collect()
        });
        for line in lines {
            terminal::print(format_args!("{}\n", line?))?;
        }
        next = next.saturating_add(threads * AT_ONCE);
    }
    Ok(Exit::Done)
}

fn line(kinds: &Kinds, game: &str, seed: u64, rules: Rules) -> Result<String> {
    let world = kinds.generate(game, seed, rules).map_err(Error::usage)?;
    let opened = kinds.open(game, &world, rules).map_err(Error::world)?;
    let best = opened.best();
    let points = opened.points(&best);
    let silent: serde_json::Map<_, _> = opened
        .seats()
        .iter()
        .enumerate()
        .filter(|(_, seat)| seat.may_propose)
        .map(|(place, seat)| {
            let decision = opened.silent(place);
            let norm = opened.silence(place).norm();
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
    Ok(line.to_string())
}
