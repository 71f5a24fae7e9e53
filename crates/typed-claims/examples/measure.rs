//! Measures the checker on human replies: `cargo run --example measure -- DIALOGUES.jsonl`, a file
//! of MultiWOZ dialogues (`turns` of `speaker` and `text`).
#![allow(clippy::print_stdout, reason = "it prints figures")]

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value as Json;
use typed_claims::{Catalogue, Row, Tracker, plant, restaurant};

/// How often each reply is checked again.
const RUNS: usize = 1_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file of dialogues?")?;
    let schema = restaurant::schema()?;
    let lexicon = restaurant::lexicon("en", &schema)?;
    let catalogue = Catalogue::new(restaurant::rows()?, &schema, &lexicon)?;
    let (mut turns, mut refers, mut flagged, mut incomplete, mut differs) = (0, 0, 0, 0, 0);
    let mut seconds = 0.0;
    // Per operator: errors planted, and found.
    let mut operators: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let dialogue: Json = serde_json::from_str(line)?;
        let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
        for turn in dialogue["turns"].as_array().into_iter().flatten() {
            let text = turn["text"].as_str().unwrap_or_default();
            if turn["speaker"] == "user" {
                tracker.hear(text);
                continue;
            }
            let acted = turn["acts"].to_string().to_lowercase();
            for (row, planted) in of_acts(&acted, text, catalogue.rows(), text.len()) {
                let mut copy = tracker.clone();
                let flags = copy.check(&planted.reply, None).flags;
                let mut untouched = tracker.clone();
                // A turn that is wrong before the edit shows nothing.
                if !true_of(&acted, row) || !untouched.check(text, None).flags.refers {
                    continue;
                }
                let count = operators.entry(planted.operator).or_default();
                count.0 += 1;
                count.1 += usize::from(!flags.correct());
                if flags.correct() {
                    println!("missed {}: {}", planted.operator, planted.reply);
                }
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
    let mut whole = 0;
    let mut alarms = 0;
    for (first, second) in [("food", "area"), ("pricerange", "area")] {
        for (list, planted) in plant::lists(catalogue.rows(), first, second) {
            let complete = |reply: &str| {
                let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
                tracker.check(reply, None).flags.complete
            };
            whole += 1;
            alarms += usize::from(!complete(&list));
            let count = operators.entry(planted.operator).or_default();
            count.0 += 1;
            count.1 += usize::from(!complete(&planted.reply));
        }
    }
    for (operator, (planted, found)) in operators {
        println!("{operator}: {found} of {planted} found");
    }
    println!("{alarms} of {whole} whole lists called incomplete");
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

/// The errors that fit a turn: those about the one row that its acts name.
fn of_acts<'a>(
    acted: &str,
    text: &str,
    rows: &'a [Row],
    draw: usize,
) -> Vec<(&'a Row, plant::Planted)> {
    let named = rows.iter().filter(|row| {
        row.get("name")
            .is_some_and(|name| acted.contains(&format!("[\"name\",\"{name}\"]")))
    });
    let named = named.collect::<Vec<_>>();
    let [row] = named.as_slice() else {
        return Vec::new();
    };
    let planted = plant::plant(text, row, rows, draw).into_iter();
    planted.map(|planted| (*row, planted)).collect()
}

/// Whether the acts say of area, price and food what the row has.
fn true_of(acted: &str, row: &Row) -> bool {
    [("area", "area"), ("price", "pricerange"), ("food", "food")]
        .iter()
        .all(|(act, slot)| {
            let said = format!("[\"{act}\",\"");
            let value = row.get(*slot).map(String::as_str).unwrap_or_default();
            acted
                .match_indices(&said)
                .all(|(at, _)| acted[at + said.len()..].starts_with(value))
        })
}
