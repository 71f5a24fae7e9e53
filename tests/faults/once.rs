//! One fault at every position of an apply is survived.

use crate::proxy::{Asked, Fault};
use crate::run::{Planned, Run};
use crate::server::Server;
use std::sync::Arc;

/// What breaks, at every position of the 200 writes.
const FAULTS: [Fault; 11] = [
    Fault::Internal,
    Fault::SlowDown,
    Fault::Liar,
    Fault::ResetBefore,
    Fault::ResetAfter,
    Fault::HalfRequest,
    Fault::HalfAnswer,
    Fault::SilenceBefore,
    Fault::SilenceAfter,
    Fault::Late,
    Fault::Drip,
];

/// So often something is tried. Many, for a machine that is busy: a client that waits only
/// a little gives up by itself then.
const ATTEMPTS: u32 = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_fault_at_every_write_and_look_is_survived() {
    let server = Server::start().await;
    let planned = Planned::new(&server).await;
    let there = Arc::new((server, planned));
    let mut runs = vec![];
    let time = std::time::Instant::now();
    for fault in FAULTS {
        let there = there.clone();
        runs.push(tokio::spawn(async move {
            survive(&there.0, &there.1, fault).await
        }));
    }
    println!("fault          injected  at writes  survived  made again, the same");
    let mut all = 0;
    for run in runs {
        let figures = run.await.unwrap();
        println!("{} {:?}", figures.line, time.elapsed());
        all += figures.injected;
    }
    println!("{all} faults were injected, and all survived");
}

struct Figures {
    line: String,
    injected: usize,
}

async fn survive(server: &Server, planned: &Planned, fault: Fault) -> Figures {
    let name = format!("{fault:?}").to_lowercase();
    let run = Run::new(server, planned, &name, Some(fault)).await;
    // The first try of every write, and every third look.
    let mut looks = 0;
    run.proxy.breaks(move |asked: &Asked| {
        if asked.writes {
            return (asked.before == 0).then_some(fault);
        }
        looks += 1;
        let often = if fault.is_silent() { 30 } else { 3 };
        (looks % often == 0).then_some(fault)
    });
    let applied = run.apply(ATTEMPTS).await;
    assert!(applied.is_whole(), "{fault:?}: {:?}", applied.end);
    let again = run.check_whole(server).await;
    assert_eq!(run.proxy.hit(), 200, "{fault:?}");
    let injected = run.proxy.injected();
    let name = format!("{fault:?}");
    Figures {
        line: format!(
            "{name:14} {injected:8}  {:9}  {injected:8}  {again}",
            run.proxy.hit()
        ),
        injected,
    }
}
