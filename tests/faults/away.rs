//! A server that stays away stops an apply, which is gone on with from its journal.

use crate::faults::proxy::{Asked, Fault};
use crate::faults::run::{Planned, Run, prefixes};
use crate::faults::server::Server;
use crate::faults::work::content;
use crate::support::tools::needs;
use std::collections::BTreeMap;

/// What does not pass.
const FAULTS: [Fault; 9] = [
    Fault::Internal,
    Fault::SlowDown,
    Fault::Liar,
    Fault::ResetBefore,
    Fault::ResetAfter,
    Fault::HalfRequest,
    Fault::HalfAnswer,
    Fault::SilenceBefore,
    Fault::SilenceAfter,
];

/// So often something is tried before the apply stops.
const ATTEMPTS: u32 = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_apply_that_stops_at_every_write_is_finished_from_its_journal() {
    needs!(WEED);
    let server = Server::start().await;
    let planned = Planned::new(&server).await;
    let run = Run::new(&server, &planned, "away", &FAULTS).await;
    let mut expected = Vec::new();
    for world in prefixes("away").await {
        expected.push(content(&*world, "away").await);
    }
    let mut stopped: BTreeMap<Fault, usize> = BTreeMap::new();
    for target in 0..run.plan.writes.len() {
        // Every kind of write meets every fault: there are 18 kinds, which come ten times.
        let fault = FAULTS[(target + target / 18) % FAULTS.len()];
        // Either nothing gets through any more, or only no write; a write that arrives is
        // then seen to be made.
        let only_writes = !fault.arrives() && target / 18 % 2 == 0;
        let mut is_away = false;
        run.proxy.breaks(move |asked: &Asked| {
            is_away |= asked.writes && asked.number == Some(target);
            (is_away && (asked.writes || !only_writes)).then_some(fault)
        });
        let applied = run.apply(ATTEMPTS).await;
        run.proxy.settles().await;
        let made = applied.steps.len();
        let context = format!(
            "{fault:?} at write {target}: {:?} after {made}",
            applied.end
        );
        assert!(!applied.is_whole() && made == target, "{context}");
        // What the journal says is true: so many are made, and of the next one, which was
        // begun, it is not known. The proxy knows.
        assert_eq!(run.journal(), (target, true, None), "{context}");
        let more = run.proxy.effects(target);
        assert_eq!(more > 0, fault.arrives(), "{context}");
        let there = &expected[target + more.min(1)];
        assert_eq!(run.content().await, *there, "{context}");
        *stopped.entry(fault).or_default() += 1;
    }
    run.proxy.heals();
    assert!(run.apply(ATTEMPTS).await.is_whole());
    let again = run.check_whole(&server).await;
    println!("fault            stopped the apply, which was finished from its journal");
    for (fault, count) in &stopped {
        println!("{:15}  {count:7}", format!("{fault:?}"));
    }
    let all: usize = stopped.values().sum();
    println!("{all} stops, and all were gone on with to the end of the 200 writes");
    println!("writes that leave the content as it is were made again {again} times");
    assert_eq!(all, 200);
}
