//! Prints figures without a model on recorded games:
//! `cargo run -p decision-games --example figures -- SPLIT datasets/*/games.jsonl`, where SPLIT
//! is 1 (games for tuning), 2 (games for figures) or all.
#![allow(clippy::print_stdout, reason = "the figures are the output")]

use std::time::Instant;

use decision_games::measure::Rows;
use decision_games::{Manner, Recorded};

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let split = arguments.next().unwrap_or_default();
    let mut rows = Rows::default();
    let started = Instant::now();
    for path in arguments {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        for recorded in Recorded::read(&text)? {
            if split == "all" || (recorded.index % 3).to_string() == split {
                rows.forced(&recorded)?;
                for (name, manner) in Manner::ALL {
                    rows.played(&recorded, name, manner)?;
                }
            }
        }
    }
    print!("{rows}");
    println!("{:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}
