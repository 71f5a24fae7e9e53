//! How the time of a check grows with the reply: `cargo bench -p typed-claims`. Each line has a
//! kind of reply, milliseconds for 100 kB, and the ratio to 12.5 kB: 8 is linear, 64 quadratic.
#![allow(clippy::print_stdout, reason = "it prints figures")]

use std::time::Instant;

use typed_claims::{Catalogue, Tracker, restaurant};

#[path = "../tests/long/mod.rs"]
mod long;

const SHORT: usize = 12_500;
const LONG: usize = 8 * SHORT;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = restaurant::schema()?;
    let lexicon = restaurant::lexicon("en", &schema)?;
    let catalogue = Catalogue::new(restaurant::rows()?, &schema, &lexicon)?;
    let milliseconds = |text: &str| {
        let runs = (0..3).map(|_| {
            let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
            let start = Instant::now();
            tracker.check(text, None);
            tracker.hear(text);
            tracker.check(text, None);
            start.elapsed().as_secs_f64() * 1000.0
        });
        runs.fold(f64::INFINITY, f64::min)
    };
    for (kind, piece) in long::PIECES {
        let [short, long] = [SHORT, LONG].map(|length| milliseconds(&long::reply(piece, length)));
        println!("{kind:<18} {long:>9.1} ms  {:>5.1} times", long / short);
    }
    Ok(())
}
