//! Measures the checker on human replies, as they were said and with planted errors: `cargo run
//! --release --example measure [DIALOGUES.jsonl] [SEED]`.
#![allow(clippy::print_stdout, reason = "it prints figures")]

use std::time::Instant;

use typed_claims::dialogues::{self, Speaker};
use typed_claims::{Catalogue, Figures, Tracker, plant, restaurant};

const DIALOGUES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/data/restaurant/dialogues.jsonl"
);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| DIALOGUES.into());
    let seed = arguments.next().map_or(Ok(0), |seed| seed.parse())?;
    let dialogues = dialogues::read(&std::fs::read_to_string(path)?)?;
    let schema = restaurant::schema()?;
    let lexicon = restaurant::lexicon("en", &schema)?;
    let catalogue = Catalogue::new(restaurant::rows()?, &schema, &lexicon)?;
    let measured = plant::measure(&dialogues, &schema, &lexicon, &catalogue, seed)?;
    for reply in &measured.flagged {
        println!("flagged: {reply}");
    }
    for (operator, reply) in &measured.missed {
        println!("missed {operator}: {reply}");
    }
    println!(
        "{:<16} planted found recall precision as labelled",
        "operator"
    );
    let percent =
        |share: Option<f64>| share.map_or(String::new(), |share| format!("{:.1}", share * 100.0));
    for (name, operator) in &measured.operators {
        println!(
            "{name:<16} {:>7} {:>5} {:>6} {:>9} {:>11}",
            operator.planted,
            operator.found,
            percent(operator.recall()),
            percent(operator.precision()),
            operator.agreed,
        );
    }
    for (what, agreement) in [
        ("alignment", measured.aligned),
        ("grounding", measured.grounded),
    ] {
        let kappa = agreement.kappa().unwrap_or_default();
        println!(
            "{what}, edit against checker: κ {kappa:.3}, {:?}",
            agreement.table
        );
    }
    let figures = Figures::of(measured.dialogues.iter().map(Vec::as_slice));
    println!("{figures:?}");
    println!(
        "{} of {} referring replies flagged",
        measured.flagged.len(),
        figures.referring
    );
    let start = Instant::now();
    for dialogue in &dialogues {
        let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
        for turn in &dialogue.turns {
            match turn.speaker {
                Speaker::User => tracker.hear(&turn.text),
                Speaker::System => drop(tracker.check(&turn.text, None)),
            }
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "hundreds of turns")]
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0 / figures.turns as f64;
    println!("{milliseconds:.3} ms a reply, the user's words before it read, too");
    Ok(())
}
