//! Lets simulated users talk with the desk that speaks by templates, and checks each reply: `cargo
//! run --example talk [DIALOGUES.jsonl] [SEED] [ROWS] [LANGUAGE]`. The last dialogue is printed,
//! and each that does not come to an end.
#![allow(clippy::print_stdout, reason = "it prints dialogues")]

use std::collections::BTreeMap;

use typed_claims::simulate::{Outcome, Run, Words, drawn, run};
use typed_claims::{Catalogue, Figures, dialogues, restaurant};

const DIALOGUES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/data/restaurant/dialogues.jsonl"
);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| DIALOGUES.into());
    let seed = arguments.next().map_or(Ok(0), |seed| seed.parse())?;
    let dialogues = dialogues::read(&std::fs::read_to_string(path)?)?;
    let count = arguments
        .next()
        .map_or(Ok(usize::MAX), |count| count.parse())?;
    let language = arguments.next().unwrap_or_else(|| "en".into());
    let schema = restaurant::schema()?;
    let lexicon = restaurant::lexicon(&language, &schema)?;
    let catalogue = Catalogue::new(restaurant::rows()?, &schema, &lexicon)?;
    let words = Words::of(&language)?;
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let mut flags = Vec::new();
    let mut last = None;
    for dialogue in &dialogues {
        let rows = drawn(catalogue.rows(), count, seed, &dialogue.id);
        let run = run(dialogue, &words, &schema, &lexicon, &catalogue, &rows, seed)?;
        *outcomes.entry(format!("{:?}", run.outcome)).or_default() += 1;
        let turns = run.exchanges.iter().map(|exchange| exchange.verdict.flags);
        flags.push(turns.collect::<Vec<_>>());
        for exchange in &run.exchanges {
            let found = exchange.verdict.flags;
            let wrong = !found.correct() || !found.strict || !found.consistent || !found.complete;
            if wrong || found.evidenced == Some(false) || found.booking == Some(false) {
                println!(
                    "{}: {} → {}\n  {found:?}",
                    dialogue.id, exchange.user.text, exchange.reply
                );
            }
        }
        if !matches!(run.outcome, Outcome::Done | Outcome::Failed) {
            print(&run);
        }
        last = Some(run);
    }
    last.iter().for_each(print);
    println!(
        "{outcomes:?}\n{:?}",
        Figures::of(flags.iter().map(Vec::as_slice))
    );
    Ok(())
}

fn print(run: &Run) {
    for exchange in &run.exchanges {
        println!("User: {}\nDesk: {}", exchange.user.text, exchange.reply);
    }
    println!();
}
