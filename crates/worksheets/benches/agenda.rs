//! The agenda of a turn in a dialogue with 50 records.
//!
//! Target, median in release on a quiet machine: 1 ms.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

#[path = "../tests/fifty/mod.rs"]
mod fifty;

use std::time::{Duration, Instant};
use worksheets::{Agenda, Desk, Ended, Next, Settings, program, state_text};

const TURNS: usize = 1001;

fn main() {
    let (sheets, before) = fifty::records();
    let [mut agendas, mut turns] = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        let begun = Instant::now();
        let carried = program::turn(Desk::open(&sheets, &before), "n_v7.p = \"d\"");
        assert_eq!(carried.raised, None);
        let agenda = Instant::now();
        let mut acts = Agenda::begin(carried.desk, &before, Ended::Kept, Settings::default());
        let Next::Acts(turned) = acts.next() else {
            panic!("nothing is to be done");
        };
        agendas.push(agenda.elapsed());
        assert_eq!(turned.acts[0].to_string(), "Ask(n_v48, q)");
        assert!(!state_text(&sheets, &turned.state).is_empty());
        turns.push(begun.elapsed());
    }
    tell("the agenda", agendas);
    tell("program without Python, agenda and state as text", turns);
}

fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |at: usize| times[at].as_secs_f64() * 1e3;
    let (median, most) = (ms(TURNS / 2), ms(TURNS * 99 / 100));
    println!("{what}: median {median:.3} ms, 99 of 100 below {most:.3} ms");
}
