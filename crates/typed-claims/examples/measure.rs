//! Measures the checker on human replies: `cargo run --example measure -- DIALOGUES.jsonl`, a file
//! of MultiWOZ dialogues (`turns` of `speaker` and `text`).
#![allow(clippy::print_stdout, reason = "it prints figures")]

use std::time::Instant;

use serde_json::Value as Json;
use typed_claims::{Catalogue, Tracker, restaurant};

/// How often each reply is checked again.
const RUNS: usize = 1_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file of dialogues?")?;
    let schema = restaurant::schema()?;
    let lexicon = restaurant::lexicon("en", &schema)?;
    let catalogue = Catalogue::new(restaurant::rows()?, &schema, &lexicon)?;
    let (mut turns, mut refers, mut flagged, mut incomplete, mut differs) = (0, 0, 0, 0, 0);
    let mut seconds = 0.0;
    for line in std::fs::read_to_string(path)?.lines() {
        let dialogue: Json = serde_json::from_str(line)?;
        let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
        for turn in dialogue["turns"].as_array().into_iter().flatten() {
            let text = turn["text"].as_str().unwrap_or_default();
            if turn["speaker"] == "user" {
                tracker.hear(text);
                continue;
            }
            let start = Instant::now();
            let verdict = tracker.check(text, None);
            seconds += start.elapsed().as_secs_f64();
            turns += 1;
            refers += usize::from(verdict.flags.refers);
            incomplete += usize::from(!verdict.flags.complete);
            if verdict.flags.refers && !verdict.flags.correct() {
                flagged += 1;
                println!("{}: {text}", dialogue["id"]);
            }
        }
    }
    let reply =
        "There are 12 cheap places: Kohinoor, Rice House and Curry Garden. It is in the west.";
    let fresh = || Tracker::new(&schema, &lexicon, &catalogue, catalogue.full()).check(reply, None);
    let first = fresh();
    for _ in 0..RUNS {
        differs += usize::from(fresh() != first);
    }
    println!("{turns} replies, {refers} refer, {flagged} flagged, {incomplete} incomplete");
    println!(
        "{:.3} ms a reply; {differs} of {RUNS} runs differ",
        seconds * 1000.0 / f64::from(turns)
    );
    Ok(())
}
